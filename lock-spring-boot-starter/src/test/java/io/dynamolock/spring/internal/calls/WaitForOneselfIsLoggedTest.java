package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class WaitForOneselfIsLoggedTest {

    private static final String WARNING = "waits for itself";

    @Test
    void aThreadThatBeginsToWaitForALockOfItsOwnIsWarnedWithoutTheKey(CapturedOutput output) {
        try (LockRegistry locks = RegistryBuilder.of(new InMemoryLockStore()).build();
                LockHandle held = locks.acquire("customer-17", Duration.ZERO)) {
            assertThat(locks.tryAcquire("customer-17")).isEmpty();
            assertThat(output).as("nobody waits").doesNotContain(WARNING);

            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> locks.acquire("customer-17", Duration.ofMillis(1)));

            assertThat(held.isValid()).isTrue();
            assertThat(output).containsOnlyOnce(WARNING).doesNotContain("customer-17");
        }
    }

    @Test
    void nothingIsSaidWhereTheThreadsOwnHoldEndsBeforeItsWait(CapturedOutput output) {
        try (LockRegistry locks = RegistryBuilder.of(new InMemoryLockStore()).build()) {
            LockHandle own = locks.acquire(LockRequest.of("k").maxHold(Duration.ofMillis(20)));

            assertThat(locks.acquire("k", Duration.ofSeconds(30)).release()).isTrue();

            assertThat(own.isValid()).isFalse();
            assertThat(output).doesNotContain(WARNING);
        }
    }
}
