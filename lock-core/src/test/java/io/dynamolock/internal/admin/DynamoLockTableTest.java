package io.dynamolock.internal.admin;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.dynamodb.BlockingClient;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.FakeDynamoDb;
import io.dynamolock.internal.store.testing.ItemTables;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/** On a real DynamoDB Local, and on a fake one for the errors it never makes. */
@Timeout(120)
class DynamoLockTableTest {

    private final String name = "table-" + UUID.randomUUID();
    private final DynamoDbAsyncClient client = EmbeddedDynamoDb.client();
    private final LockTable table = table(client);

    @AfterEach
    void deleteTable() {
        table.delete();
    }

    @Test
    void aCreatedTableIsOnDemandWithTtlAndPassesItsCheck() {
        table.create();

        table.check();
        TableDescription description = description();
        assertThat(description.billingModeSummary().billingMode()).isEqualTo(BillingMode.PAY_PER_REQUEST);
        assertThat(description.tableStatusAsString()).isEqualTo("ACTIVE");
        assertThat(description.deletionProtectionEnabled()).isNotEqualTo(true);
        assertThat(client.describeTimeToLive(describe -> describe.tableName(name))
                        .join()
                        .timeToLiveDescription()
                        .attributeName())
                .isEqualTo("expiresAt");
    }

    @Test
    void aTableMayHaveProvisionedCapacityAndPassesItsCheck() {
        table.createProvisioned(7, 11);

        table.check();
        TableDescription description = description();
        assertThat(description.provisionedThroughput().readCapacityUnits()).isEqualTo(7);
        assertThat(description.provisionedThroughput().writeCapacityUnits()).isEqualTo(11);
        table.createProvisioned(70, 110);
        assertThat(description().provisionedThroughput().readCapacityUnits())
                .as("it exists already")
                .isEqualTo(7);
    }

    private TableDescription description() {
        return client.describeTable(describe -> describe.tableName(name)).join().table();
    }

    @Test
    void capacityBelowOneUnitIsRefusedBeforeAnyCall() {
        refused(() -> table.createProvisioned(0, 5), name, "at least 1", "0 and 5");
    }

    @Test
    void creatingATableThatExistsChangesNothing() {
        table.create();
        client.updateTimeToLive(update -> update.tableName(name)
                        .timeToLiveSpecification(ttl -> ttl.enabled(false).attributeName("expiresAt")))
                .join();

        table.create();

        assertProblem(table::check, Problem.TTL_OFF);
    }

    @Test
    void manyMayCreateTheTableAtOnce() {
        List<CompletableFuture<Void>> creators = List.of(
                CompletableFuture.runAsync(table::createIfMissing),
                CompletableFuture.runAsync(table::createIfMissing),
                CompletableFuture.runAsync(table::createIfMissing));

        assertThat(creators).allSatisfy(creator -> assertThat(creator).succeedsWithin(60, TimeUnit.SECONDS));
    }

    @Test
    void aDeletedTableIsGoneAndDeletingItAgainDoesNothing() {
        table.create();

        table.delete();
        table.delete();

        assertProblem(table::check, Problem.MISSING);
    }

    @Test
    void aBlockingClientCreatesChecksAndDeletesTheTable() {
        LockTable blocking = table(new BlockingClient(EmbeddedDynamoDb.blockingClient()));

        blocking.create();
        blocking.create();
        blocking.check();
        blocking.delete();

        assertProblem(blocking::check, Problem.MISSING);
    }

    @Test
    void aMissingTableIsNamedWithWhatToDo() {
        String missing = "\"" + name + "\" does not exist at " + EmbeddedDynamoDb.endpoint();
        LockTableException problem = assertProblem(table::check, Problem.MISSING, missing, "Create it");
        assertThat(problem.tableName()).isEqualTo(name);
    }

    @ParameterizedTest
    @CsvSource({
        "id, S, sk, S, 'partition key \"id\" (string) and sort key \"sk\" (string)'",
        "pk, N, sk, S, 'partition key \"pk\" (number) and sort key \"sk\" (string)'",
        "pk, S, sk, B, 'partition key \"pk\" (string) and sort key \"sk\" (binary)'",
        "sk, S, pk, S, 'partition key \"sk\" (string) and sort key \"pk\" (string)'",
        "pk, S, , , 'partition key \"pk\" (string), but'",
    })
    void aWrongKeySchemaIsNamedWithTheExpectedOne(
            String partitionKey, String partitionType, String sortKey, String sortType, String found) {
        create(partitionKey, partitionType, sortKey, sortType);

        String expected = "need partition key \"pk\" (string) and sort key \"sk\" (string)";
        assertProblem(table::check, Problem.WRONG_KEY_SCHEMA, "it has " + found, expected);
    }

