package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import io.dynamolock.internal.store.testing.FakeDynamoDb;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.metrics.MetricCollection;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** What of the table stops the start, and what does not. */
@ExtendWith(OutputCaptureExtension.class)
class TableAtStartTest {

    private static final Set<Problem> OUTAGES = EnumSet.of(Problem.UNREACHABLE, Problem.UNAVAILABLE);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.aws.endpoint=http://localhost:1");

    private ApplicationContextRunner with(LockTable table, String... properties) {
        return runner.withBean("mine", LockTable.class, () -> table).withPropertyValues(properties);
    }

    private static void starts(ApplicationContextRunner application) {
        application.run(context -> assertThat(context).hasNotFailed());
    }

    private static void stops(ApplicationContextRunner application, Problem problem) {
        application.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOfSatisfying(
                        LockTableException.class,
                        failure -> assertThat(failure.problem()).isEqualTo(problem)));
    }

    @ParameterizedTest
    @EnumSource(Problem.class)
    void whatIsWrongStopsTheStartAndAnOutageDoesNot(Problem problem, CapturedOutput output) {
        ApplicationContextRunner application = with(new TestTable(problem, null));
        if (OUTAGES.contains(problem)) {
            starts(application);
            assertThat(output)
                    .contains(" WARN ")
                    .contains(
                            "cannot use the DynamoDB table 'locks'. It is " + problem
                                    + ". The application starts all the same, "
                                    + "because an outage of DynamoDB does not stop it, and tries its locks when it needs them.");
        } else {
            stops(application, problem);
        }
    }

    @Test
    void aStartThatTheTableStopsLeavesNoThread() {
        Set<Thread> before = timers();
        stops(with(new TestTable(Problem.MISSING, null)), Problem.MISSING);
        Awaitility.await().until(() -> before.containsAll(timers()));
    }

    private static Set<Thread> timers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("dynamolock-timer"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource(Problem.class)
    void aWrongTableIsOnlyLoggedIfThePropertySaysWarn(Problem problem, CapturedOutput output) {
        starts(with(new TestTable(problem, null), "dynamolock.table.check=warn"));
        assertThat(output).contains(" WARN ").contains("It is " + problem + ".").contains("starts all the same");
    }

    @Test
    void nothingIsLoggedAboutACorrectTable(CapturedOutput output) {
        TestTable table = new TestTable(null, null);
        starts(with(table));
        assertThat(table.calls).containsExactly("check");
        assertThat(output).doesNotContain(" WARN ");
    }

    @Test
    void theTableIsNotCheckedIfThePropertySaysNever() {
        TestTable table = new TestTable(Problem.MISSING, null);
        starts(with(table, "dynamolock.table.check=never"));
        assertThat(table.calls).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "fail, MISSING, createIfMissing",
        "fail, TTL_OFF, createIfMissing",
        "fail, ACCESS_DENIED, createIfMissing",
        "warn, MISSING, createIfMissing",
        "never, MISSING, create",
        "never, ACCESS_DENIED, create",
    })
    void aTableThatMayBeMissingIsCreatedIfToldSo(String check, Problem found, String call) {
        TestTable table = new TestTable(found, null);
        starts(with(table, "dynamolock.table.create=if-missing", "dynamolock.table.check=" + check));
        assertThat(table.calls).containsExactly("check", call);
    }

    @Test
    void aTableThatIsThereIsNotCreated() {
        TestTable table = new TestTable(null, null);
        starts(with(table, "dynamolock.table.create=if-missing"));
        assertThat(table.calls).containsExactly("check");
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "UNAVAILABLE"})
    void anOutageIsNoTimeToCreateATable(Problem outage, CapturedOutput output) {
        TestTable table = new TestTable(outage, null);
        starts(with(table, "dynamolock.table.create=if-missing"));
        assertThat(table.calls).containsExactly("check");
        assertThat(output).contains("because an outage of DynamoDB does not stop it");
    }

    @Test
    void anOutageWhileTheTableIsCreatedDoesNotStopTheStart() {
        starts(with(new TestTable(Problem.MISSING, Problem.UNAVAILABLE), "dynamolock.table.create=if-missing"));
    }

    @Test
    void aRefusedCreationStopsTheStartUnlessToldNever(CapturedOutput output) {
        TestTable refused = new TestTable(Problem.MISSING, Problem.ACCESS_DENIED);
        stops(with(refused, "dynamolock.table.create=if-missing"), Problem.ACCESS_DENIED);
        starts(with(refused, "dynamolock.table.create=if-missing", "dynamolock.table.check=never"));
        assertThat(output).contains("because dynamolock.table.check is never").contains("dynamodb:CreateTable");
    }

    @ParameterizedTest
    @CsvSource({
        "503, ServiceUnavailable, DynamoDB had an error of its own",
        "500, InternalServerError, DynamoDB had an error of its own",
        "400, ThrottlingException, was throttled",
    })
    void whatDynamoDbAnswersInAnOutageDoesNotStopTheStart(int status, String code, String said, CapturedOutput output) {
        try (FakeDynamoDb fake = new FakeDynamoDb()) {
            fake.fails(status, code, "for a while");
            starts(runner.withPropertyValues("dynamolock.aws.endpoint=" + fake.endpoint()));
            assertThat(output)
                    .contains("because an outage of DynamoDB does not stop it")
                    .contains(said);
        }
    }

    @Test
    void aTableInSeveralRegionsStopsTheStartUnlessAllUseOne(CapturedOutput output) {
        try (FakeDynamoDb fake = new FakeDynamoDb()) {
            fake.answers(200, """
                    {"Table": {"TableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/dynamolock",
                      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}],
                      "GlobalTableVersion": "2019.11.21", "Replicas": [{"RegionName": "us-east-1"}]},
                     "TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "expiresAt"}}
                    """);
            ApplicationContextRunner application =
                    runner.withPropertyValues("dynamolock.aws.endpoint=" + fake.endpoint());
            starts(application.withPropertyValues("dynamolock.table.single-region=true"));
            assertThat(output).doesNotContain(" WARN ");
            starts(application.withPropertyValues("dynamolock.table.check=warn"));
            assertThat(output).contains(" WARN ").contains("dynamolock.table.single-region=true");
            stops(application, Problem.SEVERAL_REGIONS);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, false", "45, false", "46, true"})
    void aSharedClientWithTooFewConnectionsIsWarnedOf(int connections, boolean isEnough, CapturedOutput output) {
        AtomicInteger heard = new AtomicInteger();
        try (FakeDynamoDb fake = new FakeDynamoDb();
                DynamoDbClient client = DynamoDbClient.builder()
                        .region(Region.EU_WEST_1)
                        .endpointOverride(fake.endpoint())
                        .credentialsProvider(
                                StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                        .httpClientBuilder(Apache5HttpClient.builder().maxConnections(connections))
                        .overrideConfiguration(override -> override.addMetricPublisher(new MetricPublisher() {
                            @Override
                            public void publish(MetricCollection metrics) {
                                heard.incrementAndGet();
                            }

                            @Override
                            public void close() {}
                        }))
                        .build()) {
            fake.answers(200, """
                    {"Table": {"TableArn": "arn:aws:dynamodb:eu-west-1:123456789012:table/dynamolock",
                      "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
                      "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "sk", "AttributeType": "S"}]},
                     "TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "expiresAt"}}
                    """);
            starts(new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
                    .withBean(DynamoDbClient.class, () -> client));

            if (isEnough) {
                assertThat(output).doesNotContain(" WARN ");
            } else {
                assertThat(output)
                        .containsOnlyOnce("at most " + connections + " connections, but the locks may need 46 at once");
            }
            assertThat(heard)
                    .as("the client's own publishers hear of both calls")
                    .hasValue(2);
        }
    }

    @Test
    void aDynamoDbThatFallsSilentDoesNotStopTheStart(CapturedOutput output) {
        try (FakeDynamoDb fake = new FakeDynamoDb()) {
            fake.fallsSilent();
            starts(runner.withPropertyValues("dynamolock.aws.endpoint=" + fake.endpoint()));
            assertThat(output).contains("because an outage of DynamoDB does not stop it");
        }
    }

    /** Each of its calls may take long, and none of them alone too long. */
    @Test
    void aCheckThatTakesTooLongInAllDoesNotHoldUpTheStart(CapturedOutput output) {
        CountDownLatch over = new CountDownLatch(1);
        LockTable slow = new TestTable(null, null) {
            @Override
            public void check() {
                try {
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        FakeLockRegistry locks = new FakeLockRegistry();
        locks.table = Optional.of(slow);
        StaticListableBeanFactory beans = new StaticListableBeanFactory(
                Map.of("properties", new Binder().bindOrCreate("", DynamoLockProperties.class)));
        LockTableCheck check = new LockTableCheck(
                beans.getBeanProvider(LockTable.class),
                beans.getBeanProvider(DynamoLockProperties.class),
                new MockEnvironment(),
                Duration.ofMillis(50));

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> check.postProcessAfterInitialization(locks, "mine"));

        assertThat(output).contains("'locks'").contains("an outage of DynamoDB does not stop it");
        over.countDown();
    }

    @Test
    void aPortAtWhichNothingListensIsNamedInTheWarning(CapturedOutput output) throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        starts(runner.withPropertyValues("dynamolock.aws.endpoint=http://localhost:" + port));
        assertThat(output)
                .contains("at http://localhost:" + port + ": nothing accepts connections at the endpoint")
                .contains("Check dynamolock.aws.region, dynamolock.aws.endpoint and the network.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ExpiredTokenException", "UnrecognizedClientException", "InvalidSignatureException"})
    void wrongOrExpiredCredentialsStopTheStartUnlessToldToWarn(String code, CapturedOutput output) {
        try (FakeDynamoDb fake = new FakeDynamoDb()) {
            fake.fails(400, code, "no");
            ApplicationContextRunner application =
                    runner.withPropertyValues("dynamolock.aws.endpoint=" + fake.endpoint());
            application.run(context ->
                    assertThat(problems(context.getStartupFailure())).containsExactly(Problem.NO_CREDENTIALS));
            starts(application.withPropertyValues("dynamolock.table.check=warn"));
            assertThat(output).contains("the AWS credentials are wrong or have expired");
        }
    }

    private static List<Problem> problems(@Nullable Throwable failure) {
        List<Problem> problems = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LockTableException table) {
                problems.add(table.problem());
            }
        }
        return problems;
    }
}
