package io.dynamolock.spring.internal.holds;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockMode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HeldLockTest {

    private final FakeLockRegistry locks = new FakeLockRegistry();
    private final HeldLock lock = new HeldLock(locks.acquire("k", Duration.ZERO), LockMode.EXCLUSIVE, null);

    @Test
    void everybodyHearsOfALossWhateverTheOthersDo() {
        AtomicInteger told = new AtomicInteger();
        for (int i = 0; i < 5; i++) {
            lock.onLost(() -> {
                told.incrementAndGet();
                throw new UnsupportedOperationException("cannot be cancelled");
            });
        }
        locks.lastHandle().lose();
        assertThat(told).hasValue(5);
    }
}
