package io.dynamolock.spring.unlocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.registry.AdoptableLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnlockedThreadLockTest {

    private final LockRegistry locks = AlwaysGrantingRegistry.create();
    private final AdoptableLock lock = (AdoptableLock) locks.lock("k");

    @Test
    void aThreadHoldsTheLockUntilItHasUnlockedAsOftenAsLocked() throws Exception {
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.HOURS)).isTrue();
        assertThat(lock.holdCount()).isEqualTo(4);
        LockHandle handle = lock.handle().orElseThrow();
        assertThat(handle.fencingToken()).isEqualTo(1);

        for (int i = 0; i < 3; i++) {
            lock.unlock();
        }
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(handle.isValid()).isTrue();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(lock.holdCount()).isZero();
        assertThat(lock.handle()).isEmpty();
        assertThat(handle.isValid()).isFalse();
    }

    @Test
    void anotherThreadGetsTheLockAtOnceWithAHoldOfItsOwn() {
        lock.lock();
        long count = CompletableFuture.supplyAsync(() -> {
                    lock.lock();
                    return lock.holdCount();
                })
                .join();
        assertThat(count).isEqualTo(1);
        assertThat(lock.holdCount()).isEqualTo(1);
    }

    @Test
    void allViewsOfOneLockShareTheHoldOfTheThread() {
        lock.lock();
        ThreadLock shared = locks.lock(LockRequest.of("k").mode(LockMode.SHARED));
        shared.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(locks.lock("other").isHeldByCurrentThread()).isFalse();
        assertThat(AlwaysGrantingRegistry.create().lock("k").isHeldByCurrentThread())
                .isFalse();
    }

    @Test
    void viewsThatHoldOneLockInTheSameWayEqualEachOther() {
        assertThat(locks.lock(LockRequest.of("k").waitTime(Duration.ZERO)))
                .isEqualTo(lock)
                .hasSameHashCodeAs(lock);
        assertThat(locks.lock(LockRequest.of("k").mode(LockMode.SHARED))).isNotEqualTo(lock);
        assertThat(locks.lock(LockRequest.of("k").permits(2))).isNotEqualTo(lock);
        assertThat(locks.lock("other")).isNotEqualTo(lock);
        assertThat(AlwaysGrantingRegistry.create().lock("k")).isNotEqualTo(lock);
    }

    @Test
    void aThreadThatDoesNotHoldTheLockCannotUnlockOrDisownIt() {
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::disown);
    }

    @Test
    void anInterruptEndsOnlyTheTwoThatAreInterruptible() throws Exception {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS));
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        Thread.currentThread().interrupt();
        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aHandleThatIsReleasedEndsAllHoldsOfItsThread() {
        lock.lock();
        lock.lock();
        lock.handle().orElseThrow().release();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        lock.lock();
        assertThat(lock.handle().orElseThrow().fencingToken()).isEqualTo(2);
    }

    @Test
    void aThreadHearsOfTheClosedRegistryWhenItEntersAndWhenItUnlocks() {
        lock.lock();
        lock.lock();
        locks.close();
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(LockClosedException.class).isThrownBy(lock::tryLock);
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
        assertThat(lock.isHeldByCurrentThread()).isFalse();
    }

    @Test
    void anAdoptedHandleIsReleasedByTheLastUnlockAndKeptByDisown() {
        LockHandle handle = locks.acquire("k", Duration.ZERO);
        lock.adopt(handle);
        assertThat(lock.handle()).containsSame(handle);
        lock.disown();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(handle.isValid()).isTrue();
        lock.adopt(handle);
        lock.unlock();
        assertThat(handle.isValid()).isFalse();
    }

    @Test
    void onlyAHandleOfThisLockAndRegistryIsAdoptedByAThreadThatHasNone() {
        LockHandle handle = locks.acquire("k", Duration.ZERO);
        LockHandle released = locks.acquire("k", Duration.ZERO);
        released.close();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.adopt(locks.acquire("other", Duration.ZERO)))
                .withMessageContaining("other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.adopt(AlwaysGrantingRegistry.create().acquire("k", Duration.ZERO)))
                .withMessageContaining("another registry");
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lock.adopt(released));
        lock.lock();
        assertThatIllegalStateException().isThrownBy(() -> lock.adopt(handle));
    }

    @Test
    void thereAreNoConditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
    }
}
