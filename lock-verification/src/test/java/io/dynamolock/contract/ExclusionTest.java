package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One thread at a time, and the next when it is done. */
class ExclusionTest extends LockContract {

    /** Guarded by the lock and by nothing else. */
    private int sections;

    private int inside;
    private final List<Integer> order = new ArrayList<>();

    @ParameterizedTest
    @EnumSource
    void keepsRivalsOutUntilUnlocked(Way way) throws Exception {
        assertThat(way.enter(lock)).isTrue();
        assertHeldAgainstRivals();

        lock.unlock();

        assertFreeAndNobodyQueued();
    }

    @ParameterizedTest
    @EnumSource
    void isTakenAgainAfterItWasUnlocked(Way way) throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(way.enter(lock)).isTrue();
            lock.unlock();
        }
        assertFreeAndNobodyQueued();
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

        await(rival::isPaused);
        assertThat(lock.tryLock()).isFalse();
        rival.goOn();
        assertThat(rival.value()).isTrue();
        assertFreeAndNobodyQueued();
    }

    @Test
    void cannotBeUnlockedByAThreadThatNeverLockedIt() throws Exception {
        assertThatThrownBy(lock::unlock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("\"k\"");

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
    void cannotBeUnlockedByAWaiterWhoseTurnHasNotCome() throws Exception {
        var holder = holdingRival();
        assertThat(lock.tryLock()).isFalse();

        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);

        holder.goOn();
        assertThat(holder.value()).isTrue();
    }

    @Test
    void isOneOfManyThatAThreadMayHoldAndUnlockInAnyOrder() throws Exception {
        Lock second = locks.lock("second");
        Lock third = locks.lock("third");
        lock.lock();
        second.lock();
        third.lock();

        lock.unlock();
        assertFreeAndNobodyQueued();
        assertThat(rival(rivalLocks.lock("second")::tryLock).value()).isFalse();
        third.unlock();
        assertThat(rival(rivalLocks.lock("second")::tryLock).value()).isFalse();
        second.unlock();

        assertThatThrownBy(second::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void letsManyThreadsInOneAtATime() throws Exception {
        int threads = 20;
        int rounds = 25;
        List<Rival<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Lock mine = i % 2 == 0 ? lock : rivalLock;
            all.add(rival(() -> {
                boolean alone = true;
                for (int round = 0; round < rounds; round++) {
                    mine.lock();
                    alone &= ++inside == 1;
                    sections++;
                    Thread.yield();
                    inside--;
                    mine.unlock();
                }
                return alone;
            }));
        }
        for (Rival<Boolean> each : all) {
            assertThat(each.value()).as("alone inside").isTrue();
        }
        lock.lock();
        assertThat(sections).isEqualTo(threads * rounds);
        lock.unlock();
        assertFreeAndNobodyQueued();
    }

    @Test
    void servesWaitersInTheOrderOfTheirArrival() throws Exception {
        lock.lock();
        List<Rival<Boolean>> waiters = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            int number = i;
            waiters.add(waitingRival(() -> {
                rivalLock.lock();
                order.add(number);
                rivalLock.unlock();
                return true;
            }));
        }

        lock.unlock();

        for (Rival<Boolean> waiter : waiters) {
            assertThat(waiter.value()).isTrue();
        }
        lock.lock();
        assertThat(order).containsExactly(0, 1, 2, 3, 4);
        lock.unlock();
    }

    @Test
    void isNotTakenPastAWaiterByTheThreadThatUnlocksIt() throws Exception {
        lock.lock();
        var rival = waitingRival(self -> {
            rivalLock.lock();
            self.pause();
            rivalLock.unlock();
            return true;
        });

        lock.unlock();

        assertThat(lock.tryLock()).isFalse();
        rival.goOn();
        assertThat(rival.value()).isTrue();
    }
}
