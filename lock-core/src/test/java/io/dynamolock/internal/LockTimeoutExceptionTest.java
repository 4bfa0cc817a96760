package io.dynamolock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.engine.AcquireOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LockTimeoutExceptionTest {

    @Test
    void theMessageRoundsWhatWasWaitedAndTheExceptionDoesNot() {
        Duration waited = Duration.ofNanos(5_000_112_262L);
        LockException exception = after(waited);
        assertThat(exception).hasMessageContaining("after waiting PT5S: ");
        assertThat(((LockTimeoutException) exception).waited()).isEqualTo(waited);
        assertThat(after(Duration.ofNanos(112_262))).hasMessageContaining("after waiting PT0S: ");
    }

    private static LockException after(Duration waited) {
        return Failures.of(
                new AcquireOutcome.TimedOut(waited, 0, null), Requests.spec(LockRequest.of("42"), waited), false);
    }
}
