package io.dynamolock.integration;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.ItemTables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedAsyncClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.ConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Fenced writes as DynamoDB judges them, by all four kinds of client. */
class FencedWritesOnDynamoDbTest {

    private static final String KEY = "customer-42";

    private final LockTableFixture table = new LockTableFixture();

    @AutoClose
    private final LockRegistry registry = table.registry().owner("one").build();

    @AutoClose
    private final LockRegistry another = table.registry().owner("two").build();

    private final DynamoDbClient client = EmbeddedDynamoDb.blockingClient();
    private final DynamoDbAsyncClient asyncClient = EmbeddedDynamoDb.client();
    private final FencedWrites writes = FencedWrites.with(client);
    private final FencedWrites asyncWrites = FencedWrites.with(asyncClient);
    private final String orders = "orders-" + UUID.randomUUID();

    @BeforeEach
    void createTable() {
        client.createTable(ItemTables.byId(orders));
    }

    @Test
    void aHolderWritesAndAFormerHolderDoesNot() {
        LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG);
        writes.transact(handle, put("1"), put("2"));
        assertThat(items()).containsExactlyInAnyOrder("1", "2");
        ConditionCheck fence = handle.fence();

        handle.close();
        try (LockHandle next = another.acquire(KEY, LockTableFixture.LONG)) {
            assertThat(next.isValid()).isTrue();
            assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> writes.transact(handle, put("3")));
            refusedByTheTable(fence, "4");
        }
        refusedByTheTable(fence, "5");
        assertThat(items()).containsExactlyInAnyOrder("1", "2");
    }

    @Test
    void aLockDeletedByHandFailsTheTransactionBeforeTheHandleKnowsOfIt() {
        LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG);
        client.deleteItem(delete ->
                delete.tableName(handle.fence().tableName()).key(handle.fence().key()));

        assertThat(handle.isValid()).isTrue();
        thrown(LockLostException.class, () -> writes.transact(handle, put("1")), KEY, "nothing is written");
        assertThatThrownBy(() -> asyncWrites.transactAsync(handle, put("1")).join())
                .hasCauseInstanceOf(LockLostException.class);
        assertThat(items()).isEmpty();
        assertThat(handle.release()).isFalse();
    }

    @Test
    void aFailedConditionOfTheUserKeepsItsIndexAndTheLockStaysHeld() {
        try (LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG)) {
            TransactWriteItem onlyIfThere = TransactWriteItem.builder()
                    .put(put -> put.tableName(orders).item(item("2")).conditionExpression("attribute_exists(id)"))
                    .build();

            assertCancelled(
                    () -> writes.transact(handle, put("1"), onlyIfThere), "None", "ConditionalCheckFailed", "None");
            writes.transact(handle, put("3"));
        }
        assertThat(items()).containsExactly("3");
    }

    @Test
    void theCheckFindsALockWithAKeyPrefixAndANamespace() {
        try (LockRegistry prefixed = table.registry().keyPrefix("app#").build();
                LockHandle handle = prefixed.acquire(
                        LockRequest.of(KEY).namespace("billing").waitForever())) {
            assertThat(handle.fence().key())
                    .containsEntry("pk", AttributeValue.fromS("app#" + KEY))
                    .containsEntry("sk", AttributeValue.fromS("billing/"));
            writes.transact(handle, put("1"));
        }
        assertThat(items()).containsExactly("1");
    }

    @Test
    void allFourKindsOfClientWrite() {
        TableSchema<EnhancedDocument> schema = TableSchema.documentSchemaBuilder()
                .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .build();
        DynamoDbTable<EnhancedDocument> blocking =
                DynamoDbEnhancedClient.builder().dynamoDbClient(client).build().table(orders, schema);
        DynamoDbAsyncTable<EnhancedDocument> async = DynamoDbEnhancedAsyncClient.builder()
                .dynamoDbClient(asyncClient)
                .build()
                .table(orders, schema);
        try (LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG)) {
            writes.transact(handle, put("1"));
            asyncWrites.transactAsync(handle, put("2")).join();
            writes.transact(
                    handle,
                    of(TransactWriteItemsEnhancedRequest.builder()
                            .addPutItem(blocking, document("3"))
                            .addDeleteItem(blocking, document("1"))
                            .build()));
            asyncWrites
                    .transactAsync(
                            handle,
                            of(TransactWriteItemsEnhancedRequest.builder()
                                    .addPutItem(async, document("4"))
                                    .build()))
                    .join();
        }
        assertThat(items()).containsExactlyInAnyOrder("2", "3", "4");
    }

    private static TransactWriteItemsRequest of(TransactWriteItemsEnhancedRequest request) {
        return TransactWriteItemsRequest.builder()
                .transactItems(request.transactWriteItems())
                .build();
    }

    @Test
    void aFencedWriteOfASmallItemCostsFourUnits() {
        try (LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG)) {
            List<ConsumedCapacity> capacity = writes.transact(
                            handle,
                            TransactWriteItemsRequest.builder()
                                    .transactItems(put("1"))
                                    .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                                    .build())
                    .consumedCapacity();

            assertThat(capacity).extracting(ConsumedCapacity::capacityUnits).containsExactly(2.0, 2.0);
        }
    }

    @Test
    void aFencedSectionIsTwoWritesAndOneTransaction() {
        List<String> calls = new CopyOnWriteArrayList<>();
        try (DynamoDbClient counted = EmbeddedDynamoDb.blockingClientAt(EmbeddedDynamoDb.endpoint())
                        .overrideConfiguration(override -> override.addExecutionInterceptor(new ExecutionInterceptor() {
                            @Override
                            public void beforeTransmission(
                                    Context.BeforeTransmission context, ExecutionAttributes attributes) {
                                calls.add(context.request().getClass().getSimpleName());
                            }
                        }))
                        .build();
                LockRegistry registry = table.registry(counted)
                        .lease(Duration.ofHours(1))
                        .heartbeat(Duration.ofMinutes(10))
                        .build()) {
            // Brings the session with it.
            registry.acquire("another", LockTableFixture.LONG).close();
            calls.clear();

            try (LockHandle handle = registry.acquire(KEY, LockTableFixture.LONG)) {
                FencedWrites.with(counted).transact(handle, put("1"), put("2"));
            }

            // On a busy machine, a read may look for a write that is silent for a quarter of a second.
            calls.removeIf("GetItemRequest"::equals);
            assertThat(calls).containsExactly("UpdateItemRequest", "TransactWriteItemsRequest", "UpdateItemRequest");
        }
    }

    /** Sent by somebody who does not ask whether the lock is still held. */
    private void refusedByTheTable(ConditionCheck fence, String id) {
        assertCancelled(
                () -> client.transactWriteItems(transact -> transact.transactItems(put(id), check(fence))),
                "None",
                "ConditionalCheckFailed");
    }

    private static void assertCancelled(ThrowingCallable write, String... reasons) {
        assertThat(thrown(TransactionCanceledException.class, write).cancellationReasons())
                .extracting(CancellationReason::code)
                .containsExactly(reasons);
    }

    private static TransactWriteItem check(ConditionCheck fence) {
        return TransactWriteItem.builder().conditionCheck(fence).build();
    }

    private TransactWriteItem put(String id) {
        return TransactWriteItem.builder()
                .put(put -> put.tableName(orders).item(item(id)))
                .build();
    }

    private static Map<String, AttributeValue> item(String id) {
        return Map.of("id", AttributeValue.fromS(id));
    }

    private static EnhancedDocument document(String id) {
        return EnhancedDocument.builder()
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .putString("id", id)
                .build();
    }

    private List<String> items() {
        return client.scan(scan -> scan.tableName(orders).consistentRead(true)).items().stream()
                .map(item -> item.get("id").s())
                .toList();
    }
}
