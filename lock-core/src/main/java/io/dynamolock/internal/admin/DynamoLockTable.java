package io.dynamolock.internal.admin;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.dynamodb.CallThreads;
import io.dynamolock.internal.store.dynamodb.ConnectionLimit;
import io.dynamolock.internal.store.dynamodb.DynamoFailures;
import io.dynamolock.internal.store.dynamodb.DynamoOperation;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.store.dynamodb.FailureReason;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.core.waiters.WaiterResponse;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.MultiRegionConsistency;
import software.amazon.awssdk.services.dynamodb.model.ReplicaDescription;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbAsyncWaiter;

/** The lock table on DynamoDB. Thread-safe. Every method but {@link #name} blocks. */
public final class DynamoLockTable implements LockTable {

    private static final Logger log = LoggerFactory.getLogger(DynamoLockTable.class);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);

    /** Long, because a change that was given up may still happen. */
    private static final Duration CHANGE_TIMEOUT = Duration.ofMinutes(1);

    /**
     * For calls that the SDK repeats, however the client is configured: a call that failed after the creation of a
     * table and before its TTL was turned on would leave the table without TTL.
     */
    private static final AwsRequestOverrideConfiguration REPEATED = AwsRequestOverrideConfiguration.builder()
            .apiCallTimeout(CHANGE_TIMEOUT)
            .addPlugin(client -> client.overrideConfiguration(ClientOverrideConfiguration.builder()
                    .retryStrategy(AwsRetryStrategy.standardRetryStrategy())
                    .build()))
            .build();

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final int POLLS_FOR_THE_TABLE = 600;
    private static final int POLLS_FOR_TTL_OF_OTHERS = 10;

    private final DynamoDbAsyncClient client;
    private final DynamoTableSettings settings;
    private final boolean singleRegion;
    private final int neededConnections;
    private final ConnectionLimit connections = new ConnectionLimit();
    private final DynamoFailures failures;
    /** A client that blocks does so on these threads, so that an interrupt ends the wait of the caller. */
    private final Executor threads = CallThreads.pool();

    /**
     * @param singleRegion whether no process locks in another replica of the table
     * @param neededConnections how many connections the locks of this process may need at once
     */
    public DynamoLockTable(
            DynamoDbAsyncClient client, DynamoTableSettings settings, boolean singleRegion, int neededConnections) {
        this.client = client;
        this.settings = settings;
        this.singleRegion = singleRegion;
        this.neededConnections = neededConnections;
        this.failures = new DynamoFailures(settings.tableName(), client);
    }

    @Override
    public String name() {
        return settings.tableName();
    }

    @Override
    public void create() {
        create(creation().billingMode(BillingMode.PAY_PER_REQUEST).build());
    }

    @Override
    public void createProvisioned(long readUnits, long writeUnits) {
        if (readUnits < 1 || writeUnits < 1) {
            throw new IllegalArgumentException(
                    "The lock table \"" + name() + "\" needs at least 1 read unit and 1 write"
                            + " unit a second, but was to have " + readUnits + " and " + writeUnits + ".");
        }
        create(creation()
                .billingMode(BillingMode.PROVISIONED)
                .provisionedThroughput(
                        units -> units.readCapacityUnits(readUnits).writeCapacityUnits(writeUnits))
                .build());
    }

    private void create(CreateTableRequest creation) {
        boolean isOurs = send(creation);
        // DynamoDB says that a table is in use also while it is being deleted, or when another process has just created
        // it and it cannot be described yet.
        for (int polls = 0; !isOurs && find().isEmpty() && polls < POLLS_FOR_THE_TABLE; polls++) {
            pause();
            isOurs = send(creation);
        }
        TableDescription table = await(waiter -> waiter.waitUntilTableExists(this::repeated, DynamoLockTable::polling))
                .matched()
                .response()
                .orElseThrow()
                .table();
        if (isOurs) {
            call(
                    DynamoOperation.UPDATE_TIME_TO_LIVE,
                    () -> client.updateTimeToLive(update -> update.tableName(name())
                            .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName(settings.ttlAttribute()))
                            .overrideConfiguration(REPEATED)));
        } else if (table.multiRegionConsistency() != MultiRegionConsistency.STRONG) {
            awaitTtl();
        }
    }

    /** @return {@code false} if there is a table of this name already */
    private boolean send(CreateTableRequest creation) {
        return isDone(DynamoOperation.CREATE_TABLE, () -> client.createTable(creation), ResourceInUseException.class);
    }

    @Override
    public void delete() {
        boolean isThere = isDone(
                DynamoOperation.DELETE_TABLE,
                () -> client.deleteTable(
                        delete -> delete.tableName(name()).overrideConfiguration(within(CHANGE_TIMEOUT))),
                ResourceNotFoundException.class);
        if (isThere) {
            await(waiter -> waiter.waitUntilTableNotExists(this::repeated, DynamoLockTable::polling));
        }
    }

    /** @return {@code false} if DynamoDB says that there is nothing to be done */
    private boolean isDone(
            DynamoOperation operation,
            Supplier<CompletableFuture<?>> change,
            Class<? extends DynamoDbException> nothingToDo) {
        try {
            call(operation, change::get);
            return true;
        } catch (LockTableException failure) {
            if (nothingToDo.isInstance(failure.getCause())) {
                return false;
            }
            throw failure;
        }
    }

    @Override
    public void check() {
        TableDescription table = describe();
        warnOfTooFewConnections();
        String found = inWords(table.keySchema(), table.attributeDefinitions());
        String expected = inWords(
                expectedKey(), List.of(string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute())));
        if (!found.equals(expected)) {
            throw failed(
                    Problem.WRONG_KEY_SCHEMA,
                    "The table \"" + name() + "\" cannot hold locks: it has " + found + ", but the locks need "
                            + expected
                            + ". Use another table; or, if this one has a partition key and a sort"
                            + " key that are strings, set the names of the key attributes to theirs.");
        }
        // DynamoDB has no TTL for such a table.
        if (table.multiRegionConsistency() == MultiRegionConsistency.STRONG) {
            return;
        }
        checkTtl(ttl());
        List<String> regions = otherRegions(table);
        if (!regions.isEmpty() && !singleRegion) {
            throw failed(
                    Problem.SEVERAL_REGIONS,
                    "The lock table \"" + name() + "\" is a global table without strong consistency, with replicas in "
                            + String.join(", ", regions) + " too. Replicas are different tables to a lock: in two"
                            + " regions two processes would hold it at once. If all processes use the replica at "
                            + failures.endpoint()
                            + ", say so by singleRegion(true); else have all of them use one region,"
                            + " or a global table with multi-Region strong consistency.");
        }
    }

    private void warnOfTooFewConnections() {
        Integer most = connections.most();
        if (most != null && most < neededConnections) {
            log.warn(
                    "The DynamoDB client of the locks opens at most {} connections, but the locks may need {} at once."
                            + " While calls of the locks or other calls of this client use all of them, heartbeats wait;"
                            + " if that lasts, all locks of this process are lost. Raise maxConnections or maxConcurrency"
                            + " of its HTTP client, lower maxCallsInFlight, or give the locks a client of their own.",
                    most,
                    neededConnections);
        }
    }

    private TableDescription describe() {
        return find().orElseThrow(() -> failed(
                Problem.MISSING,
                "The lock table \"" + name() + "\" does not exist at " + failures.endpoint()
                        + ". Create it (docs/configuration.md has the CloudFormation and Terraform text, LockTable.create()"
                        + " does it too), or correct its name, the region or the endpoint."));
    }

    /** The table; empty if there is none, or if it is being deleted. */
    private Optional<TableDescription> find() {
        try {
            TableDescription table = call(
                            DynamoOperation.DESCRIBE_TABLE,
                            () -> client.describeTable(describe -> describe.tableName(name())
                                    .overrideConfiguration(within(CALL_TIMEOUT).toBuilder()
                                            .metricPublishers(connections.besideThoseOf(client))
                                            .build())))
                    .table();
            return Optional.of(table).filter(found -> found.tableStatus() != TableStatus.DELETING);
        } catch (LockTableException failure) {
            if (failure.problem() == Problem.MISSING) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private void checkTtl(TimeToLiveDescription ttl) {
        String attribute = settings.ttlAttribute();
        if (!isOn(ttl)) {
            throw failed(
                    Problem.TTL_OFF,
                    "TTL of the lock table \"" + name()
                            + "\" is off, so unused locks would stay for ever. Turn it on for the attribute \""
                            + attribute
                            + "\": aws dynamodb update-time-to-live --table-name " + name()
                            + " --time-to-live-specification Enabled=true,AttributeName=" + attribute);
        }
        String other = ttl.attributeName();
        if (!attribute.equals(other)) {
            throw failed(
                    Problem.TTL_OFF,
                    "TTL of the lock table \"" + name() + "\" is on for the attribute \"" + other + "\", not for \""
                            + attribute + "\", so unused locks would stay for ever. A table has one TTL"
                            + " attribute: set the TTL attribute of the locks to \"" + other
                            + "\", or use another table.");
        }
    }

    private static List<String> otherRegions(TableDescription table) {
        // DynamoDB lists only the other replicas. Some imitations of DynamoDB list the table's own region as well.
        String[] arn =
                table.tableArn() == null ? new String[0] : table.tableArn().split(":");
        return table.replicas().stream()
                .map(ReplicaDescription::regionName)
                .filter(region -> arn.length < 4 || !region.equals(arn[3]))
                .sorted()
                .toList();
    }

    private CreateTableRequest.Builder creation() {
        return CreateTableRequest.builder()
                .tableName(name())
                .keySchema(expectedKey())
                .attributeDefinitions(string(settings.partitionKeyAttribute()), string(settings.sortKeyAttribute()))
                .overrideConfiguration(within(CHANGE_TIMEOUT));
    }

    /** Another process may have just created the table: gives it the time to turn TTL on. */
    private void awaitTtl() {
        for (int polls = 0; polls < POLLS_FOR_TTL_OF_OTHERS && !isOn(ttl()); polls++) {
            pause();
        }
    }

    private void pause() {
        call(DynamoOperation.DESCRIBE_TABLE, () -> Futures.after(POLL_INTERVAL));
    }

    private TimeToLiveDescription ttl() {
        return call(
                        DynamoOperation.DESCRIBE_TIME_TO_LIVE,
                        () -> client.describeTimeToLive(
                                describe -> describe.tableName(name()).overrideConfiguration(within(CALL_TIMEOUT))))
                .timeToLiveDescription();
    }

    private static boolean isOn(TimeToLiveDescription ttl) {
        return ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || ttl.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
    }

    private WaiterResponse<DescribeTableResponse> await(
            Function<DynamoDbAsyncWaiter, CompletableFuture<WaiterResponse<DescribeTableResponse>>> wait) {
        try (DynamoDbAsyncWaiter waiter =
                DynamoDbAsyncWaiter.builder().client(client).build()) {
            return call(DynamoOperation.DESCRIBE_TABLE, () -> wait.apply(waiter));
        }
    }

    private static void polling(WaiterOverrideConfiguration.Builder configuration) {
        configuration
                .backoffStrategyV2(BackoffStrategy.fixedDelayWithoutJitter(POLL_INTERVAL))
                .maxAttempts(POLLS_FOR_THE_TABLE);
    }

    private void repeated(DescribeTableRequest.Builder describe) {
        describe.tableName(name()).overrideConfiguration(REPEATED);
    }

    /** The client may repeat these calls, unlike the store's calls, but not for longer than this. */
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

    private <T> T call(DynamoOperation operation, Supplier<CompletableFuture<T>> call) {
        try {
            return CompletableFuture.supplyAsync(call, threads)
                    .thenCompose(Function.identity())
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockTableException(
                    name(),
                    Problem.OTHER,
                    "Interrupted during " + operation + " on the lock table \"" + name() + "\"",
                    e);
        } catch (ExecutionException e) {
            Throwable cause = DynamoFailures.unwrap(e);
            // The SDK's waiter wraps the failure that has ended its waiting.
            Throwable told = cause.getCause() instanceof DynamoDbException answer ? answer : cause;
            DynamoFailures.Failure known = failures.failure(operation, told);
            throw new LockTableException(name(), problem(known.reason()), known.message(), told);
        }
    }

    private LockTableException failed(Problem problem, String message) {
        return new LockTableException(name(), problem, message, null);
    }

    private static Problem problem(FailureReason reason) {
        return switch (reason) {
            case NO_TABLE -> Problem.MISSING;
            case ACCESS_DENIED -> Problem.ACCESS_DENIED;
            case NO_CREDENTIALS -> Problem.NO_CREDENTIALS;
            case UNREACHABLE, NO_ANSWER -> Problem.UNREACHABLE;
            case THROTTLED, CONFLICT, CLOCK_SKEW, SERVER_ERROR -> Problem.UNAVAILABLE;
            case INVALID, UNEXPECTED -> Problem.OTHER;
        };
    }
}
