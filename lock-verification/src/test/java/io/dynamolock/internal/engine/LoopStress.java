package io.dynamolock.internal.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A step that the loop accepts is run, though the loop may be shut down at the same moment. */
public class LoopStress {

    private static final String RUN = "accepted true; ran true";
    private static final String REFUSED = "accepted false; ran false";

    /** A loop and one step. */
    static final class Play {

        final PooledEventLoop loop = new PooledEventLoop("stressed-loop");
        private volatile boolean ran;
        private boolean accepted;

        void handIn() {
            accepted = loop.execute(() -> ran = true);
        }

        String story() {
            return "accepted " + accepted + "; ran " + (accepted ? Moments.await(() -> ran) : ran);
        }
    }

    @JCStressTest
    @Outcome(
            id = {RUN, REFUSED},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Accepted and dropped, or refused and run.")
    @State
    public static class StepAndShutdown {

        private final Play play = new Play();

        @Actor
        public void handIn() {
            play.handIn();
        }

        @Actor
        public void shutDown() {
            play.loop.shutdown();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story();
        }
    }

    @JCStressTest
    @Outcome(
            id = {RUN, REFUSED},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Accepted and dropped, or refused and run.")
    @State
    public static class StepAndShutdownByTheLoop {

        private final Play play = new Play();

        @Actor
        public void handIn() {
            play.handIn();
        }

        @Actor
        public void shutDown() {
            play.loop.execute(play.loop::shutdown);
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story();
        }
    }
}
