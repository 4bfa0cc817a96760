package io.dynamolock.internal.engine;

import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.loop.PooledEventLoop;
import java.util.stream.Stream;

/**
 * A step that the loop accepts is run, even if the loop is shut down at the same moment. No step is accepted and
 * dropped, or refused and run.
 */
public final class LoopStress {

    private static final String RUN = "accepted true; ran true";
    private static final String REFUSED = "accepted false; ran false";

    /** A loop and one step. */
    private static final class Play extends Race<Boolean> {

        final PooledEventLoop loop = new PooledEventLoop("stressed-loop");
        private volatile boolean ran;

        void handInWhile(Runnable shutDown) {
            between(
                    () -> first = loop.execute(() -> ran = true),
                    shutDown,
                    () -> "accepted " + first + "; ran " + (first ? Moments.await(() -> ran) : ran));
        }
    }

    private LoopStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "step and shutdown", Play::new, play -> play.handInWhile(play.loop::shutdown), RUN, REFUSED),
                StressCase.of(
                        "step and shutdown by the loop",
                        Play::new,
                        play -> play.handInWhile(() -> play.loop.execute(play.loop::shutdown)),
                        RUN,
                        REFUSED));
    }
}
