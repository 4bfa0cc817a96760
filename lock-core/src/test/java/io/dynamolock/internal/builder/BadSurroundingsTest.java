package io.dynamolock.internal.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTable;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.FakeDynamoDb;
import io.dynamolock.internal.store.testing.ItemTables;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.time.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Whoever asks for a lock where none can be had hears why, by whichever method, and nothing is left behind. */
class BadSurroundingsTest {

    private static final String KEY = "customer-42";

    /** Enough for a first answer on a busy machine. Where what happens may pass, the wait lasts so long. */
    private static final Duration SHORT = Duration.ofSeconds(6);

    /** Never over in these tests: DynamoDB's refusal, or the own clock, ends the wait. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    @Test
    void aMissingTableIsNamedWhenTheWaitIsOver() {
        failsWhenTheWaitIsOver(
                EmbeddedDynamoDb.client(),
                "no-such-table",
                "no-such-table",
                "there is no such table; create it, or correct its name");
    }

    @Test
    void aTableWithOtherKeysIsRefusedAndNotWrittenTo() {
        String name = "other-keys-" + UUID.randomUUID();
        DynamoDbAsyncClient client = EmbeddedDynamoDb.client();
        client.createTable(ItemTables.byId(name)).join();

        refusesEveryone(locks(client, name).build(), name, "was rejected");

        assertThat(client.scan(scan -> scan.tableName(name)).join().items()).isEmpty();
    }

    @Test
    void aRefusalByDynamoDbThatNothingHealsFailsCallersAtOnce() {
        FakeDynamoDb fake = fake();
        fake.fails(400, "ValidationException", "No.");

        refusesEveryone(
                locks(client(fake.endpoint()), "locks").build(), "\"locks\" at " + fake.endpoint(), "was rejected");
    }

    @ParameterizedTest
    @CsvSource({
        "AccessDeniedException, is not allowed; allow the action dynamodb:",
        "ExpiredTokenException, the AWS credentials are wrong or have expired"
    })
    void aRefusalByDynamoDbThatMayHealFailsCallersWhenTheirWaitIsOver(String code, String message) {
        FakeDynamoDb fake = fake();
        fake.fails(400, code, "No.");

        failsWhenTheWaitIsOver(client(fake.endpoint()), "locks", "\"locks\" at " + fake.endpoint(), message);
    }

    @Test
    void missingCredentialsFailCallersWhenTheirWaitIsOver() {
        DynamoDbAsyncClient anonymous = EmbeddedDynamoDb.clientAt(EmbeddedDynamoDb.endpoint())
                .credentialsProvider(AwsCredentialsProviderChain.of(SystemPropertyCredentialsProvider.create()))
                .build();
        toClose.add(anonymous);

        failsWhenTheWaitIsOver(anonymous, "locks", "no AWS credentials found");
    }

    @Test
    void anUnreachableEndpointFailsCallersWhenTheirWaitIsOver() throws IOException {
        // It is taken but not listened at, so that no other test comes to listen there meanwhile.
        try (Socket taken = new Socket()) {
            taken.bind(new InetSocketAddress("localhost", 0));
            URI endpoint = URI.create("http://localhost:" + taken.getLocalPort());

            failsWhenTheWaitIsOver(endpoint, endpoint.toString(), "nothing accepts connections");
        }
    }

    @Test
    void aSilentEndpointFailsCallersWhenTheirWaitIsOver() {
        FakeDynamoDb fake = fake();
        fake.fallsSilent();

        // Either of the two who watch the time says so.
        failsWhenTheWaitIsOver(fake.endpoint(), "answer", "check the network");
    }

    @ParameterizedTest
    @CsvSource({"400, ThrottlingException, was throttled", "500, InternalServerError, DynamoDB had an error of its own"
    })
    void aTransientFailureFailsCallersWhenTheirWaitIsOver(int status, String code, String message) {
        FakeDynamoDb fake = fake();
        fake.fails(status, code, "Later.");

        failsWhenTheWaitIsOver(fake.endpoint(), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 3, 48})
    void aProcessWhoseClockIsHoursOffHasLocksLikeAnyOtherAndIsToldSo(int hours) {
        RegistryBuilder builder = locks(EmbeddedDynamoDb.client(), "clock-" + UUID.randomUUID());
        LockTable table = builder.table();
        table.create();
        toClose.add(table::delete);
        LockRegistry registry = builder.on(wrongBy(Duration.ofHours(hours))).build();
        toClose.add(registry);

        try (LockHandle held = registry.acquire("k", Duration.ofSeconds(10))) {
            assertThat(held.isValid()).isTrue();
            registry.admin().inspect("k");
            assertThat(registry.admin().clockProblem().orElseThrow()).contains("Set the clock of this machine");
        }
    }

    /** A refusal ends even those waits that have no end. */
    private static void refusesEveryone(LockRegistry locks, String... message) {
        failsWith(LockStoreException.class, () -> locks.admin().inspect(KEY), message);
        refusesEveryWriter(LockStoreException.class, locks, message);
    }

