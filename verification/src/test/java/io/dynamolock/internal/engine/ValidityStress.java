package io.dynamolock.internal.engine;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.ClockReading;
import java.time.Duration;
import java.util.stream.Stream;

/** A session that is over stays over, whichever answers to heartbeats come late. */
public final class ValidityStress {

    private static final Duration LASTS = Duration.ofSeconds(19);

    private static class Play<A> extends Race<A> {

        final StoppedTime time = new StoppedTime();
        final Validity validity = sentAt(Duration.ZERO, Duration.ZERO);

        final Validity sentAt(Duration monotonic, Duration wall) {
            return new Validity(SessionId.of(1), LASTS, time, time.sending(monotonic, wall));
        }

        void heartbeat() {
            validity.extend(ClockReading.of(time));
        }
    }

    private ValidityStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "expiry and heartbeat",
                        Play<Boolean>::new,
                        play -> {
                            play.time.advance(LASTS);
                            play.between(
                                    () -> {
                                        play.first = play.validity.isValid();
                                        play.second = play.validity.isValid();
                                    },
                                    play::heartbeat,
                                    () -> play.first + " " + play.second + " " + play.validity.isValid());
                        },
                        "true true true",
                        "false false false"),
                StressCase.of(
                        "end and heartbeat",
                        Play<Void>::new,
                        play -> play.between(
                                play.validity::end, play::heartbeat, () -> String.valueOf(play.validity.isValid())),
                        "false"),
                // The monotonic clock limits the old heartbeat, the wall clock the new one: a mixture of both would be
                // valid for longer.
                StressCase.of(
                        "remainder and heartbeat",
                        Play<Duration>::new,
                        play -> {
                            Validity validity = play.sentAt(until(10), until(30));
                            play.between(
                                    () -> play.first = validity.remaining(),
                                    () -> validity.extend(play.time.sending(until(40), until(15))),
                                    () -> play.first.toString());
                        },
                        "PT10S",
                        "PT15S"));
    }

    private static Duration until(long seconds) {
        return Duration.ofSeconds(seconds).minus(LASTS);
    }
}
