package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockClosedException;
import io.dynamolock.LockEvictedException;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockPausedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.process.Inspection;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.StoreFailure.Unreadable;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DefaultLockRegistryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final StoreFailure FAILURE =
            new StoreFailure(StoreFailure.Kind.REFUSED, "table is missing", new RuntimeException("from the SDK"));

    private final FakeEngine engine = new FakeEngine();
    private final DefaultLockRegistry registry = engine.registry();

    @Test
    void asksTheEngineForWhatTheRequestSays() {
        engine.granting();
        registry.acquire(LockRequest.of("k")
                .namespace("n")
                .name("orders")
                .waitTime(MINUTE)
                .maxHold(Duration.ofSeconds(9))
                .holdAtLeast(Duration.ofSeconds(2)));

        var spec = engine.attempt(0).spec;
        assertThat(spec.key()).isEqualTo(new LockKey("k", "n"));
        assertThat(spec.name()).isEqualTo("orders");
        assertThat(spec.waitLimit()).isEqualTo(MINUTE);
        assertThat(spec.maxHold()).isEqualTo(Duration.ofSeconds(9));
        assertThat(spec.holdAtLeast()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aRequestWithoutAWaitTimeWaitsTheDefaultWaitOrNotAtAllToTry() {
        engine.granting();
        LockRequest request = LockRequest.of("k");

        registry.acquire(request);
        registry.acquireAsync(request).join();
        registry.tryAcquire(request);
        registry.tryAcquire("k");
        registry.tryAcquire(request.waitTime(MINUTE));
        registry.acquire("k", Duration.ZERO);
        registry.acquire(request.waitForever());

        assertThat(engine.attempts)
                .extracting(attempt -> attempt.spec.waitLimit())
                .containsExactly(
                        MINUTE, MINUTE, Duration.ZERO, Duration.ZERO, MINUTE, Duration.ZERO, LockRequest.FOREVER);
    }

    @Test
    void saysAfterATimeoutHowLongItWaitedWhereItStoodAndWhoHoldsTheLock() {
        Duration waited = MINUTE.plusNanos(112_262);
        engine.answering(new AcquireOutcome.TimedOut(waited, 2, new Holder("orders@host:7", THEN)));

        String[] words = {"\"k\"", "\"default\"", "waiting PT1M: ", "position 2", "orders@host:7", THEN.toString()};
        LockTimeoutException e = thrown(LockTimeoutException.class, () -> registry.acquire("k", MINUTE), words);
        assertThat(e.key()).isEqualTo("k");
        assertThat(e.namespace()).isEqualTo("default");
        assertThat(e.waited()).as("not rounded").isEqualTo(waited);
        assertThat(e.position()).isEqualTo(2);
        assertThat(e.holder()).contains("orders@host:7");
        assertThat(e.heldSince()).contains(THEN);
    }

    @Test
    void saysWhatItKnowsOfTheHolderAfterATimeout() {
        LockTimeoutException unnamed = timeout(1, new Holder(null, THEN), "unknown name", THEN + " or longer");
        assertThat(unnamed.holder()).isEmpty();
        assertThat(unnamed.heldSince()).contains(THEN);

        LockTimeoutException untimed = timeout(1, new Holder("orders@host:7", null));
        assertThat(untimed).hasMessageEndingWith("held by \"orders@host:7\".");
        assertThat(untimed.holder()).contains("orders@host:7");
        assertThat(untimed.heldSince()).isEmpty();

        LockTimeoutException unknown = timeout(0, null, "holder unknown");
        assertThat(unknown.position()).isEqualTo(1);
        assertThat(unknown.holder()).isEmpty();
    }

    @Test
    void saysAfterATimeoutWhichSessionAheadCannotBeRead() {
        Unreadable session = new Unreadable(Unreadable.Item.SESSION, Unreadable.Reason.MALFORMED);
        StoreFailure odd = StoreFailure.unreadable(session, null, false, "the item of session 0123456789 is odd", null);
        engine.answering(new AcquireOutcome.TimedOut(MINUTE, 1, null, odd));

        LockTimeoutException timeout = thrown(LockTimeoutException.class, () -> registry.acquire("k", MINUTE));

        assertThat(timeout).hasMessageContainingAll("nobody can tell", "dead: the item of session 0123456789 is odd.");
    }

    private LockTimeoutException timeout(long ahead, @Nullable Holder holder, String... inMessage) {
        engine.answering(new AcquireOutcome.TimedOut(MINUTE, ahead, holder));
        return thrown(LockTimeoutException.class, () -> registry.acquire("k", MINUTE), inMessage);
    }

    @Test
    void aThreadThatIsInterruptedAlreadyAcquiresNothing() throws Exception {
        engine.granting();
        List<Consumer<LockRegistry>> calls = List.of(
                locks -> locks.acquire("k", MINUTE),
                locks -> locks.acquire(LockRequest.of("k")),
                locks -> locks.tryAcquire("k"),
                locks -> locks.tryAcquire(LockRequest.of("k").waitTime(MINUTE)),
                locks -> locks.withLock("k", MINUTE, () -> {}));
        for (Consumer<LockRegistry> call : calls) {
            var caller = TestThread.running(Executors.callable(() -> {
                Thread.currentThread().interrupt();
                call.accept(registry);
            }));
            assertThat(caller.failure()).isInstanceOf(LockInterruptedException.class);
            caller.assertInterruptFlagAtEnd(true);
        }
        assertThat(engine.attempts).isEmpty();
    }

    @Test
    void refusesKeysThatAreTooLongTogetherWithThePrefix() {
        DefaultLockRegistry prefixed = engine.granting().registry(6);

        assertThat(prefixed.acquire("k".repeat(2_042), MINUTE).isValid()).isTrue();
        String tooLong = "k".repeat(2_043);
        for (Consumer<LockRegistry> call : callsWith(tooLong)) {
            refused(() -> call.accept(prefixed), "\"kkk", "2043 bytes", "prefix takes 6");
        }
        assertThat(engine.attempts).hasSize(1);
    }

    @Test
    void refusesEmptyKeysAndNegativeWaitsEverywhere() {
        for (Consumer<LockRegistry> call : callsWith("")) {
            assertThatIllegalArgumentException().isThrownBy(() -> call.accept(registry));
        }
        refused(() -> registry.acquire("k", Duration.ofSeconds(-1)), "PT-1S");
        refused(() -> registry.withLock("k", Duration.ofSeconds(-1), () -> {}), "PT-1S");
        assertThat(engine.attempts).isEmpty();
    }

    @Test
    void aRefusedCallIsAFailureThatIsNotTransient() {
        StoreFailure refused = new StoreFailure(StoreFailure.Kind.REFUSED, "The table does not exist.", null);
        engine.answering(new AcquireOutcome.Failed(Duration.ofSeconds(3), refused));

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> registry.acquire("k", MINUTE))
                .withMessage(
                        "After PT3S, acquiring the lock \"k\" in namespace \"default\" failed, the lock is not held:"
                                + " The table does not exist.")
                .satisfies(e -> assertThat(e.isTransient()).isFalse())
                .satisfies(e -> assertThat(e.key()).isEqualTo("k"));
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> registry.tryAcquire("k"));
        thrown(LockStoreException.class, () -> registry.lock("k").tryLock());
    }

    static Stream<Consumer<LockRegistry>> everyCall() {
        return Stream.concat(
                callsWith("k").stream(),
                Stream.of(
                        locks -> locks.lock("k"),
                        locks -> locks.lock("k").lock(),
                        locks -> locks.lock("k").tryLock(),
                        locks -> locks.admin().inspect("k", "n")));
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void aClosedRegistryRefusesEveryCall(Consumer<LockRegistry> call) {
        engine.shutdown.complete(null);
        registry.close();

        thrown(LockClosedException.class, () -> call.accept(registry), "closed", "\"k\"");
        assertThat(engine.attempts).isEmpty();
    }

    @Test
    void waitsForTheEngineWhenItClosesAndKeepsTheInterruptFlag() throws Exception {
        waitsInSpiteOfInterrupts(registry::close, engine.shutdown);
    }

    /** Of one before the call and one in it. */
    private static void waitsInSpiteOfInterrupts(Runnable call, CompletableFuture<Void> end) throws Exception {
        var caller = TestThread.running(Executors.callable(() -> {
            Thread.currentThread().interrupt();
            call.run();
        }));
        caller.untilItWaits().interrupt();
        assertThatThrownBy(() -> caller.valueWithin(Duration.ofMillis(100))).isInstanceOf(TimeoutException.class);

        end.complete(null);

        caller.value();
        caller.assertInterruptFlagAtEnd(true);
    }

    @Test
    void doesNotWaitForEverForAnEngineThatDoesNotEnd() {
        DefaultLockRegistry impatient =
                engine.registry(new RegistryThreads(null, task -> task), 0, Duration.ofMillis(1));

        impatient.close();

        assertThat(engine.shutdown).isNotDone();
    }

    @Test
    void listsHeldLocksAndCountsWaiters() {
        engine.held.add(new FakeGrant(new LockKey("k", "n"), "orders", 7));
        ((FakeGrant) engine.held.get(0)).caller = "till 3";
        registry.acquireAsync(LockRequest.of("a").caller("till 4"));
        registry.acquireAsync(LockRequest.of("b"));
        String thread = Thread.currentThread().getName();

        assertThat(registry.admin().held())
                .containsExactly(new LockAdmin.Held("k", "n", "orders", 7, FakeGrant.SINCE, "till 3"));
        assertThat(registry.admin().waiting()).isEqualTo(2);
        assertThat(registry.admin().waiters())
                .containsExactly(
                        new LockAdmin.Waiter("a", "default", "default", "till 4", FakeGrant.SINCE),
                        new LockAdmin.Waiter("b", "default", "default", thread, FakeGrant.SINCE));
        registry.close();
        assertThat(registry.admin().waiters()).isEmpty();
    }

    @Test
    void showsItsSession() {
        assertThat(registry.admin().session()).isEmpty();

        Instant heartbeat = THEN.plusSeconds(5);
        SessionId id = session(5);
        engine.session = new ValidSession(id, "till", THEN, heartbeat, MINUTE);

        assertThat(registry.admin().session())
                .contains(new LockAdmin.Session(id.toString(), "till", THEN, heartbeat, MINUTE));
    }

    @Test
    void pausesAndResumesTheEngineUntilItIsClosed() {
        engine.paused.complete(null);

        registry.admin().pause();
        registry.admin().resume();
        assertThat(engine.pauses).hasValue(1);
        assertThat(engine.resumes).hasValue(1);
        engine.shutdown.complete(null);
        registry.close();
        registry.admin().pause();
        registry.admin().resume();

        assertThat(engine.pauses).hasValue(1);
        assertThat(engine.resumes).hasValue(1);
    }

    @Test
    void waitsForTheEngineWhenItPausesAndKeepsTheInterruptFlag() throws Exception {
        waitsInSpiteOfInterrupts(registry.admin()::pause, engine.paused);
    }

    @Test
    void saysToACallerThatDoesNotWaitThatItIsPaused() {
        engine.answering(new AcquireOutcome.Paused());

        assertThatExceptionOfType(LockPausedException.class)
                .isThrownBy(() -> registry.tryAcquire("k"))
                .withMessage("The lock registry is paused, so it does not acquire the lock \"k\" in namespace"
                        + " \"default\", and the caller does not wait. Call resume() first, or wait for"
                        + " longer than zero: who waits enters the queue after resume().");
    }

    @Test
    void showsHolderAndQueueWithPositionsCountedInCallers() {
        engine.inspection.complete(new Inspection(
                item(20, entry(1, 2), entry(2, 3), entry(3, 1), entry(2, 5)),
                Map.of(session(1), living("holder"), session(2), living("a"), session(3), living("b")),
                Set.of(),
                Map.of()));

        LockSnapshot snapshot = registry.admin().inspect("k", "n");

        assertThat(engine.inspected).isEqualTo(new LockKey("k", "n"));
        assertThat(engine.attempts).isEmpty();
        assertThat(snapshot.key()).isEqualTo("k");
        assertThat(snapshot.namespace()).isEqualTo("n");
        assertThat(snapshot.holder()).contains(new LockSnapshot.Holder(id(1), "holder", 1, 11, Optional.of(THEN)));
        assertThat(snapshot.queue())
                .containsExactly(
                        new LockSnapshot.Waiter(id(2), 1, 3, "a", 12, 14, Optional.of(THEN)),
                        new LockSnapshot.Waiter(id(3), 4, 1, "b", 15, 15, Optional.of(THEN)),
                        new LockSnapshot.Waiter(id(2), 5, 5, "a", 16, 20, Optional.of(THEN)));
    }

    @Test
    void showsEntriesOfProcessesWithEndedOrUnreadableSessions() {
        engine.inspection.complete(
                new Inspection(item(7, entry(1, 1), entry(2, 1)), Map.of(), Set.of(session(2)), Map.of()));

        LockSnapshot snapshot = registry.admin().inspect("k");

        assertThat(snapshot.holder()).contains(new LockSnapshot.Holder(id(1), "unknown", 1, 6, Optional.empty()));
        assertThat(snapshot.queue())
                .containsExactly(new LockSnapshot.Waiter(id(2), 1, 1, "unreadable", 7, 7, Optional.empty()));
    }

    @Test
    void anInspectionEndsWhenTheRegistryIsClosedMeanwhile() throws Exception {
        engine.shutdown.complete(null);
        var caller = TestThread.running(() -> registry.admin().inspect("k")).untilItWaits();

        registry.close();

        assertThat(caller.failure()).isInstanceOf(LockClosedException.class);
    }

    @Test
    void saysWhyItCouldNotInspect() throws Exception {
        var caller = TestThread.running(() -> registry.admin().inspect("k")).untilItWaits();
        assertThat(caller.failureByInterrupt()).isInstanceOf(LockInterruptedException.class);

        engine.inspection.completeExceptionally(FAILURE);
        assertThat(thrown(LockStoreException.class, () -> registry.admin().inspect("k"), "Inspecting", "\"k\""))
                .hasMessageContaining("table is missing")
                .hasCause(FAILURE);
    }

    @Test
    void refusesLocksByHandInTheNamespaceOfElections() {
        LockRequest request = LockRequest.of("mails").namespace(LeaderElection.NAMESPACE);
        for (Consumer<LockRegistry> call : List.<Consumer<LockRegistry>>of(
                locks -> locks.acquire(request),
                locks -> locks.tryAcquire(request),
                locks -> locks.acquireAsync(request),
                locks -> locks.acquireAll(List.of(request)),
                locks -> locks.acquireAllAsync(List.of(request)),
                locks -> locks.lock(request))) {
            refused(() -> call.accept(registry), "\"leader\" is that of leader elections", "\"mails\"");
        }
    }

    @Test
    void refusesAnIdThatNoEntryCanHave() {
        String tooLong = "00000000010000000000000001";
        for (String odd : List.of("", "1", "0000000001", "00000000010", "0000000001 1", "0000000001x:1", tooLong)) {
            refused(() -> registry.admin().evict("k", "n", odd), "\"" + odd + "\"", "\"k\"");
        }
        assertThat(engine.evicted).isNull();
    }

    @Test
    void saysWhyItCouldNotEvict() throws Exception {
        var caller = TestThread.running(() -> registry.admin().evict("k", "n", id(1)))
                .untilItWaits();
        assertThat(caller.failureByInterrupt()).isInstanceOf(LockInterruptedException.class);

        engine.eviction.completeExceptionally(FAILURE);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> registry.admin().evict("k", "n", id(1)))
                .withMessageContainingAll("Evicting", "\"k\"", "may have been told", "table is missing")
                .withCause(FAILURE);

        engine.shutdown.complete(null);
        registry.close();
        thrown(LockClosedException.class, () -> registry.admin().evict("k", "n", id(1)));
    }

    @Test
    void saysThatTheWaitWasEndedByAnOperator() {
        engine.answering(new AcquireOutcome.Evicted(MINUTE));

        for (Consumer<LockRegistry> waits : List.<Consumer<LockRegistry>>of(
                locks -> locks.acquire("k", MINUTE),
                locks -> locks.tryAcquire("k"),
                locks -> locks.lock("k").lock(),
                locks -> locks.lock("k").tryLock())) {
            LockEvictedException told = thrown(LockEvictedException.class, () -> waits.accept(registry));
            assertThat(told).hasMessageContainingAll("operator", "\"k\"", "not held", "PT1M");
            assertThat(told.waited()).isEqualTo(MINUTE);
            assertThat(told.key()).isEqualTo("k");
        }
        assertThat(registry.acquireAsync(LockRequest.of("k")))
                .failsWithin(MINUTE)
                .withThrowableThat()
                .withCauseInstanceOf(LockEvictedException.class);
        assertThat(registry.lock("k").isHeldByCurrentThread()).isFalse();
    }

    private static List<Consumer<LockRegistry>> callsWith(String key) {
        return List.of(
                locks -> locks.acquire(key, MINUTE),
                locks -> locks.acquire(LockRequest.of(key)),
                locks -> locks.tryAcquire(key),
                locks -> locks.tryAcquire(LockRequest.of(key)),
                locks -> locks.acquireAsync(LockRequest.of(key)),
                locks -> locks.withLock(key, MINUTE, () -> {}),
                locks -> locks.lock(key),
                locks -> locks.elect(key, leadership -> {}),
                locks -> locks.admin().inspect(key),
                locks -> locks.admin().evict(key, "default", id(1)),
                locks -> locks.admin().list(key));
    }

    private static SessionId session(int number) {
        return SessionId.of(number);
    }

    private static String id(int session) {
        return session(session) + "1";
    }

    private static Entry entry(int session, int slots) {
        return new Entry.OfSession(session(session), 1, Mode.EXCLUSIVE, slots);
    }

    private static LockItem item(long tail, Entry... queue) {
        return new LockItem(tail, List.of(queue), 0, LockData.EMPTY);
    }

    private static SessionItem living(String owner) {
        return new SessionItem(3, Duration.ofSeconds(20), owner, THEN, Set.of());
    }
}
