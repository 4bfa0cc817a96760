package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Moment moment = new Moment(Long.MAX_VALUE);
    private final Deadline deadline = Deadline.at(moment);

    @Test
    void aDeadlineIsPastFromItsMomentOn() {
        assertThat(deadline.isPast(moment.plus(Duration.ofNanos(-1)))).isFalse();
        assertThat(deadline.isPast(moment)).isTrue();
        assertThat(deadline.isPast(moment.plus(SECOND))).isTrue();
    }

    @Test
    void neverIsLaterThanAnyMomentAndIsNeverPast() {
        assertThat(Deadline.NEVER.isPast(moment)).isFalse();
        assertThat(deadline.isBefore(Deadline.NEVER)).isTrue();
        assertThat(Deadline.NEVER.isBefore(deadline)).isFalse();
        assertThat(Deadline.NEVER.isBefore(Deadline.NEVER)).isFalse();
        assertThat(Deadline.earlier(deadline, Deadline.NEVER)).isEqualTo(deadline);
        assertThat(Deadline.earlier(Deadline.NEVER, deadline)).isEqualTo(deadline);
        assertThatIllegalStateException().isThrownBy(() -> Deadline.NEVER.remaining(moment));
    }

    @Test
    void theEarlierOfTwoDeadlinesCounts() {
        Deadline later = Deadline.at(moment.plus(SECOND));

        assertThat(Deadline.earlier(deadline, later)).isEqualTo(deadline);
        assertThat(later.orAt(moment)).isEqualTo(deadline);
        assertThat(later.remaining(moment)).isEqualTo(SECOND);
    }
}
