package io.dynamolock.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cases that a {@code Lock} within one JVM does not know: a lost lock and a closed registry. And the methods that this
 * lock does not offer.
 */
class EndTest extends LockContract {

    // The session is lost

    @Test
    void everyUnlockTellsThatTheLockWasLost() {
        lock.lock();
        lock.lock();
        loseSession();

        for (int i = 0; i < 2; i++) {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(lock::unlock)
                    .withMessageContainingAll("\"k\"", "was lost before it was unlocked")
                    .satisfies(e -> assertThat(e.fencingToken()).isPositive());
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "LOCK_INTERRUPTIBLY"})
    void aLostLockCannotBeReentered(Way way) {
        lock.lock();
        loseSession();

        assertThatThrownBy(() -> way.enter(lock))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("cannot be entered again");
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"TRY_LOCK", "TIMED_TRY_LOCK"})
    void aLossIsReportedOnceAndThenTheLockIsAcquiredAgain(Way way) throws Exception {
        lock.lock();
        lock.lock();
        loseSession();

        assertThat(way.enter(lock)).isFalse();
        assertThat(way.enter(lock)).isTrue();

        assertHeldAgainstRivals();
        unlockAndAssertFree();
    }

    @ParameterizedTest
    @EnumSource
    void aLostLockCanBeAcquiredAgainAfterItWasUnlocked(Way way) throws Exception {
        lock.lock();
        loseSession();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

        assertThat(way.enter(lock)).isTrue();

        assertHeldAgainstRivals();
        unlockAndAssertFree();
    }

    @Test
    void theNextWaiterGetsTheLockWhenItsHolderLosesIt() throws Exception {
        lock.lock();
        var rival = waitingToDo(() -> {});

        loseSession();

        assertThat(rival.value()).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertFreeAndNobodyQueued();
    }

    // The registry is closed

    @ParameterizedTest
    @EnumSource
    void aClosedRegistryGrantsNoLocks(Way way) {
        locks.close();

        assertThatThrownBy(() -> way.enter(lock)).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRY_LOCK")
    void doesNotKeepAWaiterOfAClosedRegistry(Way way) throws Exception {
        lock.lock();
        AtomicReference<Throwable> unlocking = new AtomicReference<>();
        var rival = waitingRival(() -> {
            try {
                return way.enter(rivalLock);
            } finally {
                unlocking.set(catchThrowable(rivalLock::unlock));
            }
        });

        rivalLocks.close();

        assertThat(rival.failure()).isInstanceOf(LockClosedException.class);
        assertThat(unlocking.get()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void unlockTellsTheHolderThatTheRegistryWasClosed() {
        lock.lock();
        lock.lock();

        locks.close();

        assertThat(lock.tryLock()).isFalse();
        assertThatThrownBy(lock::lock).isInstanceOf(LockClosedException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void closingTheRegistryFreesItsLocksForOtherProcesses() throws Exception {
        lock.lock();
        try (LockRegistry others = anotherRegistry()) {
            var waiting = rival(() -> Way.TIMED_TRY_LOCK.enter(others.lock("k")));
            await(() -> others.admin().waiting() == 1 && waiting.isBlocked());

            locks.close();

            assertThat(waiting.value()).isTrue();
        }
    }

    // The view itself

    @Test
    void aLockHasNoConditionsWhetherHeldOrNot() {
        assertThatThrownBy(lock::newCondition)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no conditions");
        lock.lock();
        assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
        lock.unlock();
    }

    @Test
    void aLockNamesItsKeyAndEqualsItsOtherViews() {
        assertThat(lock).isEqualTo(locks.lock("k")).hasSameHashCodeAs(locks.lock("k"));
        assertThat(lock).isNotEqualTo(locks.lock("other"));
        try (LockRegistry others = anotherRegistry()) {
            assertThat(lock).isNotEqualTo(others.lock("k"));
        }
        assertThat(lock.toString()).contains("k").isEqualTo(locks.lock("k").toString());
    }
}
