package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoreClockTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant TOLD = Instant.parse("2030-01-01T00:00:00Z");

    private final VirtualTime time = VirtualTime.notAtZero();
    private final StoreClock clock = new StoreClock();

    @Test
    void withoutATimeInTheLatestAnswerThereIsNoBound() {
        assertThat(clock.latestNow(now())).isNull();
        clock.answered(TOLD, now());
        assertThat(clock.latestNow(now())).isNotNull();
        clock.answered(null, now());
        assertThat(clock.latestNow(now())).isNull();
    }

    @Test
    void theBoundCountsFromTheSendingWithAStepOfASecond() {
        ClockReading sent = now();
        time.advance(SECOND.multipliedBy(3));
        clock.answered(TOLD, sent);
        time.advance(SECOND);

        assertThat(clock.latestNow(now())).isEqualTo(TOLD.plusSeconds(5));
    }

    @Test
    void theLocalClockCountsThatSaysThatMoreTimeHasPassed() {
        clock.answered(TOLD, now());
        time.advance(SECOND);
        time.moveWallClock(Duration.ofHours(1));
        assertThat(clock.latestNow(now())).isEqualTo(TOLD.plusSeconds(3602));

        time.moveWallClock(Duration.ofHours(-2));
        assertThat(clock.latestNow(now())).isEqualTo(TOLD.plusSeconds(2));
    }

    @Test
    void theLaterOfTheStoresClockAndTheWallClockIsWritten() {
        assertThat(clock.timeToWrite(now())).isNull();

        clock.answered(time.now().minusSeconds(60), now());
        assertThat(clock.timeToWrite(now())).isEqualTo(time.now());

        clock.answered(time.now().plusSeconds(60), now());
        assertThat(clock.timeToWrite(now())).isEqualTo(time.now().plusSeconds(61));
    }

    @Test
    void anAnswerConfirmsATimeThatTheStoreHasPassedByNoMoreThanAStep() {
        assertThat(StoreClock.isConfirmed(TOLD, TOLD.plusSeconds(1))).isTrue();
        assertThat(StoreClock.isConfirmed(TOLD, TOLD.plusSeconds(2))).isFalse();
        assertThat(StoreClock.isConfirmed(TOLD, null)).isFalse();
        assertThat(StoreClock.isConfirmed(null, null)).as("nothing to confirm").isTrue();
    }

    private ClockReading now() {
        return ClockReading.of(time);
    }
}
