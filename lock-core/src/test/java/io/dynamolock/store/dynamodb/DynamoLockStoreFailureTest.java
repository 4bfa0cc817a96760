package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.StoreFailure.Kind;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import io.dynamolock.store.testing.FakeDynamoDb;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;

/** What the store says when DynamoDB, or the way to it, is broken: with a real client each time. */
@Timeout(60)
class DynamoLockStoreFailureTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final LockKey KEY = new LockKey("the secret key", "default");
    private static final Claimant CLAIMANT =
            new Claimant(new SessionId(UUID.randomUUID()), new BlockId(UUID.randomUUID()), "owner");
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Shared, because an HTTP client takes two seconds to close. */
    private static final SdkAsyncHttpClient HTTP = NettyNioAsyncHttpClient.create();

    private final FakeDynamoDb fake = new FakeDynamoDb();

    @AfterEach
    void stop() {
        fake.close();
    }

    @AfterAll
    static void closeHttpClient() {
        HTTP.close();
    }

    // What DynamoDB answers

    @ParameterizedTest
    @CsvSource({
        "400, ProvisionedThroughputExceededException, THROTTLED",
        "400, RequestLimitExceeded, THROTTLED",
        "400, ThrottlingException, THROTTLED",
        "400, TransactionConflictException, THROTTLED",
        "400, ReplicatedWriteConflictException, THROTTLED",
        "500, InternalServerError, UNAVAILABLE",
        "503, ServiceUnavailable, UNAVAILABLE",
        "400, ResourceNotFoundException, REFUSED",
        "400, AccessDeniedException, REFUSED",
        "400, UnrecognizedClientException, REFUSED",
        "400, ExpiredTokenException, REFUSED",
        "400, InvalidSignatureException, REFUSED",
        "400, MissingAuthenticationTokenException, REFUSED",
        "400, ValidationException, REFUSED",
        "400, ItemCollectionSizeLimitExceededException, REFUSED",
    })
    void eachErrorOfDynamoDbIsOfItsKindAndNeverNamesTheLock(int status, String code, Kind kind) {
        fake.fails(status, code, "as the service says");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(failure)
                    .hasMessageContaining("UpdateItem")
                    .hasMessageContaining("\"locks\"")
                    .hasMessageContaining(fake.endpoint().toString())
                    .hasMessageNotContaining(KEY.key());
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aMissingPermissionIsNamed(String action, Function<LockStore, CompletionStage<?>> call) {
        fake.fails(400, "AccessDeniedException", "User: someone is not authorized");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            assertThat(failure(call.apply(store(client, LONG))))
                    .hasMessageContaining("is not allowed; allow the action " + action + " on the table in IAM")
                    .hasMessageNotContaining(KEY.key());
            assertThat("dynamodb:" + fake.requests().get(0).operation()).isEqualTo(action);
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void everyCallIsSentOnceHoweverTheClientRetries(String action, Function<LockStore, CompletionStage<?>> call) {
        fake.fails(500, "InternalServerError", "try again");
        for (ClientOverrideConfiguration retries : retryingConfigurations()) {
            int before = fake.requests().size();
            try (DynamoDbAsyncClient client =
                    builder(fake.endpoint()).overrideConfiguration(retries).build()) {
                assertThat(failure(call.apply(store(client, LONG))).kind()).isEqualTo(Kind.UNAVAILABLE);
            }
            assertThat(fake.requests()).hasSize(before + 1);
        }
    }

    @Test
    void theOtherSettingsOfTheClientStay() {
        fake.fails(500, "InternalServerError", "try again");
        AtomicInteger intercepted = new AtomicInteger();
        ClientOverrideConfiguration settings = ClientOverrideConfiguration.builder()
                .addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                        assertThat(context.httpRequest().firstMatchingHeader("Team"))
                                .hasValue("orders");
                        intercepted.incrementAndGet();
                    }
                })
                .putHeader("Team", "orders")
                .build();
        try (DynamoDbAsyncClient client =
                builder(fake.endpoint()).overrideConfiguration(settings).build()) {
            failure(tryAcquire(client, LONG));
        }
        assertThat(intercepted).hasValue(1);
    }

    @SuppressWarnings("deprecation")
    private static List<ClientOverrideConfiguration> retryingConfigurations() {
        return List.of(
                ClientOverrideConfiguration.builder().build(),
                ClientOverrideConfiguration.builder()
                        .retryStrategy(RetryMode.ADAPTIVE_V2)
                        .build(),
                ClientOverrideConfiguration.builder()
                        .retryPolicy(RetryPolicy.builder().numRetries(5).build())
                        .build());
    }

    @Test
    void anotherUserOfTheClientStillGetsItsRetries() {
        fake.fails(500, "InternalServerError", "try again");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            failure(tryAcquire(client, LONG));
            int before = fake.requests().size();

            assertThat(client.listTables()).failsWithin(LONG);

            assertThat(fake.requests()).hasSizeGreaterThan(before + 1);
        }
    }

    @Test
    void aConditionThatDoesNotHoldIsNoFailure() {
        fake.answers(400, """
                {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}""");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            LockStore store = store(client, LONG);

            assertThat(store.deleteRow(KEY, 1, CLAIMANT.block()).toCompletableFuture())
                    .succeedsWithin(LONG);
            assertThat(tryAcquire(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
        }
    }

    @Test
    void anItemThatIsNotTheLocksIsSaidToBeWrong() {
        fake.answers(200, "{\"Attributes\":{\"tail\":{\"S\":\"text\"}}}");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        }
    }

    @Test
    void aWrongClockIsWorthRepeatingBecauseTheClientCorrectsItself() {
        fake.clockIsAhead(Duration.ofHours(2));
        fake.answers(200, "{}");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
            assertThat(failure).hasMessageContaining("this machine's clock is wrong");
            assertThat(tryAcquire(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
        }
    }

    @Test
    void theServicesClockIsKnownOnceASessionIsCreated() {
        fake.clockIsAhead(Duration.ofMinutes(4));
        fake.answers(200, "{}");
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            LockStore store = store(client, LONG);
            assertThat(store.lastAnsweredAt()).isEmpty();

            assertThat(store.createSession(CLAIMANT.session(), LONG, "owner", NOW)
                            .toCompletableFuture())
                    .succeedsWithin(LONG);

            assertThat(store.lastAnsweredAt().orElseThrow())
                    .isBetween(
                            Instant.now().plus(Duration.ofMinutes(3)),
                            Instant.now().plus(Duration.ofMinutes(4)));
        }
    }

    @Test
    void aMissingTableIsNamedWithWhatToDo() {
        StoreFailure failure = failure(new DynamoLockStore(
                        EmbeddedDynamoDb.client(),
                        new DynamoTableSettings("no-such-table", "", "pk", "sk", "expiresAt", LONG, LONG))
                .tryAcquire(KEY, CLAIMANT, 1, NOW));

        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure)
                .hasMessageContaining("\"no-such-table\"")
                .hasMessageContaining("there is no such table; create it, or correct its name");
    }

    // The way to DynamoDB

    @Test
    void aClosedPortIsUnreachable() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (DynamoDbAsyncClient client = client(URI.create("http://localhost:" + port))) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure)
                    .hasMessageContaining("nothing accepts connections at the endpoint")
                    .hasMessageContaining("http://localhost:" + port);
        }
    }

    @Test
    void anUnknownHostIsUnreachable() {
        try (DynamoDbAsyncClient client = client(URI.create("http://no-such-host.invalid:8000"))) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("host name is unknown").hasMessageContaining("no-such-host");
        }
    }

    @Test
    void aConnectionThatBreaksIsUnavailable() {
        fake.hangsUp();
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("no connection, or a broken one");
        }
        assertThat(fake.requests()).hasSize(1);
    }

    @Test
    void aCallWithoutAnAnswerEndsAtTheCallTimeout() {
        try (DynamoDbAsyncClient client = client(fake.endpoint())) {
            // The first call of a client can take longer than the short timeout.
            assertThat(tryAcquire(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
            fake.fallsSilent();

            StoreFailure failure = failure(tryAcquire(client, SHORT));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.mayHaveTakenEffect()).isTrue();
            assertThat(failure).hasMessageContaining("no answer in time");
        }
        assertThat(fake.requests()).hasSize(2);
    }

    @Test
    void aPoolWithoutAFreeConnectionIsUnavailable() {
        fake.fallsSilent();
        try (DynamoDbAsyncClient client = EmbeddedDynamoDb.clientAt(fake.endpoint())
                .httpClientBuilder(
                        NettyNioAsyncHttpClient.builder().maxConcurrency(1).connectionAcquisitionTimeout(SHORT))
                .build()) {
            LockStore store = store(client, LONG);
            store.tryAcquire(KEY, CLAIMANT, 1, NOW);
            Awaitility.await().until(() -> fake.requests().size() == 1);

            StoreFailure failure = failure(store.tryAcquire(KEY, CLAIMANT, 1, NOW));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        }
    }

    @Test
    void aClosedClientRefuses() {
        DynamoDbAsyncClient client = EmbeddedDynamoDb.clientAt(fake.endpoint()).build();
        client.close();

        StoreFailure failure = failure(tryAcquire(client, LONG));

        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure).hasMessageContaining("closed");
    }

    // Credentials

    @Test
    void missingCredentialsAreRefused() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        try (DynamoDbAsyncClient client =
                builder(fake.endpoint()).credentialsProvider(none).build()) {
            StoreFailure failure = failure(tryAcquire(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(failure).hasMessageContaining("no AWS credentials found; set AWS_ACCESS_KEY_ID");
        }
        assertThat(fake.requests()).isEmpty();
    }

    @Test
    void credentialsThatTakeLongBlockNobodyAndTheCallEndsInTime() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        AwsCredentialsProvider slow = () -> {
            asked.countDown();
            waitFor(found);
            return AwsBasicCredentials.create("test", "test");
        };
        fake.fails(400, "ThrottlingException", "slow down");
        try (DynamoDbAsyncClient client =
                builder(fake.endpoint()).credentialsProvider(slow).build()) {
            LockStore store = store(client, SHORT);

            List<CompletionStage<?>> calls = new ArrayList<>();
            for (int i = 0; i < 2 * DynamoCalls.MAX_THREADS; i++) {
                calls.add(store.tryAcquire(KEY, CLAIMANT, 1, NOW));
            }

            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            for (CompletionStage<?> call : calls) {
                assertThat(failure(call).kind()).isEqualTo(Kind.UNAVAILABLE);
            }
            found.countDown();
            Awaitility.await()
                    .until(() -> failure(store(client, LONG).look(KEY, 1)).kind() == Kind.THROTTLED);
            assertThat(fake.requests().stream()
                            .filter(request -> request.operation().equals("UpdateItem")))
                    .as("a call that had timed out before its turn must not be sent any more")
                    .hasSizeLessThanOrEqualTo(DynamoCalls.MAX_THREADS);
        }
    }

    @Test
    void credentialsThatTakeLongOnceHoldUpNoOtherCall() throws Exception {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        CountDownLatch found = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        AwsCredentialsProvider slowOnce = () -> {
            if (asked.getAndIncrement() == 0) {
                waitFor(found);
            }
            return AwsBasicCredentials.create("test", "test");
        };
        fake.fails(400, "ThrottlingException", "slow down");
        try (DynamoDbAsyncClient client =
                builder(fake.endpoint()).credentialsProvider(slowOnce).build()) {
            LockStore store = store(client, LONG);
            CompletionStage<?> first = store.tryAcquire(KEY, CLAIMANT, 1, NOW);
            Awaitility.await().until(() -> asked.get() == 1);

            assertThat(failure(store.look(KEY, 1)).kind()).isEqualTo(Kind.THROTTLED);

            found.countDown();
            assertThat(failure(first).kind()).isEqualTo(Kind.THROTTLED);
        }
    }

    static Stream<Arguments> calls() {
        WaiterRow row = new WaiterRow(1, 1, CLAIMANT, NOW);
        return Stream.of(
                call("UpdateItem", store -> store.tryAcquire(KEY, CLAIMANT, 1, NOW)),
                call("UpdateItem", store -> store.takeNumbers(KEY, 1, NOW)),
                call("PutItem", store -> store.enter(KEY, row)),
                call("Query", store -> store.look(KEY, 1)),
                call("UpdateItem", store -> store.claim(KEY, CLAIMANT, 1, null, NOW)),
                call("UpdateItem", store -> store.handOver(KEY, CLAIMANT.block(), CLAIMANT, 1, NOW)),
                call("UpdateItem", store -> store.extend(KEY, CLAIMANT.block(), 1, NOW)),
                call("UpdateItem", store -> store.rename(KEY, CLAIMANT.block(), CLAIMANT, NOW)),
                call("UpdateItem", store -> store.release(KEY, CLAIMANT.block(), NOW)),
                call("DeleteItem", store -> store.deleteRow(KEY, 1, CLAIMANT.block())),
                call("PutItem", store -> store.createSession(CLAIMANT.session(), LONG, "owner", NOW)),
                call("UpdateItem", store -> store.beat(CLAIMANT.session(), 1, Set.of(), NOW)),
                call("GetItem", store -> store.readSession(CLAIMANT.session())),
                call("DeleteItem", store -> store.bury(CLAIMANT.session(), 1)),
                call("DeleteItem", store -> store.endSession(CLAIMANT.session())),
                call("UpdateItem", store -> store.dispute(CLAIMANT.session(), new Dispute(KEY, CLAIMANT.block()))));
    }

    private static Arguments call(String operation, Function<LockStore, CompletionStage<?>> call) {
        return Arguments.of("dynamodb:" + operation, call);
    }

    private static DynamoDbAsyncClientBuilder builder(URI endpoint) {
        return EmbeddedDynamoDb.clientAt(endpoint).httpClient(HTTP);
    }

    private static DynamoDbAsyncClient client(URI endpoint) {
        return builder(endpoint).build();
    }

    private static LockStore store(DynamoDbAsyncClient client, Duration callTimeout) {
        return new DynamoLockStore(
                client, new DynamoTableSettings("locks", "", "pk", "sk", "expiresAt", Duration.ofDays(7), callTimeout));
    }

    private static CompletionStage<?> tryAcquire(DynamoDbAsyncClient client, Duration callTimeout) {
        return store(client, callTimeout).tryAcquire(KEY, CLAIMANT, 1, NOW);
    }

    /** The failure as the stage has it, not wrapped in anything. */
    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static StoreFailure failure(CompletionStage<?> stage) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        stage.whenComplete((result, thrown) -> failure.complete(thrown));
        try {
            Throwable thrown = failure.get(40, TimeUnit.SECONDS);
            assertThat(thrown).isInstanceOf(StoreFailure.class);
            return (StoreFailure) thrown;
        } catch (InterruptedException | ExecutionException | TimeoutException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
