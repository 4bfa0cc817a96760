package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MomentTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** {@link System#nanoTime()} may start anywhere, also just before the greatest number. */
    private final Moment beforeWrapAround = new Moment(Long.MAX_VALUE - 10);

    private final Moment afterWrapAround = beforeWrapAround.plus(SECOND);

    @Test
    void momentsAreComparedByTheTimeBetweenThemEvenWhereTheClockWrapsAround() {
        assertThat(afterWrapAround.nanos()).isNegative();
        assertThat(beforeWrapAround.isBefore(afterWrapAround)).isTrue();
        assertThat(afterWrapAround.isBefore(beforeWrapAround)).isFalse();
        assertThat(Moment.earlier(afterWrapAround, beforeWrapAround)).isEqualTo(beforeWrapAround);
        assertThat(Moment.later(beforeWrapAround, afterWrapAround)).isEqualTo(afterWrapAround);
    }

    @Test
    void theTimeSinceALaterMomentIsNegative() {
        assertThat(afterWrapAround.since(beforeWrapAround)).isEqualTo(SECOND);
        assertThat(beforeWrapAround.since(afterWrapAround)).isEqualTo(SECOND.negated());
    }
}
