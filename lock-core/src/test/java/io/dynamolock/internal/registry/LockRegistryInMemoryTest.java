package io.dynamolock.internal.registry;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSnapshot;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.ManualTime;
import io.dynamolock.internal.testing.TestThread;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What users are promised, from the call down to a store: two processes on one table in memory, and a clock to move.
 */
class LockRegistryInMemoryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LockKey KEY = new LockKey("k", "default");

    private final InMemoryLockStore table = new InMemoryLockStore();
    private final FaultyLockStore store = new FaultyLockStore(table);
    private final ManualTime time = new ManualTime();
    private final List<LockEvent> heard = new CopyOnWriteArrayList<>();
    private final LockRegistry locks = RegistryBuilder.of(store)
            .owner("here")
            .on(time)
            .listener(heard::add)
            .build();
    private final LockRegistry others =
            RegistryBuilder.of(table).owner("there").on(time).build();

    @AfterEach
    void close() {
        store.heal();
        time.close(locks, others);
    }

    /** The figures in the Javadoc of remainingValidity. */
    @Test
    void theValidityIsTheLeaseLessTheMarginAndTheTimeSinceTheLastHeartbeatWasSent() {
        LockHandle handle = locks.acquire("k", MINUTE);
        Duration valid = Duration.ofSeconds(20).minus(Duration.ofSeconds(20).dividedBy(12));
        assertThat(handle.remainingValidity()).isEqualTo(valid);

        store.next(StoreOperation.HEARTBEAT, Fault.SLOW_ANSWER);
        time.advance(Duration.ofMillis(5_030));
        assertThat(handle.remainingValidity())
                .as("a heartbeat that has been under way for 30 ms")
                .isEqualTo(valid.minusMillis(5_030));

        store.resume();
        time.settle();
        assertThat(handle.remainingValidity()).isEqualTo(valid.minusMillis(30));
        handle.close();
    }

    @Test
    void failsAtOnceWithoutAWaitAndNamesTheHolder() {
        LockHandle handle = locks.acquire("k", MINUTE);

        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> locks.acquire("k", Duration.ZERO))
                .satisfies(e -> assertThat(e.position()).isEqualTo(1))
                .satisfies(e -> assertThat(e.holder()).contains("here"));
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> others.acquire("k", Duration.ZERO))
                .satisfies(e -> assertThat(e.position()).isEqualTo(1))
                .satisfies(e -> assertThat(e.holder()).contains("here"))
                .satisfies(e -> assertThat(e.heldSince()).isPresent());
        handle.close();
        assertNothingLeft();
    }

    @Test
    void givesUpOnTimeAndLeavesTheQueue() throws Exception {
        LockHandle handle = others.acquire("k", MINUTE);
        var caller = TestThread.running(() -> locks.acquire("k", MINUTE)).untilItWaits();
        await().until(() -> placesTaken() == 2);

        time.advance(MINUTE.minusMillis(1));
        assertThat(caller.isDone()).isFalse();
        time.advance(Duration.ofMillis(1));

        assertThat(caller.failure()).isInstanceOfSatisfying(LockTimeoutException.class, e -> {
            assertThat(e.waited()).isEqualTo(MINUTE);
            assertThat(e.position()).isEqualTo(1);
            assertThat(e.holder()).contains("there");
        });
        assertThat(locks.admin().waiting()).isZero();
        // The place waits a moment for a caller that comes back.
        time.advance(Duration.ofMillis(5));
        await().until(() -> placesTaken() == 1);
        handle.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000_000, 36_500L * 86_400})
    void waitsForEverIfToldSoOrToWaitAbsurdlyLong(long seconds) throws Exception {
        LockHandle handle = locks.acquire("k", MINUTE);
        var caller = TestThread.running(() -> locks.acquire("k", Duration.ofSeconds(seconds)))
                .untilItWaits();

        time.advance(Duration.ofHours(1));
        assertThat(caller.isDone()).isFalse();
        handle.close();

        assertThat(caller.value().isValid()).isTrue();
    }

    @Test
    void leavesNoTraceOfACallerThatIsInterruptedOrCancelled() throws Exception {
        LockHandle handle = others.acquire("k", MINUTE);
        var caller = TestThread.running(() -> locks.acquire("k", MINUTE)).untilItWaits();
        CompletableFuture<LockHandle> future = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> placesTaken() > 1 && locks.admin().waiting() == 2);

        assertThat(caller.failureByInterrupt())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContaining("\"k\"")
                .hasCauseInstanceOf(InterruptedException.class);
        future.cancel(true);

        time.advanceUntil(Duration.ofMillis(100), () -> placesTaken() == 1);
        await().until(() -> locks.admin().waiting() == 0);
        handle.close();
        assertNothingLeft();
    }

    @Test
    void endsEverythingAtOnceWhenClosed() throws Exception {
        LockHandle handle = locks.acquire("k", MINUTE);
        CompletableFuture<Void> lost = lossOf(handle);
        var blocked = TestThread.running(() -> locks.acquire("k", MINUTE)).untilItWaits();
        CompletableFuture<LockHandle> future = locks.acquireAsync(LockRequest.of("k"));

        locks.close();

        assertThat(handle.isValid()).isFalse();
        assertThat(blocked.failure()).isInstanceOf(LockClosedException.class);
        assertThat(future).failsWithin(MINUTE).withThrowableThat().withCauseInstanceOf(LockClosedException.class);
        lost.get(10, TimeUnit.SECONDS);
        assertThat(handle.release()).isFalse();
        handle.close();
        assertThat(locks.admin().held()).isEmpty();
        assertThat(locks.admin().waiting()).isZero();
        await().until(() -> isLost("closed"));
        var next = TestThread.running(() -> others.acquire("k", MINUTE));
        time.advanceUntil(Duration.ofMillis(50), next::isDone);
        assertThat(next.value().isValid()).isTrue();
    }

    @Test
    void takesALockAwayFromAHolderThatKeepsItTooLong() throws Exception {
        LockHandle handle = locks.acquire(LockRequest.of("k").maxHold(Duration.ofSeconds(3)));
        CompletableFuture<Void> lost = lossOf(handle);
        CompletableFuture<LockHandle> next = locks.acquireAsync(LockRequest.of("k"));
        assertThat(handle.remainingValidity()).isLessThanOrEqualTo(Duration.ofSeconds(3));

        time.advance(Duration.ofSeconds(3));

        assertThat(handle.isValid()).isFalse();
        thrown(LockLostException.class, handle::ensureValid, "was lost: its maxHold is over. Another");
        lost.get(10, TimeUnit.SECONDS);
        assertThat(handle.release()).isFalse();
        LockHandle successor = next.get(10, TimeUnit.SECONDS);
        assertThat(successor.fencingToken()).isGreaterThan(handle.fencingToken());
        await().until(() -> isLost("max-hold"));
        successor.close();
        assertNothingLeft();
    }

    @Test
    void tellsTheHolderWhenNoHeartbeatGetsThrough() throws Exception {
        LockHandle handle = locks.acquire("k", MINUTE);
        CompletableFuture<Void> lost = lossOf(handle);
        store.everything(Fault.LOST_REQUEST);

        time.advance(Duration.ofSeconds(20));

        assertThat(handle.isValid()).isFalse();
        assertThat(handle.remainingValidity()).isZero();
        assertThatThrownBy(handle::ensureValid)
                .hasMessageContaining("was lost: no heartbeat of this process")
                .message()
                .doesNotContain("maxHold", "by hand", "closed");
        lost.get(10, TimeUnit.SECONDS);
        assertThat(handle.release()).isFalse();
        await().until(() -> isLost("session-lost"));
        await().untilAsserted(() -> assertThat(heard)
                .hasAtLeastOneElementOfType(LockEvent.SessionLost.class)
                .hasAtLeastOneElementOfType(LockEvent.StoreCallFailed.class));
        time.advance(Duration.ofSeconds(20));
        assertThat(locks.admin().storeTroubles())
                .as("nobody sends heartbeats any more, so no answer could end their trouble")
                .noneMatch(trouble -> trouble.operation().equals("heartbeat"));
    }

    @Test
    void operatorsSeeWhichStepsFailUntilTheyAreAnsweredAgain() {
        locks.acquire("other", MINUTE).close();
        store.always(StoreOperation.EDIT, Fault.LOST_REQUEST);
        var caller = TestThread.running(() -> locks.acquire("k", MINUTE)).untilItWaits();
        time.advanceUntil(
                Duration.ofSeconds(1),
                () -> locks.admin().storeTroubles().stream().anyMatch(trouble -> trouble.failures() >= 3));

        assertThat(locks.admin().storeTroubles()).singleElement().satisfies(trouble -> {
            assertThat(trouble.operation()).isEqualTo("edit");
            assertThat(trouble.kind()).isEqualTo("unavailable");
            assertThat(trouble.sinceFirst()).isGreaterThan(trouble.sinceLatest());
        });
        store.heal();
        time.advanceUntil(Duration.ofSeconds(1), caller::isDone);
        assertThat(locks.admin().storeTroubles()).isEmpty();
    }

    @Test
    void tellsTheHolderAtTheReleaseThatSomebodyDeletedTheLocksItem() throws Exception {
        LockHandle handle = locks.acquire("k", MINUTE);
        CompletableFuture<Void> lost = lossOf(handle);
        table.removeLock(KEY);

        assertThat(handle.release()).isFalse();

        lost.get(10, TimeUnit.SECONDS);
        thrown(LockLostException.class, handle::ensureValid, "was lost");
        await().until(() -> isLost("taken-away"));
        LockRequest awaited = LockRequest.of("k").awaitRelease(true);
        thrown(LockLostException.class, () -> locks.withLock(awaited, () -> table.removeLock(KEY)));
        assertNothingLeft();
    }

    @Test
    void tellsByCallbackAndEventOfALossThatOnlyTheAnswerToAReleaseShows() throws Exception {
        CompletableFuture<Void> lost = new CompletableFuture<>();

        locks.withLock(LockRequest.of("k"), handle -> {
            handle.onLost(() -> lost.complete(null));
            table.removeLock(KEY);
            return 0;
        });

        lost.get(10, TimeUnit.SECONDS);
        await().until(() -> isLost("taken-away"));
        assertThat(heard).noneMatch(LockEvent.Released.class::isInstance);
    }

    @Test
    void returnsFromASectionBeforeTheStoreAnswers() {
        runWithStalledRelease();

        await().until(() -> store.count(StoreOperation.EDIT) == 2);
        assertThat(placesTaken()).as("the release has no effect yet").isEqualTo(1);
        assertThat(locks.admin().held()).isEmpty();

        store.resume();
        assertNothingLeft();
    }

    private void runWithStalledRelease() {
        locks.withLock(LockRequest.of("k"), () -> {
            store.next(StoreOperation.EDIT, Fault.STALLS);
        });
    }

    @Test
    void closingFinishesTheReleasesThatAreUnderWay() throws Exception {
        finishesReleases(locks::close);
    }

    @Test
    void aPauseFinishesTheReleasesThatAreUnderWay() throws Exception {
        finishesReleases(locks.admin()::pause);
    }

    private void finishesReleases(Runnable end) throws Exception {
        runWithStalledRelease();
        await().until(() -> store.count(StoreOperation.EDIT) == 2);
        var ending = TestThread.running(Executors.callable(end)).untilItWaits();

        store.resume();
        ending.value();

        assertThat(placesTaken()).isZero();
        assertThat(others.tryAcquire("k")).isPresent();
    }

    @Test
    void aTryRightAfterASectionOfTheSameProcessGetsTheLock() throws Exception {
        runWithStalledRelease();
        await().until(() -> store.count(StoreOperation.EDIT) == 2);
        var next = TestThread.running(() -> locks.tryAcquire("k")).untilItWaits();

        store.resume();

        assertThat(next.value()).isPresent();
    }

    @Test
    void passesOnARefusalOfTheStoreAtOnceAndServesAgainAfterwards() {
        locks.acquire("warm up", MINUTE).close();
        store.everythingButHeartbeats(Fault.REFUSED);

        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> locks.acquire("k", MINUTE))
                .withCauseInstanceOf(StoreFailure.class);
        assertThatExceptionOfType(LockStoreException.class)
                .isThrownBy(() -> locks.admin().inspect("k"))
                .withMessageContainingAll("Inspecting the lock \"k\"", "who holds it is not known")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("is not held"));
        assertThat(locks.admin().waiting()).isZero();

        store.heal();
        locks.acquire("k", MINUTE).close();
        assertNothingLeft();
    }

    @Test
    void givesUpOnTimeIfTheStoreDoesNotAnswer() throws Exception {
        locks.acquire("warm up", MINUTE).close();
        store.everythingButHeartbeats(Fault.STALLS);
        var trying = TestThread.running(() -> locks.tryAcquire("one")).untilItWaits();
        var waitingShort = TestThread.running(() -> locks.acquire("two", Duration.ofMillis(1)))
                .untilItWaits();
        var waitingLong = TestThread.running(() -> locks.acquire("three", Duration.ofSeconds(6)))
                .untilItWaits();
        await().until(() -> locks.admin().waiting() == 3);
        time.settle();

        time.advance(Duration.ofMillis(999));
        assertThat(locks.admin().waiting()).as("each is owed an answer").isEqualTo(3);
        time.advance(Duration.ofMillis(2));
        assertThat(trying.failure()).isInstanceOf(LockStoreException.class);
        assertThat(waitingShort.failure()).isInstanceOf(LockStoreException.class);
        time.advance(Duration.ofSeconds(4));
        assertThat(waitingLong.isDone()).isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(waitingLong.failure()).isInstanceOf(LockStoreException.class);

        store.heal();
        store.resume();
        time.advance(Duration.ofSeconds(30));
        assertNothingLeft();
    }

    @Test
    void releasesAHandleThatItsUserDropped() {
        locks.acquire("k", MINUTE);

        await().until(() -> {
            System.gc();
            return locks.admin().held().isEmpty();
        });
        assertNothingLeft();
    }

    /** The code of "A lock is stuck" in {@code docs/operations.md}, on a lock whose second caller in a turn hangs. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theRunbookFreesALockThatIsStuck(boolean isInItsProcess) throws Exception {
        LockRegistry operator = isInItsProcess ? locks : others;
        LockHandle first = locks.acquire("k", MINUTE);
        CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
        await().until(() -> {
            time.advance(Duration.ofMillis(100));
            return placesTaken() == 2;
        });
        first.close();
        LockHandle hangs = second.get(1, TimeUnit.MINUTES);
        time.advance(Duration.ofSeconds(20));

        CompletableFuture<Boolean> evicted = CompletableFuture.supplyAsync(() -> {
            LockSnapshot lock = operator.admin().inspect("k", "default");
            return lock.holder()
                    .map(holder -> operator.admin().evict("k", "default", holder.id()))
                    .orElseThrow();
        });
        time.advanceUntil(Duration.ofMillis(200), evicted::isDone);

        assertThat(evicted).isCompletedWithValue(true);
        assertThat(hangs.isValid()).isFalse();
        others.acquire("k", MINUTE).close();
    }

    @Test
    void anEvictedHolderLearnsOfItWithItsNextHeartbeat() {
        LockHandle handle = locks.acquire("k", MINUTE);
        CompletableFuture<LockHandle> next = others.acquireAsync(LockRequest.of("k"));
        await().until(() -> placesTaken() == 2);

        String id = locks.admin().inspect("k").holder().orElseThrow().id();
        CompletableFuture<Boolean> evicted =
                CompletableFuture.supplyAsync(() -> others.admin().evict("k", "default", id));
        time.advanceUntil(Duration.ofSeconds(1), evicted::isDone);
        assertThat(evicted).isCompletedWithValue(true);
        time.advanceUntil(Duration.ofSeconds(1), next::isDone);

        assertThat(handle.isValid()).isFalse();
        thrown(LockLostException.class, handle::ensureValid, "operator");
        assertThat(handle.release()).isFalse();
        await().until(() -> isLost("evicted"));
        next.join().close();
    }

    @Test
    void tellsTheListenerTheEventsOfALockInOrder() throws Exception {
        LockHandle handle = locks.acquire(LockRequest.of("k").name("orders"));
        CompletableFuture<LockHandle> second = locks.acquireAsync(LockRequest.of("k"));
        var third = TestThread.running(
                        () -> locks.tryAcquire(LockRequest.of("k").waitTime(Duration.ofSeconds(1))))
                .untilItWaits();
        Duration company = Duration.ofMillis(50);
        time.advance(company);
        await().until(() ->
                heard.stream().filter(LockEvent.Queued.class::isInstance).count() == 2);
        time.advance(Duration.ofSeconds(1).minus(company));
        assertThat(third.value()).isEmpty();
        second.cancel(true);
        time.settle();
        handle.close();

        await().until(() -> heard.size() == 7);
        Duration waited = Duration.ofSeconds(1);
        long token = handle.fencingToken();
        assertThat(heard.get(0)).isInstanceOf(LockEvent.SessionStarted.class);
        assertThat(heard.get(1))
                .isEqualTo(new LockEvent.Acquired("k", "default", "orders", token, Duration.ZERO, false));
        for (int i = 1; i <= 2; i++) {
            LockEvent.Queued queued = (LockEvent.Queued) heard.get(i + 1);
            assertThat(queued).isEqualTo(new LockEvent.Queued("k", "default", "default", queued.fencingToken(), i));
        }
        assertThat(heard.subList(4, 7))
                .containsExactly(
                        new LockEvent.TimedOut("k", "default", "default", waited),
                        new LockEvent.Abandoned("k", "default", "default", waited),
                        new LockEvent.Released("k", "default", "orders", token, waited));
    }

    /** By the holder and those who wait. */
    private int placesTaken() {
        return table.lock(KEY).queue().size();
    }

    private void assertNothingLeft() {
        await().untilAsserted(() -> assertThat(placesTaken()).isZero());
    }

    private static CompletableFuture<Void> lossOf(LockHandle handle) {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        handle.onLost(() -> lost.complete(null));
        return lost;
    }

    private boolean isLost(String reason) {
        return heard.stream()
                .anyMatch(event ->
                        event instanceof LockEvent.Lost lost && lost.reason().equals(reason));
    }
}
