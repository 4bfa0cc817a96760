package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.ItemTables;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * A table of its own on DynamoDB Local, with a string key {@code id} unless it is made otherwise, and clients that
 * remember what they sent and can lose answers.
 */
final class Shop implements AutoCloseable {

    static final TableSchema<Customer> CUSTOMER = TableSchema.fromBean(Customer.class);

    final String name = "items-" + UUID.randomUUID();
    private final List<SdkRequest> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile Supplier<@Nullable Instant> time = () -> null;
    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClientAt(EmbeddedDynamoDb.endpoint())
            .overrideConfiguration(this::watch)
            .build();
    private final DynamoDbAsyncClient asyncClient = EmbeddedDynamoDb.clientAt(EmbeddedDynamoDb.endpoint())
            .overrideConfiguration(this::watch)
            .build();

    Shop() {
        this(ItemTables.key("id", ScalarAttributeType.S));
    }

    /** @param keys the partition key, and then the sort key if there is one */
    Shop(AttributeDefinition... keys) {
        EmbeddedDynamoDb.blockingClient().createTable(ItemTables.byKeys(name, keys));
    }

    private void watch(ClientOverrideConfiguration.Builder configuration) {
        configuration.addExecutionInterceptor(new ExecutionInterceptor() {
            @Override
            public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
                requests.add(context.request());
            }

            @Override
            public SdkHttpResponse modifyHttpResponse(
                    Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
                boolean lost = answersToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
                SdkHttpResponse answer = withTime(context.httpResponse());
                return lost ? answer.toBuilder().statusCode(500).build() : answer;
            }
        });
    }

    private SdkHttpResponse withTime(SdkHttpResponse answer) {
        SdkHttpResponse.Builder changed = answer.toBuilder().removeHeader("Date");
        Instant told = time.get();
        if (told != null) {
            changed.putHeader("Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(told.atOffset(ZoneOffset.UTC)));
        }
        return changed.build();
    }

    /** What the {@code Date} header of each further answer tells. At first there is no header. */
    void tellsTime(Supplier<@Nullable Instant> time) {
        this.time = time;
    }

    /**
     * What DynamoDB does is done, but the client hears of an error of the server, and repeats the call if it has tries.
     */
    void loseAnswers(int next) {
        answersToLose.set(next);
    }

    DynamoDbClient client() {
        return client;
    }

    DynamoDbAsyncClient asyncClient() {
        return asyncClient;
    }

    <T> DynamoDbTable<T> table(TableSchema<T> schema) {
        return DynamoDbEnhancedClient.builder().dynamoDbClient(client).build().table(name, schema);
    }

    <T> DynamoDbAsyncTable<T> asyncTable(TableSchema<T> schema) {
        return DynamoDbEnhancedAsyncClient.builder()
                .dynamoDbClient(asyncClient)
                .build()
                .table(name, schema);
    }

    /** A builder of a table of customers, whose holder is called {@code owner}. */
    LockingTableBuilder<Customer, LockingTable<Customer>> customers(String owner) {
        return LockingTable.builder(client, table(CUSTOMER)).owner(owner);
    }

    LockingTable<Customer> customers() {
        return customers("me").build();
    }

    /** A builder of a table whose calls go as the script wants. */
    LockingTableBuilder<Customer, LockingTable<Customer>> customers(ScriptedClient.Script script) {
        return LockingTable.builder(new ScriptedClient(client, script), table(CUSTOMER));
    }

    LockingTableBuilder<Customer, AsyncLockingTable<Customer>> asyncCustomers() {
        return AsyncLockingTable.builder(asyncClient, asyncTable(CUSTOMER)).owner("me");
    }

    /** The clocks of one process, whose wall clock is wrong by so much. */
    static VirtualTime clock(Duration ahead) {
        VirtualTime clock = new VirtualTime();
        clock.moveWallClock(ahead);
        return clock;
    }

    /** Delays that take no time but this clock's. */
    static Delayer delayer(VirtualTime clock) {
        return pause -> {
            clock.advance(pause);
            return CompletableFuture.completedFuture(null);
        };
    }

    static Key key(String id) {
        return Key.builder().partitionValue(id).build();
    }

    /** Another program's write: the whole item, without a lock. */
    void put(Map<String, AttributeValue> item) {
        EmbeddedDynamoDb.blockingClient().putItem(put -> put.tableName(name).item(item));
    }

    void putCustomer(String id, long total) {
        put(customer(id, total));
    }

    static Map<String, AttributeValue> customer(String id, long total) {
        return Map.of("id", AttributeValue.fromS(id), "total", number(total));
    }

    /** Another program's write: one attribute, without a lock. */
    void set(String id, String attribute, AttributeValue value) {
        EmbeddedDynamoDb.blockingClient()
                .updateItem(update -> update.tableName(name)
                        .key(Map.of("id", AttributeValue.fromS(id)))
                        .updateExpression("SET #a = :v")
                        .expressionAttributeNames(Map.of("#a", attribute))
                        .expressionAttributeValues(Map.of(":v", value)));
    }

    /** What is in the table, empty if nothing. */
    Map<String, AttributeValue> item(String id) {
        return item(Map.of("id", AttributeValue.fromS(id)));
    }

    Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return EmbeddedDynamoDb.blockingClient()
                .getItem(get -> get.tableName(name).key(key).consistentRead(true))
                .item();
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    /** What the clients of this shop sent. */
    List<SdkRequest> requests() {
        return requests;
    }

    List<String> calls() {
        return requests.stream()
                .map(request -> request.getClass().getSimpleName().replace("Request", ""))
                .toList();
    }

    @Override
    public void close() {
        client.close();
        asyncClient.close();
    }
}
