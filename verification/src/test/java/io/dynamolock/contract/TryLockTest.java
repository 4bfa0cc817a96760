package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Getting the lock at once, within a time, or not at all. */
class TryLockTest extends LockContract {

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void takesAFreeLockWithNoTimeToWait(long time) throws Exception {
        assertThat(lock.tryLock(time, TimeUnit.MILLISECONDS)).isTrue();

        assertHeldAgainstRivals();
        unlockAndAssertFree();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void failsAtOnceWithNoTimeToWaitWhileAnotherThreadHoldsTheLock(long time) throws Exception {
        var holder = holdingRival();

        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(time, TimeUnit.MILLISECONDS)).isFalse();

        holder.goOnToTheEnd();
        assertFreeAndNobodyQueued();
    }

    @Test
    void givesUpWhenTheTimeIsOverAndNotBefore() throws Exception {
        var holder = holdingRival();
        Duration time = Duration.ofMillis(50);

        long start = System.nanoTime();
        assertThat(lock.tryLock(time.toNanos(), TimeUnit.NANOSECONDS)).isFalse();
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(time.toNanos());

        holder.goOnToTheEnd();
        assertFreeAndNobodyQueued();
    }

    @Test
    void leavesItsPlaceToTheNextWhenTheTimeIsOver() throws Exception {
        lock.lock();
        var impatient = rival(() -> rivalLock.tryLock(50, TimeUnit.MILLISECONDS));
        var patient = rival(() -> Way.LOCK.enter(rivalLock));
        assertThat(impatient.value()).isFalse();

        lock.unlock();

        assertThat(patient.value()).isTrue();
        assertHeldAgainstRivals();
    }

    @Test
    void takesTheLockWhenItIsUnlockedInTime() throws Exception {
        lock.lock();
        var rival = waitingRival(() -> rivalLock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS));

        lock.unlock();

        assertThat(rival.value()).isTrue();
        assertThat(lock.tryLock()).isFalse();
    }
}
