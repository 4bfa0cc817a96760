package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockClosedException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which ways are interruptible, which are not, and that no interrupt gets lost. */
class InterruptionTest extends LockContract {

    @ParameterizedTest
    @EnumSource(names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void anInterruptEndsTheWaitAndIsThenCleared(Way way) throws Exception {
        lock.lock();
        var rival = waitingRival(() -> way.enter(rivalLock));

        rival.interrupt();

        rival.assertEndedByInterrupt();
        assertHeldAgainstRivals();
        unlockAndAssertFree();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void aPendingInterruptPreventsTakingAFreeLock(Way way) throws Exception {
        var rival = interruptedRival(() -> way.enter(rivalLock));

        rival.assertEndedByInterrupt();
        assertFreeAndNobodyQueued();
    }

    @Test
    void aPendingInterruptWinsOverATimeThatIsOver() throws Exception {
        var rival = interruptedRival(() -> rivalLock.tryLock(-1, TimeUnit.SECONDS));

        rival.assertEndedByInterrupt();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK_INTERRUPTIBLY", "TIMED_TRY_LOCK"})
    void aPendingInterruptPreventsReentryAndKeepsTheHoldCount(Way way) throws Exception {
        var rival = new Rival<>(surroundings, self -> {
            rivalLock.lock();
            Thread.currentThread().interrupt();
            boolean entered;
            try {
                entered = way.enter(rivalLock);
            } catch (InterruptedException e) {
                entered = false;
            }
            self.pause();
            rivalLock.unlock();
            return entered;
        });

        await(rival::isPaused);
        assertThat(lock.tryLock()).isFalse();
        rival.goOn();
        assertThat(rival.value()).isFalse();
        assertFreeAndNobodyQueued();
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "TRY_LOCK"})
    void isKeptForLaterByTheWaysThatAreNotInterruptible(Way way) throws Exception {
        var rival = interruptedRival(() -> {
            boolean entered = way.enter(rivalLock);
            rivalLock.unlock();
            return entered;
        });

        assertThat(rival.value()).isTrue();
        assertThat(rival.wasInterruptedAtEnd()).isTrue();
        assertFreeAndNobodyQueued();
    }

    @Test
    void anInterruptDoesNotEndLockButIsPendingAfterwards() throws Exception {
        lock.lock();
        var rival = waitingToDo(() -> {});

        for (int i = 0; i < 3; i++) {
            rival.interrupt();
            await(rival::isBlocked);
        }
        assertThat(rival.isDone()).isFalse();
        assertThat(rivalLocks.admin().waiting()).isEqualTo(1);
        lock.unlock();

        assertThat(rival.value()).isTrue();
        assertThat(rival.wasInterruptedAtEnd()).isTrue();
        assertFreeAndNobodyQueued();
    }

    @Test
    void anInterruptIsPendingAfterALockThatFailedToo() throws Exception {
        lock.lock();
        var rival = waitingRival(() -> {
            rivalLock.lock();
            return true;
        });
        rival.interrupt();
        await(rival::isBlocked);

        rivalLocks.close();

        assertThat(rival.failure()).isInstanceOf(LockClosedException.class);
        assertThat(rival.wasInterruptedAtEnd()).isTrue();
    }

    @Test
    void anInterruptedThreadCanUnlock() throws Exception {
        var rival = rival(() -> {
            rivalLock.lock();
            Thread.currentThread().interrupt();
            rivalLock.unlock();
            return true;
        });

        assertThat(rival.value()).isTrue();
        assertThat(rival.wasInterruptedAtEnd()).isTrue();
        // An interrupted thread does not wait until the store has answered.
        await(this::rivalGetsItAtOnce);
    }

    @Test
    void anInterruptedWaiterLeavesTheQueueAndTheOthersKeepTheirOrder() throws Exception {
        lock.lock();
        StringBuilder order = new StringBuilder();
        var first = waitingToDo(() -> order.append('a'));
        var leaving = waitingRival(() -> Way.LOCK_INTERRUPTIBLY.enter(rivalLock));
        var last = waitingToDo(() -> order.append('b'));

        leaving.interrupt();
        leaving.assertEndedByInterrupt();
        lock.unlock();

        assertThat(first.value()).isTrue();
        assertThat(last.value()).isTrue();
        lock.lock();
        assertThat(order).hasToString("ab");
        unlockAndAssertFree();
    }
}
