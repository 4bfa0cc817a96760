package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final Duration VALID_FOR = Workbench.SETTINGS.lease().minus(Workbench.SETTINGS.driftMargin());

    private final Workbench bench = oneThatRunsForAnHour();
    private final Session session =
            new Session(Workbench.sessionId(1), Workbench.SETTINGS, bench.clock, Session.Sending.now(bench.clock));

    @Test
    void isValidForALeaseLessTheMarginFromTheSending() {
        assertThat(session.remaining()).isEqualTo(VALID_FOR);

        bench.time.advance(VALID_FOR.minusNanos(1));
        assertThat(session.remaining()).isEqualTo(Duration.ofNanos(1));
        assertThat(session.isValid()).isTrue();

        bench.time.advance(Duration.ofNanos(1));
        assertThat(session.isValid()).isFalse();
        assertThat(session.remaining()).isZero();
    }

    @Test
    void theClockThatSaysExpiredFirstDecides() {
        bench.clock.moveWallClock(Duration.ofSeconds(3));
        assertThat(session.remaining()).isEqualTo(VALID_FOR.minusSeconds(3));

        bench.clock.moveWallClock(Duration.ofSeconds(-10));
        assertThat(session.remaining()).isEqualTo(VALID_FOR);
    }

    @Test
    void aBeatExtendsItFromTheMomentTheBeatWasSent() {
        bench.time.advance(Duration.ofSeconds(5));
        Session.Sending beat = Session.Sending.now(bench.clock);
        bench.time.advance(Duration.ofSeconds(2));

        session.extend(beat);

        assertThat(session.remaining()).isEqualTo(VALID_FOR.minusSeconds(2));
    }

    /** A thread may stand still for long at any place, also between two reads. */
    @Test
    void aBeatThatGetsThroughWhileAThreadReadsTheClocksCounts() {
        Session[] read = new Session[1];
        boolean[] standsStill = new boolean[1];
        TimeSource slow = new TimeSource() {
            @Override
            public long nanos() {
                if (standsStill[0]) {
                    standsStill[0] = false;
                    bench.time.advance(VALID_FOR);
                    read[0].extend(Session.Sending.now(bench.clock));
                }
                return bench.clock.nanos();
            }

            @Override
            public Instant now() {
                return bench.clock.now();
            }
        };
        read[0] = new Session(Workbench.sessionId(2), Workbench.SETTINGS, slow, Session.Sending.now(bench.clock));
        standsStill[0] = true;

        assertThat(read[0].remaining()).isEqualTo(VALID_FOR);
    }

    @Test
    void onceOverItStaysOver() {
        bench.time.advance(VALID_FOR);
        assertThat(session.isValid()).isFalse();

        session.extend(Session.Sending.now(bench.clock));

        assertThat(session.isValid()).isFalse();
        assertThat(session.remaining()).isZero();
    }

    @Test
    void anEndedSessionIsNotValid() {
        session.end();

        assertThat(session.isValid()).isFalse();
        assertThat(session.remaining()).isZero();
    }

    @Test
    void tellsHowFarTheWallClockFellBackSinceItWasCreated() {
        bench.time.advance(Duration.ofSeconds(4));
        bench.clock.moveWallClock(Duration.ofSeconds(-90));

        assertThat(session.wallClockFellBack(Session.Sending.now(bench.clock))).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void tellsWhetherOnlyTheWallClockEndedIt() {
        bench.clock.moveWallClock(VALID_FOR.minusNanos(1));
        assertThat(session.isOverByWallClockAlone()).as("not over").isFalse();

        bench.clock.moveWallClock(Duration.ofNanos(1));
        assertThat(session.isOverByWallClockAlone()).isTrue();

        bench.time.advance(VALID_FOR);
        assertThat(session.isOverByWallClockAlone())
                .as("over by the monotonic clock, too")
                .isFalse();
    }

    @Test
    void aWallClockThatIsALittleAheadIsNotWhatEndsASessionWithoutBeats() {
        Duration heartbeat = Workbench.SETTINGS.heartbeat();
        bench.clock.moveWallClock(heartbeat);
        bench.time.advance(VALID_FOR.minus(heartbeat));
        assertThat(session.isValid()).isFalse();
        assertThat(session.isOverByWallClockAlone()).isFalse();
    }

    @Test
    void countsItsBlocksFromOne() {
        assertThat(session.nextBlock()).isEqualTo(1);
        assertThat(session.nextBlock()).isEqualTo(2);
        assertThat(session.nextBlock()).isEqualTo(3);
    }

    /** A monotonic clock that stands at zero would hide what is subtracted from it. */
    private static Workbench oneThatRunsForAnHour() {
        Workbench bench = new Workbench();
        bench.time.advance(Duration.ofHours(1));
        return bench;
    }
}
