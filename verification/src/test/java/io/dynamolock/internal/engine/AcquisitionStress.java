package io.dynamolock.internal.engine;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The outcome of a wait is decided once. A grant that comes too late is given back. */
public final class AcquisitionStress {

    /** A caller, and how often the engine was told that it had left. */
    private static final class Play extends Race<Boolean> {

        final EngineInPlay engine = new EngineInPlay();
        private final AtomicInteger left = new AtomicInteger();
        private final PendingAcquisition caller = new PendingAcquisition(
                EngineInPlay.SPEC, engine.time, engine.ends, departing -> left.incrementAndGet());

        void abandonWhileEnding(AcquireOutcome outcome) {
            between(caller::abandon, () -> first = caller.end(outcome), () -> story() + "; ended " + first);
        }

        void abandonTwice() {
            between(caller::abandon, caller::abandon, this::story);
        }

        private String story() {
            engine.settle();
            return EngineInPlay.name(caller) + "; left " + left + "; released " + engine.ends.released;
        }
    }

    private AcquisitionStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "abandon and grant",
                        Play::new,
                        play -> play.abandonWhileEnding(new AcquireOutcome.Granted(play.engine.hold())),
                        "Abandoned; left 1; released 0; ended false",
                        "Granted; left 0; released 1; ended true"),
                StressCase.of(
                        "abandon and deadline",
                        Play::new,
                        play -> play.abandonWhileEnding(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null)),
                        "TimedOut; left 0; released 0; ended true",
                        "Abandoned; left 1; released 0; ended false"),
                StressCase.of("two abandons", Play::new, Play::abandonTwice, "Abandoned; left 1; released 0"));
    }
}