    private static void refusesEveryWriter(Class<? extends LockException> type, LockRegistry locks, String... message) {
        failsWith(type, () -> locks.acquire(KEY, LockRequest.FOREVER), message);
        failsWith(type, () -> locks.lock(KEY).lock(), message);
        failsWith(
                type,
                () -> locks.withLock(
                        KEY, LockRequest.FOREVER, () -> assertThat(true).isFalse()),
                message);
        failsWithin(LONG, type, locks, message);
    }

    /** What may pass is tried again until then, call after call. */
    private void failsWhenTheWaitIsOver(URI endpoint, String... message) {
        failsWhenTheWaitIsOver(client(endpoint), "locks", message);
    }

    private static void failsWhenTheWaitIsOver(DynamoDbAsyncClient client, String table, String... message) {
        LockRegistry locks =
                locks(client, table).callTimeout(SHORT.dividedBy(2)).build();
        failsWithin(SHORT, LockStoreException.class, locks, message);
    }

    private static void failsWithin(
            Duration wait, Class<? extends LockException> type, LockRegistry locks, String... message) {
        failsWith(type, () -> locks.tryAcquire(KEY), message);
        CompletableFuture<LockHandle> future =
                locks.acquireAsync(LockRequest.of(KEY + 1).waitTime(wait));
        // All at once, because some wait until the end, and each for a lock of its own.
        List<TestThread<?>> callers = List.of(
                TestThread.running(() -> locks.acquire(KEY + 3, wait)),
                TestThread.running(
                        () -> locks.tryAcquire(LockRequest.of(KEY + 4).waitTime(wait))),
                TestThread.running(() -> locks.lock(KEY + 5).tryLock(wait.toMillis(), TimeUnit.MILLISECONDS)));
        for (TestThread<?> caller : callers) {
            failsWith(
                    type,
                    () -> {
                        throw caller.failure();
                    },
                    message);
        }
        failsWith(
                type,
                () -> {
                    throw future.handle((handle, failure) -> failure).join();
                },
                message);
        assertThat(locks.admin().held()).isEmpty();
        assertThat(locks.admin().waiting()).isZero();
        locks.close();
        assertThatThrownBy(() -> locks.tryAcquire(KEY)).isInstanceOf(LockClosedException.class);
    }

    private static void failsWith(Class<? extends LockException> type, ThrowingCallable asking, String... message) {
        assertThatThrownBy(asking)
                .isInstanceOf(type)
                .hasMessageContainingAll(KEY)
                .hasMessageContainingAll(message)
                .hasCauseInstanceOf(Exception.class);
    }

    private FakeDynamoDb fake() {
        FakeDynamoDb fake = new FakeDynamoDb();
        toClose.add(fake);
        return fake;
    }

    private DynamoDbAsyncClient client(URI endpoint) {
        DynamoDbAsyncClient client = EmbeddedDynamoDb.clientAt(endpoint).build();
        toClose.add(client);
        return client;
    }

    private static RegistryBuilder locks(DynamoDbAsyncClient client, String table) {
        return RegistryBuilder.of(client)
                .tableName(table)
                .lease(LONG.multipliedBy(2))
                .callTimeout(LONG.dividedBy(2));
    }

    private static RegistrySurroundings wrongBy(Duration ahead) {
        return new RegistrySurroundings() {
            @Override
            protected TimeSource time() {
                return new TimeSource() {
                    @Override
                    public long nanos() {
                        return TimeSource.system().nanos();
                    }

                    @Override
                    public Instant now() {
                        return TimeSource.system().now().plus(ahead);
                    }
                };
            }
        };
    }
}
