package io.dynamolock.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Kind;
import io.dynamolock.internal.store.StoreFailure.Throttling;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import io.dynamolock.store.testing.FakeDynamoDb;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.retry.RetryPolicy;

/**
 * What the store says when DynamoDB, or the way to it, is broken: with a real client each time.
 *
 * @param <C> the kind of client
 */
@Timeout(60)
// One after the other: what a client learns about a wrong clock, every other client of this JVM starts with.
@Execution(ExecutionMode.SAME_THREAD)
abstract class DynamoFailureContract<C extends SdkClient> {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final LockKey KEY = new LockKey("the secret key", "default");
    private static final SessionId SESSION = SessionId.of(1);
    private static final Entry ENTRY = new Entry(new BlockId(SESSION, 1), 1);
    private static final Step ASK = new Step.Ask(ENTRY, 1, 200);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);

    final FakeDynamoDb fake = new FakeDynamoDb();

    @AfterEach
    void stop() {
        fake.close();
    }

    /** A builder of a client that shares its connections with the other tests. */
    abstract AwsClientBuilder<?, C> builder(URI endpoint);

    /** A builder of a client that has but one connection and waits for it at most so long. */
    abstract AwsClientBuilder<?, C> builderWithOneConnection(URI endpoint, Duration patience);

    /** A builder of a client whose connections end with it. */
    abstract AwsClientBuilder<?, C> builderWithOwnConnections(URI endpoint);

    /** With threads for {@link DynamoLockStore#SENDERS} calls. */
    abstract LockStore store(C client, DynamoTableSettings settings);

    /** A call of another user of the client. */
    abstract CompletionStage<?> listTables(C client);

    // What DynamoDB answers

    @ParameterizedTest
    @CsvSource({
        "400, ProvisionedThroughputExceededException, THROTTLED",
        "400, RequestLimitExceeded, THROTTLED",
        "400, ThrottlingException, THROTTLED",
        "400, TransactionConflictException, CONFLICTED",
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
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(kind);
            assertThat(failure)
                    .hasMessageContaining("UpdateItem")
                    .hasMessageContaining("\"locks\"")
                    .hasMessageContaining(fake.endpoint().toString())
                    .hasMessageNotContaining(KEY.key());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ProvisionedThroughputExceededException, TableWriteKeyRangeThroughputExceeded, KEY_RANGE, a partition takes about 1",
        "ThrottlingException, TableWriteKeyRangeThroughputExceeded, KEY_RANGE, no setting of the table helps",
        "ThrottlingException, TableReadProvisionedThroughputExceeded, TABLE_CAPACITY, provisioned capacity is used up",
        "ThrottlingException, TableWriteMaxOnDemandThroughputExceeded, TABLE_MAXIMUM, raise or remove it",
        "ThrottlingException, IndexWriteKeyRangeThroughputExceeded, INDEX, the locks need none",
        "RequestLimitExceeded, TableWriteAccountLimitExceeded, ACCOUNT, Service Quotas",
        "ThrottlingException, SomethingNew, UNKNOWN, use on-demand billing",
    })
    void aThrottledCallTellsTheReasonOfDynamoDbWhatToDoAndWhichLock(
            String code, String reason, Throttling meaning, String advice) {
        fake.throttles(code, reason);
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
            assertThat(failure.throttling()).contains(meaning);
            assertThat(failure.key()).contains(KEY);
            assertThat(failure)
                    .hasMessageContaining("was throttled")
                    .hasMessageContaining(reason)
                    .hasMessageContaining(advice)
                    .hasMessageNotContaining(KEY.key());

            StoreFailure ofSession = failure(store(client, LONG).sessions(Set.of(SESSION)));
            assertThat(ofSession.throttling()).contains(meaning);
            assertThat(ofSession.key()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "ProvisionedThroughputExceededException, UNKNOWN",
                "ThrottlingException, UNKNOWN",
                "RequestLimitExceeded, ACCOUNT",
                "ReplicatedWriteConflictException, none",
                "TransactionInProgressException, none",
                "TransactionConflictException, none",
                "ValidationException, none",
            })
    void whereDynamoDbGivesNoReasonTheCodeTellsWhetherItIsThrottling(String code, @Nullable Throttling meaning) {
        fake.fails(400, code, "as the service says");
        try (C client = client(fake.endpoint())) {
            assertThat(failure(ask(client, LONG)).throttling()).isEqualTo(Optional.ofNullable(meaning));
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aMissingPermissionIsNamed(String action, Function<LockStore, CompletionStage<?>> call) {
        fake.fails(400, "AccessDeniedException", "User: someone is not authorized");
        try (C client = client(fake.endpoint())) {
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
            try (C client =
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
        try (C client = builder(fake.endpoint()).overrideConfiguration(settings).build()) {
            failure(ask(client, LONG));
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
        try (C client = client(fake.endpoint())) {
            failure(ask(client, LONG));
            int before = fake.requests().size();

            assertThat(listTables(client).toCompletableFuture()).failsWithin(LONG);

            assertThat(fake.requests()).hasSizeGreaterThan(before + 1);
        }
    }

    @Test
    void aConditionThatDoesNotHoldIsNoFailure() {
        fake.answers(400, """
                {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}""");
        try (C client = client(fake.endpoint())) {
            LockStore store = store(client, LONG);

            assertThat(store.take(KEY, ASK, NOW).toCompletableFuture())
                    .succeedsWithin(LONG)
                    .isEqualTo(new Answer.Refused<>(LockItem.ABSENT));
            assertThat(store.take(SESSION, new SessionStep.Bury(1), NOW).toCompletableFuture())
                    .succeedsWithin(LONG)
                    .isEqualTo(new Answer.Refused<>(Optional.empty()));
        }
    }

    @Test
    void anItemThatIsNotTheLocksIsSaidToBeWrong() {
        fake.answers(200, "{\"Attributes\":{\"tail\":{\"S\":\"text\"}}}");
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNREADABLE);
        }
    }

    @Test
    void aWrongClockIsWorthRepeatingBecauseTheClientCorrectsItself() {
        fake.clockIsAhead(Duration.ofHours(2));
        fake.answers(200, "{}");
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
            assertThat(failure.throttling()).isEmpty();
            assertThat(failure).hasMessageContaining("this machine's clock is wrong");
            assertThat(ask(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
        }
    }

    @Test
    void theServicesClockIsKnownOnceASessionHasBegun() {
        fake.clockIsAhead(Duration.ofMinutes(4));
        fake.answers(200, "{}");
        try (C client = client(fake.endpoint())) {
            LockStore store = store(client, LONG);
            assertThat(store.lastAnsweredAt()).isEmpty();

            assertThat(store.take(SESSION, new SessionStep.Beat(1, Set.of(), NOW), NOW)
                            .toCompletableFuture())
                    .succeedsWithin(LONG);
            assertThat(store.lastAnsweredAt()).isEmpty();
            assertThat(store.take(SESSION, new SessionStep.Begin(LONG, "owner", NOW), NOW)
                            .toCompletableFuture())
                    .succeedsWithin(LONG);

            assertThat(store.lastAnsweredAt().orElseThrow())
                    .isBetween(
                            Instant.now().plus(Duration.ofMinutes(3)),
                            Instant.now().plus(Duration.ofMinutes(4)));
        }
    }

    @Test
    void theServicesClockIsKnownOnceAConsistentLookIsAnswered() {
        fake.answers(200, "{}");
        try (C client = client(fake.endpoint())) {
            LockStore store = store(client, LONG);
            assertThat(store.look(KEY, false).toCompletableFuture()).succeedsWithin(LONG);
            assertThat(store.lastAnsweredAt()).isEmpty();
            assertThat(store.look(KEY, true).toCompletableFuture()).succeedsWithin(LONG);
            assertThat(store.lastAnsweredAt()).isPresent();

            fake.clockIsAhead(Duration.ofMinutes(4));
            assertThat(store.look(KEY, true).toCompletableFuture()).succeedsWithin(LONG);

            assertThat(store.lastAnsweredAt().orElseThrow())
                    .isAfter(Instant.now().plus(Duration.ofMinutes(3)));
        }
    }

    @Test
    void aMissingTableIsNamedWithWhatToDo() {
        try (C client = builder(EmbeddedDynamoDb.endpoint()).build()) {
            StoreFailure failure = failure(
                    store(client, new DynamoTableSettings("no-such-table", "", "pk", "sk", "expiresAt", LONG, LONG))
                            .take(KEY, ASK, NOW));

            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(failure)
                    .hasMessageContaining("\"no-such-table\"")
                    .hasMessageContaining("there is no such table; create it, or correct its name");
        }
    }

    @Test
    void sessionsThatWereNotReadDoNotLookLikeSessionsThatAreGone() {
        fake.answers(200, """
                {"Responses":{"locks":[]},"UnprocessedKeys":{"locks":{"Keys":[
                {"pk":{"S":"session#0000000002"},"sk":{"S":"session"}}]}}}""");
        try (C client = client(fake.endpoint())) {
            assertThat(store(client, LONG)
                            .sessions(Set.of(SESSION, SessionId.of(2)))
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(Map.of(SESSION, Optional.empty()));
        }
    }

    @Test
    void sessionsOfWhichNoneWasReadWereThrottled() {
        fake.answers(200, """
                {"Responses":{"locks":[]},"UnprocessedKeys":{"locks":{"Keys":[
                {"pk":{"S":"session#0000000001"},"sk":{"S":"session"}},
                {"pk":{"S":"session#0000000002"},"sk":{"S":"session"}}]}}}""");
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(store(client, LONG).sessions(Set.of(SESSION, SessionId.of(2))));

            assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
            assertThat(failure.throttling()).contains(Throttling.UNKNOWN);
            assertThat(failure)
                    .hasMessageContaining("BatchGetItem")
                    .hasMessageContaining("\"locks\"")
                    .hasMessageContaining("some of the items were not read");
        }
        assertThat(fake.requests()).hasSize(1);
    }

    @Test
    void aDisputeAboutAnothersBlockIsRefused() {
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(store(client, LONG)
                    .take(SessionId.of(2), new SessionStep.Raise(new Dispute(KEY, ENTRY.block())), NOW));

            assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
            assertThat(failure).hasMessageContaining("is not of the session").hasMessageNotContaining(KEY.key());
        }
        assertThat(fake.requests()).isEmpty();
    }

    // The way to DynamoDB

    @Test
    void aClosedPortIsUnreachable() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        try (C client = client(URI.create("http://localhost:" + port))) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure)
                    .hasMessageContaining("nothing accepts connections at the endpoint")
                    .hasMessageContaining("http://localhost:" + port);
        }
    }

    @Test
    void anUnknownHostIsUnreachable() {
        try (C client = client(URI.create("http://no-such-host.invalid:8000"))) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("host name is unknown").hasMessageContaining("no-such-host");
        }
    }

    @Test
    void aConnectionThatBreaksIsUnavailable() {
        fake.hangsUp();
        try (C client = client(fake.endpoint())) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure).hasMessageContaining("no connection, or a broken one");
        }
        assertThat(fake.requests()).hasSize(1);
    }

    @Test
    void aCallWithoutAnAnswerEndsAtTheCallTimeout() {
        try (C client = client(fake.endpoint())) {
            // The first call of a client can take longer than the short timeout.
            assertThat(ask(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
            fake.fallsSilent();

            StoreFailure failure = failure(ask(client, SHORT));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(failure.mayHaveTakenEffect()).isTrue();
            assertThat(failure)
                    .hasMessageContaining("no answer in time")
                    .hasMessageContaining("or raise the call timeout");
        }
        assertThat(fake.requests()).hasSize(2);
    }

    /** The first call of a process also loads classes, finds credentials and connects. */
    @Test
    void theBeginningOfASessionMayTakeLongerThanACall() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        AwsCredentialsProvider slow = () -> {
            waitFor(found);
            return AwsBasicCredentials.create("test", "test");
        };
        fake.fails(400, "ThrottlingException", "slow down");
        try (C client = builder(fake.endpoint()).credentialsProvider(slow).build()) {
            LockStore store = store(client, Duration.ofMillis(100));
            CompletionStage<?> begin = store.take(SESSION, new SessionStep.Begin(LONG, "owner", NOW), NOW);
            CompletionStage<?> beat = store.take(SESSION, new SessionStep.Beat(1, Set.of(), NOW), NOW);

            assertThat(failure(beat).kind()).isEqualTo(Kind.UNAVAILABLE);
            found.countDown();

            assertThat(failure(begin).kind()).isEqualTo(Kind.THROTTLED);
        }
    }

    @Test
    void aPoolWithoutAFreeConnectionIsUnavailable() {
        fake.fallsSilent();
        try (C client = builderWithOneConnection(fake.endpoint(), SHORT).build()) {
            LockStore store = store(client, LONG);
            store.take(KEY, ASK, NOW);
            Awaitility.await().until(() -> fake.requests().size() == 1);

            StoreFailure failure = failure(store.take(KEY, ASK, NOW));

            assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        }
    }

    @Test
    void aClosedClientRefuses() {
        C client = builderWithOwnConnections(fake.endpoint()).build();
        client.close();

        StoreFailure failure = failure(ask(client, LONG));

        assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
        assertThat(failure).hasMessageContaining("closed");
    }

    // What users plug in

    @ParameterizedTest
    @EnumSource
    void whatFailsUnexpectedlyAfterTheSendingMayHaveTakenEffect(Afterwards breaks) {
        fake.answers(200, "{}");
        ClientOverrideConfiguration settings = ClientOverrideConfiguration.builder()
                .addExecutionInterceptor(breaks)
                .build();
        try (C client = builder(fake.endpoint()).overrideConfiguration(settings).build()) {
            StoreFailure failure = failure(ask(client, LONG));

            assertThat(failure.mayHaveTakenEffect()).isTrue();
            assertThat(failure).hasMessageContaining("no more of this").hasMessageNotContaining(KEY.key());
        }
        assertThat(fake.requests()).hasSize(1);
    }

    /** Where an interceptor throws what no client expects. */
    enum Afterwards implements ExecutionInterceptor {
        TRANSMISSION {
            @Override
            public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
                throw new IllegalStateException("no more of this");
            }
        },
        UNMARSHALLING {
            @Override
            public void afterUnmarshalling(Context.AfterUnmarshalling context, ExecutionAttributes attributes) {
                throw new IllegalStateException("no more of this");
            }
        },
        /** As if there were no room for the answer. */
        UNMARSHALLING_BY_AN_ERROR {
            @Override
            public void afterUnmarshalling(Context.AfterUnmarshalling context, ExecutionAttributes attributes) {
                throw new AssertionError("no more of this");
            }
        },
        EXECUTION {
            @Override
            public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
                throw new IllegalArgumentException("no more of this");
            }
        }
    }

    // Credentials

    @Test
    void missingCredentialsAreRefused() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        try (C client = builder(fake.endpoint()).credentialsProvider(none).build()) {
            StoreFailure failure = failure(ask(client, LONG));

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
        try (C client = builder(fake.endpoint()).credentialsProvider(slow).build()) {
            LockStore store = store(client, SHORT);

            List<CompletionStage<?>> calls = new ArrayList<>();
            for (int i = 0; i < 2 * DynamoLockStore.SENDERS; i++) {
                calls.add(store.take(KEY, ASK, NOW));
            }

            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            for (CompletionStage<?> call : calls) {
                assertThat(failure(call).kind()).isEqualTo(Kind.UNAVAILABLE);
            }
            found.countDown();
            Awaitility.await()
                    .until(() -> failure(store(client, LONG).look(KEY, true)).kind() == Kind.THROTTLED);
            assertThat(fake.requests().stream()
                            .filter(request -> request.operation().equals("UpdateItem")))
                    .as("a call that had timed out before its turn must not be sent any more")
                    .hasSizeLessThanOrEqualTo(DynamoLockStore.SENDERS);
        }
    }

    @Test
    void credentialsThatTakeLongOnceHoldUpNoOtherCall() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        AwsCredentialsProvider slowOnce = () -> {
            if (asked.getAndIncrement() == 0) {
                waitFor(found);
            }
            return AwsBasicCredentials.create("test", "test");
        };
        fake.fails(400, "ThrottlingException", "slow down");
        try (C client = builder(fake.endpoint()).credentialsProvider(slowOnce).build()) {
            LockStore store = store(client, LONG);
            CompletionStage<?> first = store.take(KEY, ASK, NOW);
            Awaitility.await().until(() -> asked.get() == 1);

            assertThat(failure(store.look(KEY, true)).kind()).isEqualTo(Kind.THROTTLED);

            found.countDown();
            assertThat(failure(first).kind()).isEqualTo(Kind.THROTTLED);
        }
    }

    @Test
    void aBeatDoesNotWaitBehindOtherCalls() throws Exception {
        CountDownLatch found = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        AwsCredentialsProvider slowForLocks = () -> {
            if (asked.getAndIncrement() < DynamoLockStore.SENDERS) {
                waitFor(found);
            }
            return AwsBasicCredentials.create("test", "test");
        };
        fake.fails(400, "ThrottlingException", "slow down");
        try (C client =
                builder(fake.endpoint()).credentialsProvider(slowForLocks).build()) {
            LockStore store = store(client, LONG);
            List<CompletionStage<?>> asks = new ArrayList<>();
            for (int i = 0; i < 2 * DynamoLockStore.SENDERS; i++) {
                asks.add(store.take(KEY, ASK, NOW));
            }
            Awaitility.await().until(() -> asked.get() == DynamoLockStore.SENDERS);

            assertThat(failure(store.take(SESSION, new SessionStep.Beat(1, Set.of(), NOW), NOW))
                            .kind())
                    .isEqualTo(Kind.THROTTLED);
            assertThat(asks)
                    .allSatisfy(ask -> assertThat(ask.toCompletableFuture()).isNotDone());

            found.countDown();
            for (CompletionStage<?> ask : asks) {
                assertThat(failure(ask).kind()).isEqualTo(Kind.THROTTLED);
            }
        }
    }

    @Test
    void onlyAClientThatRetriesIsToldWithEachRequestNotTo() {
        fake.answers(200, "{}");

        assertThat(pluginsOfARequest(ClientOverrideConfiguration.builder())).isEqualTo(1);
        assertThat(pluginsOfARequest(
                        ClientOverrideConfiguration.builder().retryStrategy(AwsRetryStrategy.doNotRetry())))
                .isZero();
        assertThat(pluginsOfARequest(ClientOverrideConfiguration.builder()
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(1)
                                .build())))
                .isZero();
    }

    private int pluginsOfARequest(ClientOverrideConfiguration.Builder retries) {
        AtomicInteger plugins = new AtomicInteger(-1);
        ClientOverrideConfiguration configuration = retries.addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
                        plugins.set(context.request()
                                .overrideConfiguration()
                                .orElseThrow()
                                .plugins()
                                .size());
                    }
                })
                .build();
        try (C client =
                builder(fake.endpoint()).overrideConfiguration(configuration).build()) {
            assertThat(ask(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
        }
        return plugins.get();
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("UpdateItem", store -> store.take(KEY, ASK, NOW)),
                call("UpdateItem", store -> store.take(KEY, new Step.Grow(0, ENTRY, 1), NOW)),
                call("UpdateItem", store -> store.take(KEY, Step.Leave.of(0, ENTRY), NOW)),
                call("UpdateItem", store -> store.take(KEY, new Step.Rename(ENTRY, ENTRY), NOW)),
                call("GetItem", store -> store.look(KEY, false)),
                call("UpdateItem", store -> store.take(SESSION, new SessionStep.Begin(LONG, "owner", NOW), NOW)),
                call("UpdateItem", store -> store.take(SESSION, new SessionStep.Beat(1, Set.of(), NOW), NOW)),
                call("DeleteItem", store -> store.take(SESSION, new SessionStep.Bury(1), NOW)),
                call("DeleteItem", store -> store.take(SESSION, new SessionStep.End(), NOW)),
                call(
                        "UpdateItem",
                        store -> store.take(SESSION, new SessionStep.Raise(new Dispute(KEY, ENTRY.block())), NOW)),
                call(
                        "UpdateItem",
                        store -> store.take(SESSION, new SessionStep.Evict(Eviction.of(KEY, ENTRY, 1)), NOW)),
                call("GetItem", store -> store.sessions(Set.of(SESSION))),
                call("BatchGetItem", store -> store.sessions(Set.of(SESSION, SessionId.of(2)))));
    }

    private static Arguments call(String operation, Function<LockStore, CompletionStage<?>> call) {
        return Arguments.of("dynamodb:" + operation, call);
    }

    private C client(URI endpoint) {
        return builder(endpoint).build();
    }

    private LockStore store(C client, Duration callTimeout) {
        return store(
                client, new DynamoTableSettings("locks", "", "pk", "sk", "expiresAt", Duration.ofDays(7), callTimeout));
    }

    CompletionStage<?> ask(C client, Duration callTimeout) {
        return store(client, callTimeout).take(KEY, ASK, NOW);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The failure as the stage has it, not wrapped in anything. */
    static StoreFailure failure(CompletionStage<?> stage) {
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