    @Test
    void ttlThatIsOffIsReportedWithTheCommandThatTurnsItOn() {
        create("pk", "S", "sk", "S");

        String command = "aws dynamodb update-time-to-live --table-name " + name;
        assertProblem(table::check, Problem.TTL_OFF, "\"expiresAt\"", command);
    }

    @Test
    void ttlOnAnotherAttributeIsReported() {
        create("pk", "S", "sk", "S");
        client.updateTimeToLive(update -> update.tableName(name)
                        .timeToLiveSpecification(ttl -> ttl.enabled(true).attributeName("ttl")))
                .join();

        assertProblem(table::check, Problem.TTL_OFF, "is on for the attribute \"ttl\", not for \"expiresAt\"");
    }

    @Test
    void createIfMissingRefusesATableOfAnotherKind() {
        create("id", "S", null, null);

        assertProblem(table::createIfMissing, Problem.WRONG_KEY_SCHEMA);
    }

    @Test
    void aMissingPermissionNamesTheAction() {
        onFake(false, (fake, denied) -> {
            fake.fails(400, "AccessDeniedException", "User: someone is not authorized");

            assertProblem(
                    denied::check,
                    Problem.ACCESS_DENIED,
                    "allow the action dynamodb:DescribeTable on the table in IAM");
            assertProblem(
                    denied::create, Problem.ACCESS_DENIED, "allow the action dynamodb:CreateTable on the table in IAM");
            assertProblem(
                    denied::delete, Problem.ACCESS_DENIED, "allow the action dynamodb:DeleteTable on the table in IAM");
            fake.answersFirst(200, "{}");
            assertProblem(denied::create, Problem.ACCESS_DENIED, "allow the action dynamodb:DescribeTable");
        });
    }

    @Test
    void aNewTableGetsItsTtlEvenIfACallFails() {
        onFake(false, (fake, table) -> {
            fake.answersFirst(200, "{}");
            fake.failsFirst(500, "InternalServerError");
            fake.answersFirst(200, ACTIVE);
            fake.failsFirst(500, "InternalServerError");

            table.create();

            assertThat(operations(fake))
                    .isEqualTo("CreateTable, DescribeTable, DescribeTable, UpdateTimeToLive, UpdateTimeToLive");
        });
    }

    @Test
    void aTableThatIsBeingDeletedIsCreatedAgainWhenItIsGone() {
        onFake(false, (fake, table) -> {
            fake.failsFirst(400, "ResourceInUseException");
            fake.answersFirst(200, ACTIVE.replace("ACTIVE", "DELETING"));
            fake.failsFirst(400, "ResourceInUseException");
            fake.failsFirst(400, "ResourceNotFoundException");
            fake.answersFirst(200, "{}");
            fake.answersFirst(200, ACTIVE);

            table.create();

            assertThat(operations(fake))
                    .isEqualTo(
                            "CreateTable, DescribeTable, CreateTable, DescribeTable, CreateTable, DescribeTable, UpdateTimeToLive");
        });
    }

    private static final String ACTIVE = "{\"Table\": {\"TableStatus\": \"ACTIVE\"}}";

    private static String operations(FakeDynamoDb fake) {
        return fake.requests().stream().map(FakeDynamoDb.Request::operation).collect(Collectors.joining(", "));
    }

