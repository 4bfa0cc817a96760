package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LockTimeoutExceptionTest {

    @Test
    void theMessageRoundsWhatWasWaitedAndTheExceptionDoesNot() {
        Duration waited = Duration.ofNanos(5_000_112_262L);
        LockTimeoutException exception = new LockTimeoutException(new LockKey("42", "default"), waited, 0, null, false);
        assertThat(exception).hasMessageContaining("after waiting PT5S: ");
        assertThat(exception.waited()).isEqualTo(waited);
        assertThat(new LockTimeoutException(new LockKey("42", "default"), Duration.ofNanos(112_262), 0, null, false))
                .hasMessageContaining("after waiting PT0S: ");
    }
}
