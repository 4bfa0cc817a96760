package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationsTest {

    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofSeconds(1);

    @Test
    void theShorterDurationWinsInEitherOrder() {
        assertThat(Durations.shorter(SHORT, LONG)).isEqualTo(SHORT);
        assertThat(Durations.shorter(LONG, SHORT)).isEqualTo(SHORT);
    }

    @Test
    void theLongerDurationWinsInEitherOrder() {
        assertThat(Durations.longer(SHORT, LONG)).isEqualTo(LONG);
        assertThat(Durations.longer(LONG, SHORT)).isEqualTo(LONG);
    }

    @Test
    void aNegativeDurationBecomesZero() {
        assertThat(Durations.notNegative(SHORT.negated())).isZero();
        assertThat(Durations.notNegative(SHORT)).isEqualTo(SHORT);
    }

    @Test
    void twoCenturiesFitIntoALongOfNanoseconds() {
        assertThat(Durations.CENTURY.multipliedBy(2).toNanos()).isPositive();
    }
}
