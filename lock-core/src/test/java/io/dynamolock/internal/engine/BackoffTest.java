package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void noPauseIsLongerThanTheLongestNotEvenTheFirst() {
        Backoff backoff = new Backoff(Duration.ofSeconds(5));

        backoff.begin(Duration.ofSeconds(1), 0);

        assertThat(backoff.until()).isEqualTo(Duration.ofSeconds(1).toNanos());
    }
}
