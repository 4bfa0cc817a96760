package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ValidityTest {

    private static final Duration LASTS = Duration.ofSeconds(19);
    private static final Duration NANO = Duration.ofNanos(1);

    private final VirtualTime clock = VirtualTime.notAtZero();
    private final Validity validity = new Validity(SessionId.of(1), LASTS, clock, ClockReading.of(clock));

    @Test
    void aSessionIsValidFromTheSendingOfItsBeginning() {
        assertThat(validity.remaining()).isEqualTo(LASTS);

        clock.advance(LASTS.minus(NANO));
        assertThat(validity.remaining()).isEqualTo(NANO);
        assertThat(validity.isValid()).isTrue();
        clock.advance(NANO);

        assertThat(validity.isValid()).isFalse();
        assertThat(validity.remaining()).isZero();
    }

    @Test
    void theClockThatSaysExpiredFirstDecides() {
        clock.moveWallClock(Duration.ofSeconds(3));
        assertThat(validity.remaining()).isEqualTo(LASTS.minusSeconds(3));

        clock.moveWallClock(Duration.ofSeconds(-10));
        assertThat(validity.remaining()).isEqualTo(LASTS);
    }

    /** A thread may be suspended anywhere and for long, also between its reads of two clocks. */
    @Test
    void aHeartbeatThatGetsThroughWhileAThreadReadsTheClocksCounts() {
        Validity[] read = new Validity[1];
        boolean[] standsStill = new boolean[1];
        TimeSource slow = new TimeSource() {
            @Override
            public long nanos() {
                if (standsStill[0]) {
                    standsStill[0] = false;
                    clock.advance(LASTS);
                    read[0].extend(ClockReading.of(clock));
                }
                return clock.nanos();
            }

            @Override
            public Instant now() {
                return clock.now();
            }
        };
        read[0] = new Validity(SessionId.of(2), LASTS, slow, ClockReading.of(clock));
        standsStill[0] = true;

        assertThat(read[0].remaining()).isEqualTo(LASTS);
    }
}
