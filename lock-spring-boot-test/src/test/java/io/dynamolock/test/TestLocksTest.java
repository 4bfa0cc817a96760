package io.dynamolock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("try")
class TestLocksTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestLocks locks = TestLocks.create();
    private final LockRegistry registry = locks.registry();

    @AfterEach
    void close() {
        locks.close();
    }

    private static LockRequest request(String key, Duration wait) {
        return LockRequest.of(key).waitTime(wait);
    }

    private static void assertTimesOut(CompletableFuture<LockHandle> waiter) {
        assertThat(waiter)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void anOccupiedLockIsBusyUntilTheSituationIsClosed() {
        try (Situation busy = locks.occupy("a")) {
            assertThat(registry.tryAcquire("a")).isEmpty();
            assertThat(registry.tryAcquire("b")).isPresent();
            assertThat(registry.admin().inspect("a").holder().orElseThrow().owner())
                    .isEqualTo("another process");
        }
        assertThat(registry.tryAcquire("a")).isPresent();
    }

    @Test
    void closedTestLocksLeaveNoThread() throws InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (TestLocks more = TestLocks.create()) {
            more.occupy("a");
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread)) {
                thread.join(10_000);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    @Test
    void occupyingALockLeavesOtherNamespacesFree() {
        locks.occupy("a", "other");

        assertThat(registry.tryAcquire("a")).isPresent();
        assertThat(registry.tryAcquire(LockRequest.of("a").namespace("other"))).isEmpty();
    }

    @Test
    void aLockThatIsHeldCannotBeOccupied() {
        registry.acquire("a", Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> locks.occupy("a"))
                .withMessageContaining("'a'")
                .withMessageContaining("not free");
    }

    @Test
    void aWaiterGetsAnOccupiedLockWhenItsTimeIsOver() {
        locks.occupy("a", Duration.ofMinutes(10));
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("a", HOUR));
        locks.awaitWaiting("a");

        locks.advance(Duration.ofMinutes(9));
        assertThat(waiter).isNotDone();

        locks.advance(Duration.ofMinutes(2));
        assertThat(waiter).succeedsWithin(10, TimeUnit.SECONDS).matches(LockHandle::isValid);
    }

    @Test
    void aWaitEndsWhenTheClockIsMovedToItsEnd() {
        locks.occupy("a");
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("a", HOUR));
        locks.awaitWaiting("a");

        locks.advance(HOUR.minusMinutes(1));
        assertThat(waiter).isNotDone();

        locks.advance(Duration.ofMinutes(1));
        assertTimesOut(waiter);
    }

    @Test
    void waitsTimeOutAtOnceAndSayHowLongTheyWouldHaveTaken() {
        locks.timeOut("a");

        LockTimeoutException late = catchThrowableOfType(LockTimeoutException.class, () -> registry.acquire("a", HOUR));

        assertThat(late.waited()).isEqualTo(HOUR);
        assertThat(late.holder()).contains("another process");
        assertThat(registry.tryAcquire("a")).isEmpty();
        assertTimesOut(registry.acquireAsync(request("a", HOUR)));
    }

    @Test
    void waitsUnderWayTimeOutToo() {
        Situation busy = locks.occupy("a");
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("a", HOUR));
        locks.awaitWaiting("a");

        try (Situation late = locks.timeOut("a")) {
            assertTimesOut(waiter);
        }
        busy.close();
        assertThat(registry.tryAcquire("a")).isPresent();
    }

    @Test
    void waitsTimeOutBehindTheCodeUnderTestItselfToo() {
        LockHandle held = registry.acquire("a", Duration.ZERO);
        locks.timeOut("a");
        held.release();

        assertThatThrownBy(() -> registry.acquire("a", HOUR)).isInstanceOf(LockTimeoutException.class);
        assertThat(held.isValid()).isFalse();
    }

    @Test
    void aWaitForEverIsToldThatNothingWouldEndIt() {
        locks.timeOut("a");

        assertThatIllegalStateException()
                .isThrownBy(() -> registry.acquire("a", LockRequest.FOREVER))
                .withMessageContaining("for ever");
    }

    @Test
    void aLostLockIsInvalidReportedAndFreeForOthers() {
        LockHandle handle = registry.acquire("a", Duration.ZERO);
        LockHandle other = registry.acquire("b", Duration.ZERO);
        AtomicInteger told = new AtomicInteger();
        handle.onLost(told::incrementAndGet);

        locks.lose("a");

        assertThat(told).hasValue(1);
        assertThat(handle.isValid()).isFalse();
        assertThatThrownBy(handle::ensureValid).isInstanceOf(LockLostException.class);
        assertThat(other.isValid()).isTrue();
        locks.occupy("a");
    }

    @Test
    void aLostLockGoesToTheNextWaiter() {
        registry.acquire("a", Duration.ZERO);
        CompletableFuture<LockHandle> next = registry.acquireAsync(request("a", HOUR));
        locks.awaitWaiting("a");

        locks.lose("a");

        assertThat(next).succeedsWithin(10, TimeUnit.SECONDS).matches(LockHandle::isValid);
    }

    @Test
    void readersAndPermitsAreLostToo() {
        LockHandle reader = registry.readWrite("a").read().acquire(Duration.ZERO);
        LockHandle permit = registry.permits("b", 3).acquire(Duration.ZERO);

        locks.lose("a");
        locks.lose("b");

        assertThat(List.of(reader, permit)).noneMatch(LockHandle::isValid);
        assertThat(registry.permits("b", 3).tryAcquire()).isPresent();
    }

    @Test
    void whatIsNotHeldCannotBeLost() {
        registry.acquire("b", Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> locks.lose("a"))
                .withMessageContaining("does not hold lock 'a'")
                .withMessageContaining("lock 'b'");
    }

    @Test
    void aLostSessionTakesAllLocksWithIt() {
        LockHandle a = registry.acquire("a", Duration.ZERO);
        LockHandle b = registry.acquire("b", Duration.ZERO);
        AtomicInteger told = new AtomicInteger();
        a.onLost(told::incrementAndGet);

        locks.loseSession();

        assertThat(List.of(a, b)).noneMatch(LockHandle::isValid);
        assertThat(told).hasValue(1);
        assertThat(registry.tryAcquire("a")).isPresent();
    }

    @Test
    void aLostSessionIsNoticedEvenIfAWaiterHasTheLockUnderTheNextSession() {
        LockHandle lost = registry.acquire("a", Duration.ZERO);
        Instant before = locks.now();
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("a", HOUR));
        locks.awaitWaiting("a");

        assertThat(CompletableFuture.runAsync(locks::loseSession)).succeedsWithin(20, TimeUnit.SECONDS);

        assertThat(lost.isValid()).isFalse();
        assertThat(waiter).succeedsWithin(10, TimeUnit.SECONDS).matches(LockHandle::isValid);
        assertThat(locks.now()).isBefore(before.plus(HOUR));
    }

    @Test
    void aSessionWithoutLocksCannotBeLost() {
        registry.acquire("a", Duration.ZERO).release();

        assertThatIllegalStateException().isThrownBy(locks::loseSession).withMessageContaining("holds no lock");
    }

    @Test
    void aFullQueueAdmitsNobodyUntilTheSituationIsClosed() {
        CompletableFuture<LockHandle> waiter;
        try (Situation full = locks.fillQueue("a")) {
            assertThat(registry.admin().inspect("a").queue()).hasSize(199);
            waiter = registry.acquireAsync(request("a", HOUR));
            locks.awaitWaiting("a");
            locks.advance(Duration.ofMinutes(5));
            assertThat(registry.admin().inspect("a").queue()).hasSize(199);
        }
        assertThat(waiter).succeedsWithin(10, TimeUnit.SECONDS).matches(LockHandle::isValid);
    }

    @Test
    void aRefusingStoreFailsCallsUntilTheSituationIsClosed() {
        try (Situation refused = locks.refuseStore()) {
            assertThatThrownBy(() -> registry.acquire("a", HOUR)).isInstanceOf(LockStoreException.class);
        }
        assertThat(registry.tryAcquire("a")).isPresent();
    }

    @Test
    void aSilentStoreLosesTheLocksWhenALeaseIsOver() {
        LockHandle handle = registry.acquire("a", Duration.ZERO);
        try (Situation silent = locks.silenceStore()) {
            locks.advance(Duration.ofSeconds(5));
            assertThat(handle.isValid()).isTrue();
            locks.advance(Duration.ofSeconds(20));
            assertThat(handle.isValid()).isFalse();
        }
        assertThat(registry.tryAcquire("b")).isPresent();
    }

    @Test
    void aSilentStoreFailsWaitsWhenTheirTimeIsOver() {
        locks.silenceStore();
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("a", Duration.ofMinutes(1)));
        locks.awaitWaiting("a");

        locks.advance(Duration.ofMinutes(1));

        assertThat(waiter)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .satisfies(
                        failure -> assertThat(failure.getMessage()).containsPattern("did not answer|has not answered"));
        locks.reset();
        assertThat(registry.tryAcquire("b")).isPresent();
    }

    @Test
    void locksSurviveAMoveOfTheClock() {
        LockHandle handle = registry.acquire("a", Duration.ZERO);
        locks.occupy("b");
        Instant before = locks.now();

        locks.advance(Duration.ofHours(6));

        assertThat(handle.isValid()).isTrue();
        assertThat(handle.held()).isGreaterThanOrEqualTo(Duration.ofHours(6));
        assertThat(locks.now()).isAfterOrEqualTo(before.plus(Duration.ofHours(6)));
        assertThat(registry.tryAcquire("b")).isEmpty();
    }

    @Test
    void aLockSurvivesMovesOfTheClockWhileAnotherThreadLooksAtIt() {
        LockHandle handle = registry.acquire("a", Duration.ZERO);
        CompletableFuture<Void> moved = CompletableFuture.runAsync(() -> locks.advance(Duration.ofHours(6)));
        while (!moved.isDone()) {
            assertThat(handle.isValid()).isTrue();
        }
        moved.join();
        assertThat(handle.isValid()).isTrue();
    }

    @Test
    void aLockIsLostWhenItsLongestHoldIsOver() {
        LockHandle handle = registry.acquire(request("a", Duration.ZERO).maxHold(Duration.ofMinutes(5)));
        AtomicInteger told = new AtomicInteger();
        handle.onLost(told::incrementAndGet);

        locks.advance(Duration.ofMinutes(4));
        assertThat(handle.isValid()).isTrue();

        locks.advance(Duration.ofMinutes(1));
        assertThat(handle.isValid()).isFalse();
        assertThat(told).hasValue(1);
    }

    @Test
    void aLockIsKeptUntilItsShortestHoldIsOver() {
        registry.acquire(request("a", Duration.ZERO).holdAtLeast(Duration.ofMinutes(5)))
                .close();
        assertThat(registry.tryAcquire("a")).isEmpty();

        locks.advance(Duration.ofMinutes(5));

        assertThat(registry.tryAcquire("a")).isPresent();
    }

    @Test
    void whatIsDueHappensInItsOrder() {
        locks.occupy("a");
        List<String> order = new CopyOnWriteArrayList<>();
        List<CompletableFuture<?>> waits =
                List.of(ended("30", 30, order), ended("10", 10, order), ended("20", 20, order), ended("40", 40, order));
        locks.awaitWaiting("a");

        for (int i = 0; i < 4; i++) {
            locks.advance(Duration.ofMinutes(10));
            assertThat(waits.get(List.of(1, 2, 0, 3).get(i))).failsWithin(10, TimeUnit.SECONDS);
        }

        assertThat(order).containsExactly("10", "20", "30", "40");
    }

    private CompletableFuture<?> ended(String name, int minutes, List<String> order) {
        return registry.acquireAsync(request("a", Duration.ofMinutes(minutes)))
                .whenComplete((handle, failure) -> order.add(name));
    }

    @Test
    void theClockGoesOnByItself() {
        locks.occupy("a", Duration.ofMillis(100));

        assertThat(registry.acquire("a", HOUR).isValid()).isTrue();
    }

    @Test
    void theClockIsNotMovedBack() {
        assertThatIllegalArgumentException().isThrownBy(() -> locks.advance(Duration.ofMillis(-1)));
    }

    @Test
    void heldLocksAreSeen() {
        registry.acquire(request("a", Duration.ZERO).name("Orders.place"));

        locks.assertHeld("a");
        locks.assertNotHeld("b");
        assertThatThrownBy(() -> locks.assertHeld("b"))
                .isInstanceOf(AssertionError.class)
                .hasMessage("The code under test does not hold lock 'b'. It holds: lock 'a' as Orders.place.");
        assertThatThrownBy(() -> locks.assertNotHeld("a"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("holds lock 'a'");
    }

    @Test
    void entriesTellWhatWasGrantedAndToWhom() {
        locks.occupy("busy");
        LockHandle a = registry.acquire(request("a", Duration.ZERO).name("Orders.place"));
        registry.tryAcquire("busy");
        registry.acquireAsync(request("b", HOUR).name("Orders.ship")).join();

        assertThat(locks.grants()).extracting(LockGrant::key).containsExactly("a", "b");
        assertThat(locks.grants("Orders.place"))
                .singleElement()
                .satisfies(entry -> assertThat(entry.fencingToken()).isEqualTo(a.fencingToken()));
    }

    @Test
    void afterAResetNothingIsLeft() {
        locks.occupy("busy");
        locks.timeOut("late");
        locks.silenceStore();
        registry.admin().pause();
        locks.reset();
        LockHandle held = registry.acquire("held", Duration.ZERO);
        registry.lock(request("entered", HOUR)).lock();
        registry.acquire(request("kept", Duration.ZERO).holdAtLeast(HOUR)).close();
        CompletableFuture<LockHandle> waiter = registry.acquireAsync(request("held", HOUR));
        locks.awaitWaiting("held");

        locks.reset();

        assertThat(held.isValid()).isFalse();
        // Futures are completed by a thread of the registry, a moment later.
        assertThatThrownBy(waiter::join).isInstanceOf(CompletionException.class).hasMessageContaining("is over");
        assertThat(locks.grants()).isEmpty();
        registry.lock(request("entered", HOUR)).lock();
        for (String key : List.of("busy", "late", "held", "kept")) {
            assertThat(registry.tryAcquire(key)).as(key).isPresent();
        }
    }

    @Test
    void aResetGrantsNothingToThoseWhoWaitForOccupiedLocks() {
        List<CompletableFuture<LockHandle>> waiters = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            locks.occupy("busy-" + i);
            waiters.add(registry.acquireAsync(request("busy-" + i, HOUR)));
            locks.awaitWaiting("busy-" + i);
        }

        locks.reset();

        assertThat(waiters)
                .allSatisfy(waiter -> assertThatThrownBy(waiter::join)
                        .isInstanceOf(CompletionException.class)
                        .hasMessageContaining("is over"));
    }

    @Test
    void aResetLeavesLeadersAlone() {
        CompletableFuture<Void> elected = new CompletableFuture<>();
        registry.elect("chief", leadership -> elected.complete(null));
        assertThat(elected).succeedsWithin(10, TimeUnit.SECONDS);

        locks.reset();

        assertThat(registry.admin().held()).hasSize(1);
    }
}
