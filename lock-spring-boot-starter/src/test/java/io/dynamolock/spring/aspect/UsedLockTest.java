package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UsedLockTest {

    private final FakeLockRegistry locks = new FakeLockRegistry();
    private final UsedLock lock = new UsedLock(locks.acquire("k", Duration.ZERO), LockMode.EXCLUSIVE, null);

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

    @Test
    void aKeyInAMessageIsQuotedAndCut() {
        UsedLock shared = new UsedLock(locks.acquire("k", Duration.ZERO), LockMode.SHARED, null);

        assertThatIllegalStateException()
                .isThrownBy(() -> shared.ensureCovers(LockRequest.of("\n\u2028\u202E" + "k".repeat(2_000)), "run"))
                .withMessageContaining("the lock \"\\u000A\\u2028\\u202Ekkk")
                .satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(600));
    }
}
