package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OwnSessionBeginningTest {

    private static final EngineSettings SETTINGS = new EngineSettings(
            "process",
            Duration.ofSeconds(2),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            Duration.ZERO,
            Duration.ofMinutes(5),
            Duration.ofSeconds(1),
            32,
            Duration.ofDays(7),
            200);

    private long nanos;
    private final TimeSource time = new TimeSource() {
        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }
    };
    private final OwnSession session = new OwnSession(
            SETTINGS,
            time,
            new SplittableRandom(7),
            new ClockCheck(SETTINGS.maxClockSkew(), time),
            Duration.ofSeconds(4));

    @Test
    void whoWantedASessionGetsItThoughTheFirstAnswerCameTooLate() {
        List<OwnSession.Effect> effects = session.wanted();
        Validity candidate = ((OwnSession.Effect.SendBegin) effects.get(0)).candidate();
        pass(Duration.ofSeconds(3));

        session.beginAnswered(candidate, true, null);
        pass(Duration.ofNanos(session.wakeAt() - nanos));

        assertThat(session.woke())
                .hasOnlyElementsOfType(OwnSession.Effect.SendBegin.class)
                .isNotEmpty();
    }

    @Test
    void whatNobodyCanReadAmongNoticesIsTakenAwayWithTheNextHeartbeat() {
        Validity candidate = ((OwnSession.Effect.SendBegin) session.wanted().get(0)).candidate();
        session.beginAnswered(candidate, true, null);
        Set<String> odd = Set.of("odd", "?", "");
        SessionItem item = new SessionItem(1, SETTINGS.lease(), "process", Instant.EPOCH, odd);

        List<OwnSession.Effect> heard =
                session.heartbeatAnswered(candidate.id(), Validity.Sending.now(time), Optional.of(item));
        pass(SETTINGS.heartbeat());

        assertThat(heard).containsExactly(new OwnSession.Effect.Heard(List.of()));
        assertThat(session.woke())
                .anySatisfy(effect -> assertThat(((OwnSession.Effect.SendHeartbeat) effect)
                                .edit()
                                .heard())
                        .isEqualTo(odd));
    }

    private void pass(Duration some) {
        nanos += some.toNanos();
    }
}
