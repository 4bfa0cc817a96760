package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread enters as often as it likes, and has to unlock as often. */
class ReentrancyTest extends LockContract {

    @ParameterizedTest
    @EnumSource
    void isHeldUntilUnlockedAsOftenAsLocked(Way way) throws Exception {
        lock.lock();
        for (int i = 0; i < 10; i++) {
            assertThat(way.enter(lock)).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            lock.unlock();
            assertHeldAgainstRivals();
        }

        unlockAndAssertFree();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void entersAgainAheadOfThoseWhoWait(Way way) throws Exception {
        lock.lock();
        var rival = waitingToDo(() -> {});

        assertThat(way.enter(lock)).isTrue();

        lock.unlock();
        assertThat(rival.isDone()).isFalse();
        lock.unlock();
        assertThat(rival.value()).isTrue();
    }

    @Test
    void entersAgainWithAnyTimeToWait() throws Exception {
        lock.lock();

        assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isTrue();
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isTrue();

        for (int i = 0; i < 4; i++) {
            lock.unlock();
        }
        assertFreeAndNobodyQueued();
    }

    @Test
    void countsForEachThreadByItself() throws Exception {
        var rival = new Rival<>(surroundings, self -> {
            rivalLock.lock();
            rivalLock.lock();
            rivalLock.unlock();
            self.pause();
            rivalLock.unlock();
            return true;
        });
        await(rival::isPaused);

        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        rival.goOnToTheEnd();

        lock.lock();
        unlockAndAssertFree();
    }

    @Test
    void countsForAllViewsOfOneKeyTogether() throws Exception {
        lock.lock();
        locks.lock("k").lock();

        lock.unlock();
        assertHeldAgainstRivals();
        locks.lock("k").unlock();

        assertFreeAndNobodyQueued();
    }

    @Test
    void doesNotCountWhatWasNotGranted() throws Exception {
        var holder = holdingRival();
        assertThat(lock.tryLock()).isFalse();
        assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
        holder.goOnToTheEnd();

        lock.lock();
        lock.unlock();

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertFreeAndNobodyQueued();
    }

    @Test
    void goesAsDeepAsAnyRecursion() throws Exception {
        int depth = 100_000;
        for (int i = 0; i < depth; i++) {
            lock.lock();
        }
        for (int i = 1; i < depth; i++) {
            lock.unlock();
        }
        assertHeldAgainstRivals();
        unlockAndAssertFree();
    }
}
