package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.OneClock;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.TestThread;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.integration.support.locks.DistributedLock;

/** Two processes on one clock, which stands still until a test moves it. */
@Timeout(60)
class IntegrationLockRegistryTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final OneClock clock = new OneClock();
    private final LockRegistry locksHere = clock.registry("here");
    private final LockRegistry locksThere = clock.registry("there");
    private final IntegrationLockRegistry here = new IntegrationLockRegistry(locksHere);
    private final IntegrationLockRegistry there = new IntegrationLockRegistry(locksThere);
    private final DistributedLock lock = here.obtain("k");

    @AfterEach
    void close() {
        Thread.interrupted();
        locksHere.close();
        locksThere.close();
    }

    private enum Kind {
        SMALL
    }

    private record Group(String name, int number) {}

    private boolean isFreeForOthers(Object key) {
        DistributedLock theirs = there.obtain(key);
        boolean isFree = theirs.tryLock();
        if (isFree) {
            theirs.unlock();
        }
        return isFree;
    }

    @Test
    void aLockKeepsOutOtherProcessesUntilItIsUnlocked() {
        lock.lock();
        assertThat(isFreeForOthers("k")).isFalse();
        lock.unlock();
        assertThat(isFreeForOthers("k")).isTrue();
        assertThat(locksHere.admin().held()).isEmpty();
    }

    @Test
    void aLockIsReentrantThroughEveryWayAndFreeAfterItsLastUnlock() throws Exception {
        lock.lock();
        here.obtain("k").lockInterruptibly();
        assertThat(here.obtain("k").tryLock()).isTrue();
        assertThat(here.obtain("k").tryLock(1, TimeUnit.HOURS)).isTrue();
        assertThat(here.obtain("k").tryLock(MINUTE, MINUTE)).isTrue();
        here.obtain("k").lock(MINUTE);
        assertThat(locksHere.admin().held()).hasSize(1);
        for (int i = 0; i < 5; i++) {
            lock.unlock();
            assertThat(isFreeForOthers("k")).isFalse();
        }
        lock.unlock();
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void allViewsOfAKeyAreOneLock() {
        assertThat(here.obtain("k")).isEqualTo(here.obtain("k")).hasSameHashCodeAs(here.obtain("k"));
        assertThat(here.obtain("k")).isNotEqualTo(here.obtain("l")).isNotEqualTo(there.obtain("k"));
        assertThat(here.obtain("k")).hasToString("Lock[key=k, namespace=integration]");
    }

    @Test
    void keysThatAreEqualAreOneLockWhateverTheirType() {
        UUID id = UUID.randomUUID();
        for (Object key : List.of(42, 42L, true, 'c', id, Kind.SMALL, new Group("g", 1))) {
            DistributedLock locked = here.obtain(key);
            locked.lock();
            assertThat(isFreeForOthers(key)).as("%s", key).isFalse();
            locked.unlock();
        }
        assertThat(here.obtain(new Group("g", 1))).isEqualTo(here.obtain(new Group("g", 1)));
        assertThat(here.obtain(42)).isEqualTo(here.obtain("42"));
    }

    @Test
    void aKeyWhoseTextMayDifferFromThatOfAnEqualOneIsRefused() {
        for (Object key : List.of(new Object(), List.of("a"), new byte[0], new int[] {1}, "", " ", Double.NaN)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> here.obtain(key))
                    .withMessageMatching("(?s).*(cannot be a key|the key is blank).*");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> here.obtain("k".repeat(2049)));
        assertThatNullPointerException().isThrownBy(() -> here.obtain(null));
    }

    @Test
    void theUnlockOfALostLockTellsOfItAndLeavesTheLockToItsNewHolder() {
        DistributedLock lost = here.obtain("k");
        lost.lock(SECOND);
        clock.advance(SECOND);
        DistributedLock next = there.obtain("k");
        assertThat(next.tryLock()).isTrue();

        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lost::unlock)
                .withMessageContaining("\"k\"")
                .withCauseInstanceOf(LockLostException.class);

        assertThat(lost.tryLock()).isFalse();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lost::unlock);
        next.unlock();
    }

    @Test
    void aTimeToLiveTakesTheLockAway() throws Exception {
        here.obtain("k").lock(MINUTE);
        assertThat(here.obtain("l").tryLock(Duration.ZERO, MINUTE)).isTrue();
        clock.advance(MINUTE.minus(SECOND));
        assertThat(isFreeForOthers("k")).isFalse();
        assertThat(isFreeForOthers("l")).isFalse();
        clock.advance(SECOND);
        assertThat(isFreeForOthers("k")).isTrue();
        assertThat(isFreeForOthers("l")).isTrue();
    }

    @Test
    void aTimeToLiveOfNothingIsRefusedAndNothingIsLocked() {
        assertThatIllegalArgumentException().isThrownBy(() -> lock.lock(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> lock.tryLock(MINUTE, Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> here.renewLock("k", Duration.ZERO));
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void tryLockGivesFalseAfterATimeout() throws Exception {
        there.obtain("k").lock();
        TestThread<Boolean> waiting = TestThread.running(() -> here.obtain("k").tryLock(MINUTE, MINUTE));
        await().until(() -> locksHere.admin().waiting() == 1);
        assertThat(waiting.isDone()).isFalse();
        clock.advance(MINUTE);
        assertThat(waiting.value()).isFalse();
    }

    /** What a candidate of Spring Integration pays for each of its tries. */
    @Test
    void aWaitThatIsOverHasCostTwoWrites() throws Exception {
        FaultyLockStore[] calls = new FaultyLockStore[1];
        there.obtain("k").lock();
        try (LockRegistry locks = clock.registry("counted", table -> calls[0] = new FaultyLockStore(table))) {
            DistributedLock counted = new IntegrationLockRegistry(locks).obtain("k");
            for (int tries = 1; tries <= 3; tries++) {
                TestThread<Boolean> waiting = TestThread.running(() -> counted.tryLock(500, TimeUnit.MILLISECONDS));
                await().until(() -> locks.admin().waiting() == 1);
                clock.advance(Duration.ofMillis(500));
                assertThat(waiting.value()).isFalse();
                clock.advance(Duration.ofMillis(50));
                assertThat(calls[0].count(StoreOperation.EDIT)).isEqualTo(2 * tries);
            }
        }
    }

    @Test
    void aWaitLongerThanACountOfNanosecondsIsOneWithoutEnd() throws Exception {
        assertThat(lock.tryLock(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE)))
                .isTrue();
        clock.advance(MINUTE);
        here.renewLock("k", Duration.ofSeconds(Long.MAX_VALUE));
        clock.advance(MINUTE);
        assertThat(isFreeForOthers("k")).isFalse();
        lock.unlock();
    }

    @Test
    void aRenewedLockIsKeptForTheNewTimeFromNow() {
        lock.lock(MINUTE);
        clock.advance(Duration.ofSeconds(50));

        here.renewLock("k", MINUTE);

        clock.advance(Duration.ofSeconds(59));
        assertThat(isFreeForOthers("k")).isFalse();
        clock.advance(SECOND);
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void aLockRenewedWithoutATimeIsKeptUntilItIsUnlocked() {
        lock.lock(MINUTE);
        here.renewLock("k");
        clock.advance(Duration.ofHours(1));
        assertThat(isFreeForOthers("k")).isFalse();
        lock.unlock();
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void onlyItsThreadRenewsALock() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> here.renewLock("k", MINUTE))
                .withMessageContaining("Lock[key=k, namespace=integration]");
        lock.lock(MINUTE);
        assertThat(CompletableFuture.runAsync(() -> here.renewLock("k")))
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalMonitorStateException.class);
        lock.unlock();
    }

    @Test
    void aLostLockCannotBeRenewed() {
        here.obtain("k").lock(MINUTE);
        clock.advance(MINUTE);
        assertThatIllegalStateException()
                .isThrownBy(() -> here.renewLock("k", MINUTE))
                .withCauseInstanceOf(LockLostException.class);
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void workRunsUnderItsLock() throws Exception {
        assertThat(here.<Boolean, RuntimeException>executeLocked("k", () -> isFreeForOthers("k")))
                .isFalse();
        assertThat(isFreeForOthers("k")).isTrue();
    }

    @Test
    void workWhoseLockIsTakenDoesNotRun() {
        DistributedLock held = there.obtain("k");
        held.lock();
        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> here.executeLocked("k", Duration.ZERO, () -> {
                    throw new AssertionError("it ran");
                }));
        held.unlock();
    }

    @Test
    void nothingIsKeptOfLocksThatAreNotUsed() {
        for (int i = 0; i < 1000; i++) {
            here.obtain(i);
        }
        here.expireUnusedOlderThan(0);
        DistributedLock used = here.obtain("k");
        used.lock();
        here.expireUnusedOlderThan(0);
        assertThat(isFreeForOthers("k")).isFalse();
        used.unlock();
    }

    @Test
    void aLockOfSpringIntegrationAndAnotherOnTheSameKeyDoNotMeet() {
        here.obtain("k").lock();
        try (LockHandle other = locksThere.tryAcquire("k").orElseThrow()) {
            assertThat(other.isValid()).isTrue();
        }
        assertThat(locksThere.tryAcquire(LockRequest.of("k").namespace("integration")))
                .isEmpty();
        DistributedLock ofOtherNamespace = new IntegrationLockRegistry(locksThere, "aggregators").obtain("k");
        assertThat(ofOtherNamespace.tryLock()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IntegrationLockRegistry(locksHere, "a/b"))
                .withMessageContaining("a/b");
    }
}
