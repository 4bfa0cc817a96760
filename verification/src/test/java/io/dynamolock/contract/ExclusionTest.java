package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One thread at a time; the next one follows when it is done. */
class ExclusionTest extends LockContract {

    /** Guarded only by the lock under test. */
    private int sections;

    private int inside;
    private int[] written = new int[1];
    private final List<Integer> order = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void keepsRivalsOutUntilUnlockedEachTime(Way way) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(way.enter(lock)).isTrue();
            assertHeldAgainstRivals();
            unlockAndAssertFree();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRY_LOCK")
    void goesToWhoeverWaitsWhenUnlocked(Way way) throws Exception {
        lock.lock();
        var rival = waitingRival(self -> {
            boolean entered = way.enter(rivalLock);
            self.pause();
            rivalLock.unlock();
            return entered;
        });

        lock.unlock();

        assertThat(lock.tryLock()).as("by the thread that unlocked it").isFalse();
        rival.goOnToTheEnd();
        assertFreeAndNobodyQueued();
    }

    @Test
    void cannotBeUnlockedByAThreadThatNeverLockedIt() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContainingAll("\"k\"", "The current thread doesn't own the lock");

        assertFreeAndNobodyQueued();
    }

    @Test
    void cannotBeUnlockedByAThreadOtherThanItsHolder() throws Exception {
        lock.lock();

        var unlocking = rival(() -> {
            rivalLock.unlock();
            return null;
        });

        assertThat(unlocking.failure()).isInstanceOf(IllegalMonitorStateException.class);
        assertHeldAgainstRivals();
        lock.unlock();
    }

    @Test
    void aThreadMayHoldManyLocksAndUnlockThemInAnyOrder() throws Exception {
        Lock second = locks.lock("second");
        Lock third = locks.lock("third");
        lock.lock();
        second.lock();
        third.lock();

        unlockAndAssertFree();
        assertThat(rival(rivalLocks.lock("second")::tryLock).value()).isFalse();
        third.unlock();
        assertThat(rival(rivalLocks.lock("second")::tryLock).value()).isFalse();
        second.unlock();

        assertThatThrownBy(second::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** Each holder also sees what the one before it wrote, in whichever way it acquired the lock. */
    @ParameterizedTest
    @EnumSource
    void letsManyThreadsInOneAtATime(Way way) throws Exception {
        int threads = 8;
        int rounds = 25;
        List<Rival<Integer>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Lock mine = i % 2 == 0 ? lock : rivalLock;
            all.add(rival(() -> takeTurns(way, mine, rounds)));
        }
        for (Rival<Integer> each : all) {
            assertThat(each.value()).as("others inside, and stale reads").isZero();
        }
        lock.lock();
        assertThat(sections).isEqualTo(threads * rounds);
        assertThat(written).containsExactly(sections);
        unlockAndAssertFree();
    }

    private int takeTurns(Way way, Lock mine, int rounds) throws InterruptedException {
        int faults = 0;
        for (int round = 0; round < rounds; round++) {
            while (!way.enter(mine)) {
                Thread.yield();
            }
            faults += ++inside == 1 && written[0] == sections ? 0 : 1;
            written = new int[] {++sections};
            Thread.yield();
            inside--;
            mine.unlock();
        }
        return faults;
    }

    @Test
    void servesWaitersInTheOrderOfTheirArrival() throws Exception {
        lock.lock();
        List<Rival<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            waiters.add(waitingToDo(() -> order.add(number)));
        }

        lock.unlock();

        for (Rival<Boolean> waiter : waiters) {
            assertThat(waiter.value()).isTrue();
        }
        lock.lock();
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        lock.unlock();
    }
}
