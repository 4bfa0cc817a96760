package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.HeldLock;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WaiterRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DefaultLockRegistryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");
    private static final StoreFailure FAILURE =
            new StoreFailure(StoreFailure.Kind.REFUSED, "table is missing", new RuntimeException("from the SDK"));

    private final FakeDoor door = new FakeDoor();
    private final DefaultLockRegistry registry = door.registry();

    @Test
    void asksForWhatTheRequestSays() {
        door.granting();
        registry.acquire(LockRequest.of("k")
                .namespace("n")
                .name("orders")
                .wait(MINUTE)
                .maxHold(Duration.ofSeconds(9))
                .holdAtLeast(Duration.ofSeconds(2)));

        var spec = door.attempt(0).spec;
        assertThat(spec.key()).isEqualTo(new LockKey("k", "n"));
        assertThat(spec.name()).isEqualTo("orders");
        assertThat(spec.waitLimit()).isEqualTo(MINUTE);
        assertThat(spec.maxHold()).isEqualTo(Duration.ofSeconds(9));
        assertThat(spec.holdAtLeast()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void waitsForEverToAcquireAndNotAtAllToTryUnlessTheRequestSaysOtherwise() {
        door.granting();
        LockRequest request = LockRequest.of("k");

        registry.acquire(request);
        registry.acquireAsync(request).join();
        registry.tryAcquire(request);
        registry.tryAcquire("k");
        registry.tryAcquire(request.wait(MINUTE));
        registry.acquire("k", Duration.ZERO);

        assertThat(door.attempts)
                .extracting(attempt -> attempt.spec.waitLimit())
                .containsExactly(
                        LockRequest.FOREVER, LockRequest.FOREVER, Duration.ZERO, Duration.ZERO, MINUTE, Duration.ZERO);
    }

    @Test
    void givesAHandleOnTheGrant() {
        LockHandle handle = door.granting().registry().acquire("k", MINUTE);

        assertThat(handle.key()).isEqualTo("k");
        assertThat(handle.namespace()).isEqualTo("default");
        assertThat(handle.fencingToken()).isEqualTo(101);
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void blocksUntilTheLockIsGranted() throws Exception {
        var caller = TestThread.running(() -> registry.acquire("k", MINUTE)).untilItWaits();

        door.attempt(0).grant();

        assertThat(caller.value().fencingToken()).isEqualTo(101);
        assertThat(door.attempt(0).abandons).hasValue(0);
    }

    @Test
    void saysAfterATimeoutHowLongItWaitedWhereItStoodAndWhoHoldsTheLock() {
        door.answering(new AcquireOutcome.TimedOut(MINUTE, 2, holder("orders@host:7")));

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> registry.acquire("k", MINUTE))
                .withMessageContainingAll(
                        "\"k\"", "\"default\"", "PT1M", "position 2", "orders@host:7", THEN.toString())
                .satisfies(e -> {
                    assertThat(e.key()).isEqualTo("k");
                    assertThat(e.namespace()).isEqualTo("default");
                    assertThat(e.waited()).isEqualTo(MINUTE);
                    assertThat(e.position()).isEqualTo(2);
                    assertThat(e.holder()).contains("orders@host:7");
                    assertThat(e.heldSince()).contains(THEN);
                });
    }

    @Test
    void saysSoIfNobodyKnowsTheHolderAfterATimeout() {
        door.answering(new AcquireOutcome.TimedOut(MINUTE, 0, null));

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> registry.acquire("k", MINUTE))
                .withMessageContaining("holder unknown")
                .satisfies(e -> assertThat(e.position()).isEqualTo(1))
                .satisfies(e -> assertThat(e.holder()).isEmpty())
                .satisfies(e -> assertThat(e.heldSince()).isEmpty());
    }

    @Test
    void triesInVainWithoutAnException() {
        door.answering(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null));

        assertThat(registry.tryAcquire("k")).isEmpty();
        assertThat(registry.tryAcquire(LockRequest.of("k").wait(MINUTE))).isEmpty();
    }

    @Test
    void passesOnWhatTheStoreSaidWhenItFails() {
        door.answering(new AcquireOutcome.Failed(Duration.ofSeconds(3), FAILURE));

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> registry.acquire("k", MINUTE))
                .withMessageContainingAll("\"k\"", "PT3S", "table is missing", "not held")
                .withCause(FAILURE);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> registry.tryAcquire("k"));
    }

    @Test
    void leavesTheQueueWhenInterruptedAndKeepsTheFlag() throws Exception {
        var caller = TestThread.running(() -> registry.acquire("k", MINUTE)).untilItWaits();

        caller.interrupt();

        assertThat(caller.failure())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContaining("\"k\"")
                .hasCauseInstanceOf(InterruptedException.class);
        caller.assertInterruptFlagAtEnd(true);
        assertThat(door.attempt(0).abandons).hasValue(1);
    }

    @Test
    void doesNotEvenAskForAThreadThatIsInterruptedAlready() throws Exception {
        door.granting();
        List<Consumer<LockRegistry>> calls = List.of(
                locks -> locks.acquire("k", MINUTE),
                locks -> locks.acquire(LockRequest.of("k")),
                locks -> locks.tryAcquire("k"),
                locks -> locks.tryAcquire(LockRequest.of("k").wait(MINUTE)),
                locks -> locks.withLock("k", MINUTE, () -> {}));
        for (Consumer<LockRegistry> call : calls) {
            var caller = TestThread.running(() -> {
                Thread.currentThread().interrupt();
                call.accept(registry);
                return null;
            });
            assertThat(caller.failure()).isInstanceOf(LockInterruptedException.class);
            caller.assertInterruptFlagAtEnd(true);
        }
        assertThat(door.attempts).isEmpty();
    }

    @Test
    void refusesKeysThatAreTooLongTogetherWithThePrefix() {
        DefaultLockRegistry prefixed = door.granting().registry(6);

        assertThat(prefixed.acquire("k".repeat(2_042), MINUTE).isValid()).isTrue();
        String tooLong = "k".repeat(2_043);
        for (Consumer<LockRegistry> call : callsWith(tooLong)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> call.accept(prefixed))
                    .withMessageContainingAll("\"kkk", "2043 bytes", "prefix takes 6");
        }
        assertThat(door.attempts).hasSize(1);
    }

    @Test
    void refusesEmptyKeysAndNegativeWaitsEverywhere() {
        for (Consumer<LockRegistry> call : callsWith("")) {
            assertThatIllegalArgumentException().isThrownBy(() -> call.accept(registry));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.acquire("k", Duration.ofSeconds(-1)))
                .withMessageContaining("PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.withLock("k", Duration.ofSeconds(-1), () -> {}))
                .withMessageContaining("PT-1S");
        assertThat(door.attempts).isEmpty();
    }

    static Stream<Consumer<LockRegistry>> everyCall() {
        return Stream.concat(
                callsWith("k").stream(),
                Stream.of(
                        locks -> locks.lock("k").lock(),
                        locks -> locks.lock("k").tryLock(),
                        locks -> locks.inspect("k", "n")));
    }

    @ParameterizedTest
    @MethodSource("everyCall")
    void saysThatItIsClosedOnceItIs(Consumer<LockRegistry> call) {
        door.shutdown.complete(null);
        registry.close();

        assertThatThrownBy(() -> call.accept(registry))
                .isInstanceOf(LockClosedException.class)
                .hasMessageContainingAll("closed", "\"k\"");
        assertThat(door.attempts).isEmpty();
    }

    @Test
    void refusesViewsMadeBeforeItWasClosed() {
        var view = registry.lock("k");
        door.shutdown.complete(null);
        registry.close();

        assertThatThrownBy(view::lock).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(view::tryLock).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(view::lockInterruptibly).isInstanceOf(LockClosedException.class);
        assertThat(door.attempts).isEmpty();
    }

    @Test
    void endsEveryWaitWhenItIsClosed() throws Exception {
        door.shutdown.complete(null);
        var blocked = TestThread.running(() -> registry.acquire("k", MINUTE)).untilItWaits();
        var async = registry.acquireAsync(LockRequest.of("k"));

        registry.close();

        assertThat(blocked.failure()).isInstanceOf(LockClosedException.class);
        assertThat(async).failsWithin(MINUTE).withThrowableThat().withCauseInstanceOf(LockClosedException.class);
    }

    @Test
    void waitsForTheEngineWhenItCloses() throws Exception {
        var closer = TestThread.running(() -> {
                    registry.close();
                    return null;
                })
                .untilItWaits();
        assertThat(closer.isDone()).isFalse();

        door.shutdown.complete(null);

        closer.value();
    }

    @Test
    void closesInSpiteOfAnInterruptAndKeepsTheFlag() throws Exception {
        var closer = TestThread.running(() -> {
            Thread.currentThread().interrupt();
            registry.close();
            return null;
        });
        closer.untilItWaits();

        door.shutdown.complete(null);

        closer.value();
        closer.assertInterruptFlagAtEnd(true);
    }

    @Test
    void doesNotWaitForEverForAnEngineThatDoesNotEnd() {
        DefaultLockRegistry impatient = new DefaultLockRegistry(
                door, new RegistryThreads(null), new ListenerRelay(new ListenerQueue(null)), 0, Duration.ofMillis(1));

        impatient.close();

        assertThat(door.shutdown).isNotDone();
    }

    @Test
    void closesAsOftenAsOneLikes() {
        door.shutdown.complete(null);
        registry.close();
        registry.close();

        assertThat(registry.held()).isEmpty();
        assertThat(registry.waiting()).isZero();
    }

    @Test
    void listsWhatItHoldsAndCountsWhoWaits() {
        door.held.add(new HeldLock(new LockKey("k", "n"), "orders", 7, THEN));
        registry.acquireAsync(LockRequest.of("a"));
        registry.acquireAsync(LockRequest.of("b"));

        assertThat(registry.held()).containsExactly(new io.dynamolock.HeldLock("k", "n", "orders", 7, THEN));
        assertThat(registry.waiting()).isEqualTo(2);
    }

    @Test
    void inspectsWithOneLookAndCountsPositionsInCallers() {
        door.view.complete(new QueueView(
                new LockState(20, 10, holder("holder")),
                List.of(row(8, 10, "served"), row(11, 13, "a"), row(14, 14, "b"), row(16, 20, "a")),
                false));

        LockSnapshot snapshot = registry.inspect("k", "n");

        assertThat(door.lookedAt).isEqualTo(new LockKey("k", "n"));
        assertThat(door.lookLimit).isEqualTo(100);
        assertThat(door.attempts).isEmpty();
        assertThat(snapshot.key()).isEqualTo("k");
        assertThat(snapshot.namespace()).isEqualTo("n");
        assertThat(snapshot.holder()).contains(new LockSnapshot.Holder("holder", 10, THEN));
        assertThat(snapshot.complete()).isFalse();
        assertThat(snapshot.queue())
                .containsExactly(
                        new LockSnapshot.Waiter(1, 3, "a", 11, 13, THEN),
                        new LockSnapshot.Waiter(4, 1, "b", 14, 14, THEN),
                        new LockSnapshot.Waiter(5, 5, "a", 16, 20, THEN));
    }

    @Test
    void inspectsALockThatNobodyEverTook() {
        door.view.complete(new QueueView(LockState.ABSENT, List.of(), true));

        LockSnapshot snapshot = registry.inspect("k");

        assertThat(snapshot).isEqualTo(new LockSnapshot("k", "default", java.util.Optional.empty(), List.of(), true));
    }

    @Test
    void doesNotInspectForEverWhenItIsClosedMeanwhile() throws Exception {
        door.shutdown.complete(null);
        var caller = TestThread.running(() -> registry.inspect("k")).untilItWaits();

        registry.close();

        assertThat(caller.failure()).isInstanceOf(LockClosedException.class);
    }

    @Test
    void saysWhyItCouldNotInspect() throws Exception {
        var caller = TestThread.running(() -> registry.inspect("k")).untilItWaits();
        caller.interrupt();
        assertThat(caller.failure()).isInstanceOf(LockInterruptedException.class);
        caller.assertInterruptFlagAtEnd(true);

        door.view.completeExceptionally(FAILURE);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> registry.inspect("k"))
                .withMessageContainingAll("Inspecting", "\"k\"", "table is missing")
                .withCause(FAILURE);
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
                locks -> locks.inspect(key));
    }

    private static Holder holder(String owner) {
        return new Holder(claimant(owner), THEN);
    }

    private static WaiterRow row(long first, long last, String owner) {
        return new WaiterRow(first, last, claimant(owner), THEN);
    }

    private static Claimant claimant(String owner) {
        return new Claimant(new SessionId(new UUID(0, 1)), new BlockId(new UUID(0, 2)), owner);
    }
}
