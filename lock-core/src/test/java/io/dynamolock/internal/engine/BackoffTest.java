package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {

    @Test
    void noPauseIsLongerThanTheLongestAllowedNotEvenTheFirst() {
        Backoff backoff = new Backoff(Duration.ofSeconds(5));

        backoff.begin(Duration.ofSeconds(1), new Moment(0));

        assertThat(backoff.until()).isEqualTo(Deadline.at(new Moment(0).plus(Duration.ofSeconds(1))));
    }
}
