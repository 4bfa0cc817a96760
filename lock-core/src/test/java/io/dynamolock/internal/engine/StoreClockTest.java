package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = VirtualTime.notAtZero();
    private final StoreClock clock = new StoreClock(time);

    @Test
    void theWallClockCountsUntilTheStoreHasToldItsTime() {
        assertThat(clock.earliestNow()).isEqualTo(time.now());
    }

    @Test
    void theStoresTimeLiesBetweenItsBoundsHoweverLongTheAnswerTook() {
        Instant told = Instant.parse("2030-01-01T00:00:00Z");
        Moment asked = time.moment();
        time.advance(SECOND.multipliedBy(3));
        clock.told(told, asked);
        time.advance(SECOND);
        time.moveWallClock(Duration.ofHours(1));

        assertThat(clock.earliestNow()).as("told just before the answer came").isEqualTo(told.plus(SECOND));
        assertThat(clock.latestNow())
                .as("told just after the question, with a step of a second")
                .isEqualTo(told.plus(SECOND.multipliedBy(5)));
    }
}
