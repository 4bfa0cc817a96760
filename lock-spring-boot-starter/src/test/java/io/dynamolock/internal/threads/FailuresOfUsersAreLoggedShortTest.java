package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.internal.holds.HeldLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class FailuresOfUsersAreLoggedShortTest {

    private static RuntimeException longFailure() {
        return new IllegalStateException("user text " + "x".repeat(300_000));
    }

    @Test
    void anObserverThatFailsWithALongTextCannotFillTheLog(CapturedOutput output) {
        ObservedCaller.begin(
                request -> {
                    throw longFailure();
                },
                LockRequest.of("k"));

        assertShort(output);
    }

    @Test
    void aCallbackOfALostLockThatFailsWithALongTextCannotFillTheLog(CapturedOutput output) {
        FakeLockRegistry locks = new FakeLockRegistry();
        HeldLock lock = new HeldLock(locks.acquire(LockRequest.of("k")), LockMode.EXCLUSIVE, null);
        lock.onLost(() -> {
            throw longFailure();
        });

        locks.lastHandle().lose();

        assertShort(output);
    }

    private static void assertShort(CapturedOutput output) {
        assertThat(output.getOut().lines().filter(line -> line.contains("user text")))
                .isNotEmpty()
                .allMatch(line -> line.length() < 2_300);
    }
}
