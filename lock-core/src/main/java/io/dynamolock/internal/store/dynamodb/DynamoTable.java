package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.core.waiters.WaiterResponse;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbAsyncWaiter;

/**
 * Creates, inspects and deletes the lock table. Thread-safe. Every returned stage completes with its result or with a
 * {@link TableFailure}.
 */
public final class DynamoTable {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    /** A change that was given up may happen all the same, so that is the last resort. */
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(1);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final int POLLS_FOR_THE_TABLE = 600;
    private static final int POLLS_FOR_ANOTHERS_TTL = 10;
    private static final int SENDERS = 2;

    private final DynamoDbAsyncClient client;
    private final DynamoTableSettings settings;
    private final DynamoFailures failures;
    private final Executor sender = new Bounded(SENDERS, CallThreads.pool());

    /** On a client that blocks. */
    public DynamoTable(DynamoDbClient client, DynamoTableSettings settings) {
        this(new BlockingClient(client), settings);
    }

    /** On a client that does not block. */
    public DynamoTable(DynamoDbAsyncClient client, DynamoTableSettings settings) {
        this.client = client;
        this.settings = settings;
        this.failures = new DynamoFailures(settings.tableName(), client);
    }

    public String name() {
        return settings.tableName();
    }

    /** Where the table is sought, in words. */
    public String endpoint() {
        return failures.endpoint();
    }

    /** Whether nothing listens there. Blocks, for a second at most. */
    public boolean isRefused() {
        return failures.givenEndpoint().filter(RefusedPort::is).isPresent();
    }

    /**
     * Creates the table, on-demand and with TTL on, and waits until it is active. Changes nothing on a table that
     * exists; if another process is creating it, waits for that one.
     */
    public CompletionStage<Void> create() {
        return create(creation().billingMode(BillingMode.PAY_PER_REQUEST).build());
    }

    /** As {@link #create()}, with so many capacity units for each second. */
    public CompletionStage<Void> create(long readUnits, long writeUnits) {
        return create(creation()
                .billingMode(BillingMode.PROVISIONED)
                .provisionedThroughput(
                        units -> units.readCapacityUnits(readUnits).writeCapacityUnits(writeUnits))
                .build());
    }

    private CompletionStage<Void> create(CreateTableRequest creation) {
        return call(DynamoOperation.CREATE_TABLE, () -> client.createTable(creation))
                .handle((created, failure) -> {
                    if (failure == null) {
                        return awaitActive().thenCompose(active -> turnTtlOn());
                    }
                    if (failure.getCause() instanceof ResourceInUseException) {
                        return awaitActive().thenCompose(active -> awaitTtl(POLLS_FOR_ANOTHERS_TTL));
                    }
                    return CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    /** Looks whether the table is as the store needs it. */
    public CompletionStage<TableInspection> inspect() {
        return call(
                        DynamoOperation.DESCRIBE_TABLE,
                        () -> client.describeTable(
                                describe -> describe.tableName(name()).overrideConfiguration(within(CALL_TIMEOUT))))
                .thenCompose(response -> inspect(response.table()))
                .handle((inspection, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(inspection);
                    }
                    TableFailure known = (TableFailure) DynamoFailures.unwrap(failure);
                    return known.reason() == FailureReason.NO_TABLE
                            ? CompletableFuture.<TableInspection>completedFuture(new TableInspection.Missing())
                            : CompletableFuture.<TableInspection>failedFuture(known);
                })
                .thenCompose(Function.identity());
    }

    /** Deletes the table and all that is in it, and waits until it is gone. Does nothing if there is none. */
    public CompletionStage<Void> delete() {
        return call(
                        DynamoOperation.DELETE_TABLE,
                        () -> client.deleteTable(
                                delete -> delete.tableName(name()).overrideConfiguration(within(CHANGE_TIMEOUT))))
                .handle((deleted, failure) -> {
                    if (failure == null) {
                        return awaitGone();
                    }
                    return failure.getCause() instanceof ResourceNotFoundException
                            ? CompletableFuture.<Void>completedFuture(null)
                            : CompletableFuture.<Void>failedFuture(failure);
                })
                .thenCompose(Function.identity());
    }

    private CreateTableRequest.Builder creation() {
        return CreateTableRequest.builder()
                .tableName(name())
                .keySchema(expectedKey())
                .attributeDefinitions(string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute()))
                .overrideConfiguration(within(CHANGE_TIMEOUT));
    }

    private CompletionStage<TableInspection> inspect(TableDescription table) {
        if (table.tableStatus() == TableStatus.DELETING) {
            return CompletableFuture.completedFuture(new TableInspection.Missing());
        }
        String found = inWords(table.keySchema(), table.attributeDefinitions());
        String expected = inWords(
                expectedKey(), List.of(string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute())));
        if (!found.equals(expected)) {
            return CompletableFuture.completedFuture(new TableInspection.WrongKeySchema(found, expected));
        }
        // DynamoDB has no TTL for such a table.
        if (table.multiRegionConsistency() == MultiRegionConsistency.STRONG) {
            return CompletableFuture.completedFuture(new TableInspection.Good());
        }
        return ttl().thenApply(ttl -> {
            if (!isOn(ttl)) {
                return new TableInspection.TtlOff(settings.ttlAttribute(), null);
            }
            return settings.ttlAttribute().equals(ttl.attributeName())
                    ? TableInspection.ofReplicas(table)
                    : new TableInspection.TtlOff(settings.ttlAttribute(), ttl.attributeName());
        });
    }

