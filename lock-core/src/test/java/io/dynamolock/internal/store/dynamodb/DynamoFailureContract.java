package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Kind;
import io.dynamolock.internal.store.StoreFailure.Throttling;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.FakeDynamoDb;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
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
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.retry.RetryMode;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

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
    private static final Entry ENTRY = new Entry.OfSession(SESSION, 1, Mode.EXCLUSIVE, 1);
    private static final Edit APPEND = new Edit(new TreeMap<>(), null, List.of(ENTRY), 200, 0, false, null, 0, 1);
    private static final SessionEdit HEARTBEAT = new SessionEdit.Heartbeat(1, Set.of(), NOW);
    private static final Notice NOTICE = new Notice(Notice.Wish.EVICT, KEY, 1);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofSeconds(1);

    final FakeDynamoDb fake = new FakeDynamoDb();

    private final List<C> clients = new ArrayList<>();

    @AfterEach
    void stop() {
        clients.forEach(SdkClient::close);
        fake.close();
    }

    /** A client that lives as long as the test. */
    final C built(AwsClientBuilder<?, C> builder) {
        C client = builder.build();
        clients.add(client);
        return client;
    }

    /** A builder of a client that shares its connections with the other tests. */
    abstract AwsClientBuilder<?, C> builder(URI endpoint);

    /** A builder of a client that has but one connection and waits for it at most so long. */
    abstract AwsClientBuilder<?, C> builderWithOneConnection(URI endpoint, Duration patience);

    /** A builder of a client whose connections end with it. */
    abstract AwsClientBuilder<?, C> builderWithOwnConnections(URI endpoint);

    /** With threads for {@link DynamoStore#SENDERS} calls. */
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
        "400, ResourceNotFoundException, DENIED",
        "400, AccessDeniedException, DENIED",
        "400, UnrecognizedClientException, DENIED",
        "400, ExpiredTokenException, DENIED",
        "400, InvalidSignatureException, DENIED",
        "400, MissingAuthenticationTokenException, DENIED",
        "400, ValidationException, REFUSED",
        "400, ItemCollectionSizeLimitExceededException, REFUSED",
    })
    void eachErrorOfDynamoDbIsOfItsKindAndNeverNamesTheLock(int status, String code, Kind kind) {
        fake.fails(status, code, "as the service says");
        StoreFailure failure = failureOfAppend();

        assertFailure(failure, kind, "UpdateItem", "\"locks\"", fake.endpoint().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "ProvisionedThroughputExceededException, TableWriteKeyRangeThroughputExceeded, KEY_RANGE, a partition takes"
                + " about 1",
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
        C client = client(fake.endpoint());
        StoreFailure failure = failure(append(client, LONG));

        assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
        assertThat(failure.throttling()).contains(meaning);
        assertThat(failure.key()).contains(KEY);
        assertThat(failure)
                .hasMessageContainingAll("was throttled", reason, advice)
                .hasMessageNotContaining(KEY.key());

        StoreFailure ofSession = failure(store(client, LONG).sessions(Set.of(SESSION)));
        assertThat(ofSession.throttling()).contains(meaning);
        assertThat(ofSession.key()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("calls")
    void aMissingPermissionIsNamed(String action, Function<LockStore, CompletionStage<?>> call) {
        fake.fails(400, "AccessDeniedException", "User: someone is not authorized");
        assertThat(failure(call.apply(store(client(fake.endpoint()), LONG))))
                .hasMessageContaining("is not allowed; allow the action " + action + " on the table in IAM")
                .hasMessageNotContaining(KEY.key());
        assertThat("dynamodb:" + fake.requests().get(0).operation()).isEqualTo(action);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void everyCallIsSentOnceEvenIfTheClientRetries(String action, Function<LockStore, CompletionStage<?>> call) {
        fake.fails(500, "InternalServerError", "try again");
        for (ClientOverrideConfiguration retries : retryingConfigurations()) {
            int before = fake.requests().size();
            assertThat(failure(call.apply(store(built(builder(fake.endpoint()).overrideConfiguration(retries)), LONG)))
                            .kind())
                    .isEqualTo(Kind.UNAVAILABLE);
            assertThat(fake.requests()).hasSize(before + 1);
        }
    }

    @Test
    void allOtherSettingsOfTheClientStillApply() {
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
        failure(append(built(builder(fake.endpoint()).overrideConfiguration(settings)), LONG));
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
        C client = client(fake.endpoint());
        failure(append(client, LONG));
        int before = fake.requests().size();

        assertThat(listTables(client).toCompletableFuture()).failsWithin(LONG);

        assertThat(fake.requests()).hasSizeGreaterThan(before + 1);
    }

    @Test
    void aConditionThatDoesNotHoldIsAnAnswerAndNoFailure() {
        fake.answers(400, """
            {"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"no"}\
            """);
        LockStore store = store(client(fake.endpoint()), LONG);

        assertThat(store.edit(KEY, APPEND, NOW)
                        .thenApply(answer -> answer.at(null))
                        .toCompletableFuture())
                .succeedsWithin(LONG)
                .isEqualTo(new Answer<>(LockItem.ABSENT, false));
        assertThat(store.edit(SESSION, new SessionEdit.Expire(1), NOW)
                        .thenApply(answer -> answer.at(null))
                        .toCompletableFuture())
                .succeedsWithin(LONG)
                .isEqualTo(new Answer<>(Optional.empty(), false));
    }

    @Test
    void aWrongClockIsWorthRepeatingBecauseTheClientCorrectsItself() {
        fake.clockIsAhead(Duration.ofHours(2));
        fake.answers(200, "{}");
        C client = client(fake.endpoint());
        StoreFailure failure = failure(append(client, LONG));

        assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
        assertThat(failure.throttling()).isEmpty();
        assertThat(failure).hasMessageContaining("this machine's clock is wrong");
        assertThat(append(client, LONG).toCompletableFuture()).succeedsWithin(LONG);

        // The SDK corrects the clock of all clients in the virtual machine. This call corrects it back for other tests.
        fake.clockIsAhead(Duration.ZERO);
        assertThat(failure(append(client, LONG)).kind()).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void eachAnswerTellsTheStoresTimeByItself() {
        LockStore store = store(client(fake.endpoint()), LONG);
        fake.answers(200, "{}");
        fake.clockIsAhead(Duration.ofMinutes(4));
        assertThat(minutesAhead(store.edit(SESSION, HEARTBEAT, NOW).thenApply(Answer::storeTime)))
                .isEqualTo(4);
        fake.clockIsAhead(Duration.ofMinutes(3));
        assertThat(minutesAhead(store.read(KEY, false).thenApply(Found::storeTime)))
                .isEqualTo(3);
        fake.clockIsAhead(Duration.ofMinutes(2));
        assertThat(minutesAhead(store.sessions(Set.of(SESSION)).thenApply(Found::storeTime)))
                .isEqualTo(2);
    }

    /** How far the store's clock is ahead, to the minute: the header tells the time to the second. */
    private static long minutesAhead(CompletionStage<@Nullable Instant> told) {
        Instant storeTime = Objects.requireNonNull(told.toCompletableFuture().join());
        return Duration.between(Instant.now(), storeTime).plusSeconds(30).toMinutes();
    }

    @Test
    void aSessionThatWasNotReadDoesNotLookDead() {
        fake.answers(200, """
            {"Responses":{"locks":[]},"UnprocessedKeys":{"locks":{"Keys":[
            {"pk":{"S":"session#0000000002"},"sk":{"S":"session"}}]}}}\
            """);
        assertThat(store(client(fake.endpoint()), LONG)
                        .sessions(Set.of(SESSION, SessionId.of(2)))
                        .toCompletableFuture()
                        .join()
                        .content())
                .isEqualTo(Map.of(SESSION, Optional.empty()));
    }

    @Test
    void aBatchOfSessionsOfWhichNoneWasReadCountsAsThrottled() {
        fake.answers(200, """
            {"Responses":{"locks":[]},"UnprocessedKeys":{"locks":{"Keys":[
            {"pk":{"S":"session#0000000001"},"sk":{"S":"session"}},
            {"pk":{"S":"session#0000000002"},"sk":{"S":"session"}}]}}}\
            """);
        StoreFailure failure = failure(store(client(fake.endpoint()), LONG).sessions(Set.of(SESSION, SessionId.of(2))));

        assertThat(failure.kind()).isEqualTo(Kind.THROTTLED);
        assertThat(failure.throttling()).contains(Throttling.UNKNOWN);
        assertThat(failure).hasMessageContainingAll("BatchGetItem", "\"locks\"", "some of the items were not read");
        assertThat(fake.requests()).hasSize(1);
    }

    // The way to DynamoDB

    @Test
    void aClosedPortIsUnreachable() {
        int port = EmbeddedDynamoDb.freePort();
        StoreFailure failure = failure(append(client(URI.create("http://localhost:" + port)), LONG));

        assertFailure(
                failure, Kind.UNAVAILABLE, "nothing accepts connections at the endpoint", "http://localhost:" + port);
    }

    @Test
    void anUnknownHostIsUnreachable() {
        StoreFailure failure = failure(append(client(URI.create("http://no-such-host.invalid:8000")), LONG));

        assertFailure(failure, Kind.UNAVAILABLE, "host name is unknown", "no-such-host");
    }

    @Test
    void aConnectionThatBreaksIsUnavailable() {
        fake.hangsUp();
        StoreFailure failure = failureOfAppend();

        assertFailure(failure, Kind.UNAVAILABLE, "no connection, or a broken one");
        assertThat(fake.requests()).hasSize(1);
    }

    @Test
    void aCallWithoutAnAnswerEndsAtTheCallTimeout() {
        C client = client(fake.endpoint());
        // The first call of a client can take longer than the short timeout.
        assertThat(append(client, LONG).toCompletableFuture()).succeedsWithin(LONG);
        fake.fallsSilent();

        StoreFailure failure = failure(append(client, SHORT));

        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(failure.mayHaveTakenEffect()).isTrue();
        assertThat(failure).hasMessageContainingAll("no answer in time", "or raise the call timeout");
        assertThat(fake.requests()).hasSize(2);
    }

    /** The first call of a process also loads classes, finds credentials and connects. */
    @Test
    void beginningASessionMayTakeLongerThanOtherCalls() {
        SlowCredentials slow = new SlowCredentials(Integer.MAX_VALUE);
        fake.fails(400, "ThrottlingException", "slow down");
        LockStore store = store(built(builder(fake.endpoint()).credentialsProvider(slow)), Duration.ofMillis(100));
        CompletionStage<?> begin = store.edit(SESSION, new SessionEdit.Begin(LONG, "owner", NOW), NOW);
        CompletionStage<?> heartbeat = store.edit(SESSION, HEARTBEAT, NOW);

        assertThat(failure(heartbeat).kind()).isEqualTo(Kind.UNAVAILABLE);
        slow.countDown();

        assertThat(failure(begin).kind()).isEqualTo(Kind.THROTTLED);
    }

    @Test
    void aPoolWithoutAFreeConnectionIsUnavailable() {
        fake.fallsSilent();
        LockStore store = store(built(builderWithOneConnection(fake.endpoint(), SHORT)), LONG);
        store.edit(KEY, APPEND, NOW);
        Awaitility.await().until(() -> fake.requests().size() == 1);

        StoreFailure failure = failure(store.edit(KEY, APPEND, NOW));

        assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
    }

    @Test
    void aClosedClientIsARefusal() {
        C client = builderWithOwnConnections(fake.endpoint()).build();
        client.close();

        StoreFailure failure = failure(append(client, LONG));

        assertFailure(failure, Kind.REFUSED, "closed");
    }

    @Test
    void aBusyExecutorIsNotAClosedClient() {
        fake.answers(200, "{}");
        ClientOverrideConfiguration settings = ClientOverrideConfiguration.builder()
                .addExecutionInterceptor(new ExecutionInterceptor() {
                    @Override
                    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
                        throw new RejectedExecutionException("Task rejected from ThreadPoolExecutor@1[Running, pool]");
                    }
                })
                .build();
        StoreFailure failure = failure(append(built(builder(fake.endpoint()).overrideConfiguration(settings)), LONG));

        assertFailure(failure, Kind.UNAVAILABLE, "Task rejected");
    }

    // What users plug in

    @ParameterizedTest
    @EnumSource
    void anUnexpectedFailureAfterTheSendingMayHaveTakenEffect(Afterwards breaks) {
        fake.answers(200, "{}");
        ClientOverrideConfiguration settings = ClientOverrideConfiguration.builder()
                .addExecutionInterceptor(breaks)
                .build();
        StoreFailure failure = failure(append(built(builder(fake.endpoint()).overrideConfiguration(settings)), LONG));

        assertThat(failure.mayHaveTakenEffect()).isTrue();
        assertThat(failure).hasMessageContaining("no more of this").hasMessageNotContaining(KEY.key());
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
    void missingCredentialsAreWorthRepeatingAndTheReasonOfTheSdkIsTold() {
        AwsCredentialsProvider none = AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create());
        StoreFailure failure = failure(append(built(builder(fake.endpoint()).credentialsProvider(none)), LONG));

        assertFailure(
                failure,
                Kind.DENIED,
                "no AWS credentials found; set AWS_ACCESS_KEY_ID",
                "Unable to load credentials from any of the providers in the chain");
        assertThat(fake.requests()).isEmpty();
    }

    @Test
    void aWebIdentityWithoutTheSdksModuleForItIsNamed() {
        AwsCredentialsProvider webIdentity = () -> {
            throw SdkClientException.create(
                    "Unable to load credentials from any of the providers in the chain: " + "x".repeat(2_000)
                            + "To use web identity tokens, the 'sts' service module must be on the class path.");
        };
        StoreFailure failure = failure(append(built(builder(fake.endpoint()).credentialsProvider(webIdentity)), LONG));

        assertFailure(failure, Kind.DENIED, "software.amazon.awssdk:sts", "AWS_WEB_IDENTITY_TOKEN_FILE");
    }

    @ParameterizedTest
    @MethodSource("failuresOfProviders")
    void aCredentialsProviderThatFailsIsNotTakenForTheLocksClient(RuntimeException ofProvider) {
        AwsCredentialsProvider failing = () -> {
            throw ofProvider;
        };
        StoreFailure failure = failure(append(built(builder(fake.endpoint()).credentialsProvider(failing)), LONG));

        assertFailure(failure, Kind.DENIED, "the client's credentials provider failed", ofProvider.getMessage());
        assertThat(failure).hasRootCause(ofProvider);
        assertThat(fake.requests()).isEmpty();
    }

    static Stream<RuntimeException> failuresOfProviders() {
        return Stream.of(
                new IllegalStateException("Connection pool shut down"),
                new RejectedExecutionException(
                        "Task x rejected from java.util.concurrent.ThreadPoolExecutor@1[Terminated]"),
                SdkClientException.create("Failed to load credentials from IMDS."),
                DynamoDbException.builder()
                        .statusCode(403)
                        .awsErrorDetails(AwsErrorDetails.builder()
                                .errorCode("AccessDenied")
                                .errorMessage("not authorized to perform sts:AssumeRole")
                                .build())
                        .build());
    }

    @Test
    void slowCredentialsBlockNobodyAndTheCallEndsInTime() {
        SlowCredentials slow = new SlowCredentials(Integer.MAX_VALUE);
        fake.fails(400, "ThrottlingException", "slow down");
        C client = built(builder(fake.endpoint()).credentialsProvider(slow));
        LockStore store = store(client, SHORT);

        List<CompletionStage<?>> calls = new ArrayList<>();
        for (int i = 0; i < 2 * DynamoStore.SENDERS; i++) {
            calls.add(store.edit(KEY, APPEND, NOW));
        }

        Awaitility.await().until(() -> slow.asked.get() > 0);
        for (CompletionStage<?> call : calls) {
            assertThat(failure(call).kind()).isEqualTo(Kind.UNAVAILABLE);
        }
        slow.countDown();
        Awaitility.await()
                .until(() -> failure(store(client, LONG).read(KEY, true)).kind() == Kind.THROTTLED);
        assertThat(fake.requests().stream()
                        .filter(request -> request.operation().equals("UpdateItem")))
                .as("a call that had timed out before its turn must not be sent any more")
                .hasSizeLessThanOrEqualTo(DynamoStore.SENDERS);
    }

    @Test
    void aHeartbeatDoesNotWaitBehindOtherCalls() {
        SlowCredentials slow = new SlowCredentials(DynamoStore.SENDERS);
        fake.fails(400, "ThrottlingException", "slow down");
        LockStore store = store(built(builder(fake.endpoint()).credentialsProvider(slow)), LONG);
        List<CompletionStage<?>> appends = new ArrayList<>();
        for (int i = 0; i < 2 * DynamoStore.SENDERS; i++) {
            appends.add(store.edit(KEY, APPEND, NOW));
        }
        Awaitility.await().until(() -> slow.asked.get() == DynamoStore.SENDERS);

        assertThat(failure(store.edit(SESSION, HEARTBEAT, NOW)).kind()).isEqualTo(Kind.THROTTLED);
        assertThat(appends)
                .allSatisfy(append -> assertThat(append.toCompletableFuture()).isNotDone());

        slow.countDown();
        for (CompletionStage<?> append : appends) {
            assertThat(failure(append).kind()).isEqualTo(Kind.THROTTLED);
        }
    }

    @ParameterizedTest
    @MethodSource("callsOfTheSession")
    void aHangingCredentialsProviderKeepsFewThreadsHoweverManyCallsTimeOut(SessionEdit edit) {
        HangingCredentials hanging = new HangingCredentials();
        fake.answers(200, "{}");
        LockStore store = store(
                built(builder(fake.endpoint()).credentialsProvider(hanging)),
                Duration.ofMillis(edit instanceof SessionEdit.Begin ? 20 : 60));
        for (int i = 0; i < 3 * DynamoStore.SESSION_THREADS; i++) {
            assertThat(failure(store.edit(SESSION, edit, NOW)).kind()).isEqualTo(Kind.UNAVAILABLE);
        }

        assertThat(hanging.asked.get()).isBetween(1, DynamoStore.SESSION_THREADS);
        hanging.countDown();
        Awaitility.await()
                .untilAsserted(() -> assertThat(store.edit(SESSION, edit, NOW).toCompletableFuture())
                        .succeedsWithin(LONG));
    }

    static Stream<SessionEdit> callsOfTheSession() {
        return Stream.of(new SessionEdit.Begin(LONG, "owner", NOW), HEARTBEAT, new SessionEdit.End());
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                call("UpdateItem", store -> store.edit(KEY, APPEND, NOW)),
                call("GetItem", store -> store.read(KEY, false)),
                call("Query", store -> store.locks(KEY.key(), null)),
                call("Scan", store -> store.locks(null, null)),
                call("UpdateItem", store -> store.edit(SESSION, new SessionEdit.Begin(LONG, "owner", NOW), NOW)),
                call("UpdateItem", store -> store.edit(SESSION, HEARTBEAT, NOW)),
                call("UpdateItem", store -> store.edit(SESSION, new SessionEdit.Notify(NOTICE), NOW)),
                call("DeleteItem", store -> store.edit(SESSION, new SessionEdit.Expire(1), NOW)),
                call("DeleteItem", store -> store.edit(SESSION, new SessionEdit.End(), NOW)),
                call("GetItem", store -> store.sessions(Set.of(SESSION))),
                call("BatchGetItem", store -> store.sessions(Set.of(SESSION, SessionId.of(2)))));
    }

    private static Arguments call(String operation, Function<LockStore, CompletionStage<?>> call) {
        return Arguments.of("dynamodb:" + operation, call);
    }

    private C client(URI endpoint) {
        return built(builder(endpoint));
    }

    private LockStore store(C client, Duration callTimeout) {
        return store(
                client,
                new DynamoTableSettings(
                        "locks",
                        "",
                        "pk",
                        "sk",
                        "expiresAt",
                        "data",
                        "dynamolock:format",
                        Duration.ofDays(7),
                        callTimeout));
    }

    private static void assertFailure(StoreFailure failure, Kind kind, String... words) {
        assertThat(failure.kind()).isEqualTo(kind);
        assertThat(failure).hasMessageContainingAll(words).hasMessageNotContaining(KEY.key());
    }

    private StoreFailure failureOfAppend() {
        return failure(append(client(fake.endpoint()), LONG));
    }

    CompletionStage<?> append(C client, Duration callTimeout) {
        return store(client, callTimeout).edit(KEY, APPEND, NOW);
    }

    /** Credentials that the first so many calls have only when this is over. */
    private static final class SlowCredentials extends CountDownLatch implements AwsCredentialsProvider {

        private final AtomicInteger asked = new AtomicInteger();
        private final int slow;

        SlowCredentials(int slow) {
            super(1);
            this.slow = slow;
        }

        @Override
        public AwsCredentials resolveCredentials() {
            try {
                if (asked.getAndIncrement() < slow) {
                    await();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return AwsBasicCredentials.create("test", "test");
        }
    }

    /** Credentials that nobody has before this is over, and that not even an interrupt gets. */
    private static final class HangingCredentials extends CountDownLatch implements AwsCredentialsProvider {

        private final AtomicInteger asked = new AtomicInteger();

        HangingCredentials() {
            super(1);
        }

        @Override
        public AwsCredentials resolveCredentials() {
            asked.incrementAndGet();
            boolean isInterrupted = false;
            while (getCount() > 0) {
                try {
                    await();
                } catch (InterruptedException interrupted) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
            return AwsBasicCredentials.create("test", "test");
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