    @Test
    void missingCredentialsAreReported() {
        try (DynamoDbAsyncClient anonymous = EmbeddedDynamoDb.clientAt(EmbeddedDynamoDb.endpoint())
                .credentialsProvider(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()))
                .build()) {
            assertProblem(
                    table(anonymous)::check, Problem.NO_CREDENTIALS, "no AWS credentials found; set AWS_ACCESS_KEY_ID");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400, ThrottlingException, UNAVAILABLE",
        "400, RequestLimitExceeded, UNAVAILABLE",
        "500, InternalServerError, UNAVAILABLE",
        "503, ServiceUnavailable, UNAVAILABLE",
        "400, ValidationException, OTHER",
        "400, ExpiredTokenException, NO_CREDENTIALS",
        "400, ResourceNotFoundException, MISSING",
    })
    void anOutageIsToldApartFromAWrongTable(int status, String code, Problem expected) {
        onFake(false, (fake, answered) -> {
            fake.fails(status, code, "said so");

            LockTableException problem = assertProblem(answered::check, expected);
            assertThat(problem.isOutage()).isEqualTo(expected == Problem.UNAVAILABLE);
        });
    }

    @Test
    void anEndpointThatCannotBeReachedIsNamed() {
        int port = EmbeddedDynamoDb.freePort();
        try (DynamoDbAsyncClient lost = EmbeddedDynamoDb.clientAt(URI.create("http://localhost:" + port))
                .build()) {
            String endpoint = "http://localhost:" + port;
            LockTableException problem = assertProblem(table(lost)::check, Problem.UNREACHABLE, endpoint);
            assertThat(problem.isOutage()).isTrue();
        }
    }

    @Test
    void anInterruptEndsTheWaitAndIsKept() {
        onFake(false, (fake, waiting) -> {
            fake.fallsSilent();
            Thread.currentThread().interrupt();

            assertThatThrownBy(waiting::check)
                    .isInstanceOf(LockTableException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    private static final String WEST = "{'RegionName': 'eu-west-1', 'ReplicaStatus': 'ACTIVE'}";
    private static final String CENTRAL = "{'RegionName': 'eu-central-1', 'ReplicaStatus': 'ACTIVE'}";

    /** Some that imitate DynamoDB list the table itself among its replicas; DynamoDB itself does not. */
    @ParameterizedTest
    @ValueSource(strings = {CENTRAL, CENTRAL + ", " + WEST})
    void aGlobalTableWithoutStrongConsistencyIsRefusedWithItsRegions(String replicas) {
        for (String consistency : List.of("", ", 'MultiRegionConsistency': 'EVENTUAL'")) {
            LockTableException problem = assertProblem(
                    () -> check(replicas, consistency, true, false),
                    Problem.SEVERAL_REGIONS,
                    "with replicas in eu-central-1 too",
                    "two processes would hold it at once",
                    "singleRegion(true)");
            assertThat(problem.isOutage()).isFalse();
        }
    }

    @Test
    void aTablePassesWithOneRegionInUseOrOneReplicaOrStrongConsistency() {
        check("", "", true, false);
        check(WEST, "", true, false);
        check(CENTRAL, "", true, true);
        check(CENTRAL + ", " + WEST, ", 'MultiRegionConsistency': 'STRONG'", false, false);
        check(
                CENTRAL,
                ", 'MultiRegionConsistency': 'STRONG', 'GlobalTableWitnesses': [{'RegionName': 'eu-west-2'}]",
                false,
                false);
    }

    @Test
    void oneRegionDoesNotExcuseATableWithoutTtl() {
        assertProblem(() -> check(CENTRAL, "", false, true), Problem.TTL_OFF);
    }

    /** Of a table of eu-west-1, on a DynamoDB that gives the answers to both questions at once. */
    private void check(String replicas, String more, boolean ttl, boolean singleRegion) {
        onFake(singleRegion, (fake, answered) -> {
            fake.answers(200, """
                {'Table': {'TableStatus': 'ACTIVE', 'TableArn': 'arn:aws:dynamodb:eu-west-1:123456789012:table/locks',
                  'KeySchema': [{'AttributeName': 'pk', 'KeyType': 'HASH'}, {'AttributeName': 'sk', 'KeyType': 'RANGE'}],
                  'AttributeDefinitions': [{'AttributeName': 'pk', 'AttributeType': 'S'}, {'AttributeName': 'sk', 'AttributeType': 'S'}],
                  'GlobalTableVersion': '2019.11.21', 'Replicas': [%s] %s},
                 'TimeToLiveDescription': {'TimeToLiveStatus': '%s', 'AttributeName': 'expiresAt'}}
                """.formatted(replicas, more, ttl ? "ENABLED" : "DISABLED")
                    .replace('\'', '"'));
            answered.check();
        });
    }

    /** A table on a DynamoDB that answers as a test says. */
    private void onFake(boolean singleRegion, BiConsumer<FakeDynamoDb, LockTable> scene) {
        try (FakeDynamoDb fake = new FakeDynamoDb();
                DynamoDbAsyncClient client = EmbeddedDynamoDb.clientAt(fake.endpoint())
                        .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry()))
                        .build()) {
            scene.accept(fake, table(client, singleRegion));
        }
    }

    private LockTable table(DynamoDbAsyncClient on) {
        return table(on, false);
    }

    private LockTable table(DynamoDbAsyncClient on, boolean singleRegion) {
        return new DynamoLockTable(
                on,
                new DynamoTableSettings(
                        name,
                        "",
                        "pk",
                        "sk",
                        "expiresAt",
                        "data",
                        "dynamolock:format",
                        Duration.ofDays(7),
                        Duration.ofSeconds(20)),
                singleRegion,
                46);
    }

    private void create(String partitionKey, String partitionType, String sortKey, String sortType) {
        List<AttributeDefinition> keys = new ArrayList<>();
        keys.add(ItemTables.key(partitionKey, ScalarAttributeType.fromValue(partitionType)));
        if (sortKey != null) {
            keys.add(ItemTables.key(sortKey, ScalarAttributeType.fromValue(sortType)));
        }
        client.createTable(ItemTables.byKeys(name, keys.toArray(AttributeDefinition[]::new)))
                .join();
    }

    private static LockTableException assertProblem(ThrowingCallable call, Problem problem, String... inMessage) {
        LockTableException thrown = thrown(LockTableException.class, call, inMessage);
        assertThat(thrown.problem()).isEqualTo(problem);
        return thrown;
    }
}