    private CompletableFuture<Void> turnTtlOn() {
        return call(
                        DynamoOperation.UPDATE_TIME_TO_LIVE,
                        () -> client.updateTimeToLive(update -> update.tableName(name())
                                .timeToLiveSpecification(
                                        ttl -> ttl.enabled(true).attributeName(settings.ttlAttribute()))
                                .overrideConfiguration(within(CHANGE_TIMEOUT))))
                .thenAccept(on -> {});
    }

    /** Gives another process that has just created the table the time to turn TTL on. */
    private CompletableFuture<Void> awaitTtl(int polls) {
        return ttl().thenCompose(ttl -> {
            if (isOn(ttl) || polls == 0) {
                return CompletableFuture.completedFuture(null);
            }
            return CompletableFuture.runAsync(
                            () -> {},
                            CompletableFuture.delayedExecutor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS))
                    .thenCompose(later -> awaitTtl(polls - 1));
        });
    }

    private CompletableFuture<TimeToLiveDescription> ttl() {
        return call(
                        DynamoOperation.DESCRIBE_TIME_TO_LIVE,
                        () -> client.describeTimeToLive(
                                describe -> describe.tableName(name()).overrideConfiguration(within(CALL_TIMEOUT))))
                .thenApply(response -> response.timeToLiveDescription());
    }

    private static boolean isOn(TimeToLiveDescription ttl) {
        return ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
    }

    private CompletableFuture<Void> awaitActive() {
        return await(waiter -> waiter.waitUntilTableExists(describe -> describe.tableName(name()), polling()));
    }

    private CompletableFuture<Void> awaitGone() {
        return await(waiter -> waiter.waitUntilTableNotExists(describe -> describe.tableName(name()), polling()));
    }

    private CompletableFuture<Void> await(
            Function<DynamoDbAsyncWaiter, CompletableFuture<WaiterResponse<DescribeTableResponse>>> wait) {
        DynamoDbAsyncWaiter waiter =
                DynamoDbAsyncWaiter.builder().client(client).build();
        return call(DynamoOperation.DESCRIBE_TABLE, () -> wait.apply(waiter))
                .whenComplete((arrived, failure) -> waiter.close())
                .thenAccept(arrived -> {});
    }

    private static Consumer<WaiterOverrideConfiguration.Builder> polling() {
        return configuration -> configuration
                .backoffStrategyV2(BackoffStrategy.fixedDelayWithoutJitter(POLL_INTERVAL))
                .maxAttempts(POLLS_FOR_THE_TABLE);
    }

    /** Unlike the store's calls these may be repeated by the client, but not without end. */
    private static AwsRequestOverrideConfiguration within(Duration limit) {
        return AwsRequestOverrideConfiguration.builder().apiCallTimeout(limit).build();
    }

    private List<KeySchemaElement> expectedKey() {
        return List.of(
                key(settings.partitionKeyAttribute(), KeyType.HASH), key(settings.sortKeyAttribute(), KeyType.RANGE));
    }

    private static KeySchemaElement key(String attribute, KeyType type) {
        return KeySchemaElement.builder().attributeName(attribute).keyType(type).build();
    }

    private static AttributeDefinition string(String attribute) {
        return AttributeDefinition.builder()
                .attributeName(attribute)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static String inWords(List<KeySchemaElement> schema, List<AttributeDefinition> definitions) {
        return schema.stream()
                .sorted(Comparator.comparing(KeySchemaElement::keyType))
                .map(key -> (key.keyType() == KeyType.HASH ? "partition key \"" : "sort key \"") + key.attributeName()
                        + "\" (" + type(key.attributeName(), definitions) + ")")
                .collect(Collectors.joining(" and "));
    }

    private static String type(String attribute, List<AttributeDefinition> definitions) {
        return definitions.stream()
                .filter(definition -> definition.attributeName().equals(attribute))
                .map(definition -> switch (definition.attributeType()) {
                    case S -> "string";
                    case N -> "number";
                    case B -> "binary";
                    case UNKNOWN_TO_SDK_VERSION -> definition.attributeTypeAsString();
                })
                .findFirst()
                .orElse("unknown type");
    }

    private <T> CompletableFuture<T> call(DynamoOperation operation, Supplier<CompletableFuture<T>> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        CompletableFuture.supplyAsync(call, sender)
                .thenCompose(Function.identity())
                .whenComplete((result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        DynamoFailures.Failure known = failures.failure(operation, failure);
                        Throwable cause = DynamoFailures.unwrap(failure);
                        answer.completeExceptionally(new TableFailure(known.reason(), known.message(), cause));
                    }
                });
        return answer;
    }
}
