package io.dynamolock.internal.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** How a wait ended is decided once; a grant that nobody waits for any more is given back. */
public class AcquisitionStress {

    /** A caller, and who is told when it leaves. */
    static final class Play {

        final EngineInPlay engine = new EngineInPlay();
        private final AtomicInteger left = new AtomicInteger();
        final PendingAcquisition caller = new PendingAcquisition(
                EngineInPlay.SPEC, engine.time, engine.ends, departing -> left.incrementAndGet());

        String story() {
            engine.settle();
            return EngineInPlay.name(caller) + "; left " + left + "; released " + engine.ends.released();
        }
    }

    @JCStressTest
    @Outcome(id = "Abandoned; left 1; released 0; granted false", expect = ACCEPTABLE, desc = "Left before the grant.")
    @Outcome(id = "Granted; left 0; released 1; granted true", expect = ACCEPTABLE, desc = "The grant is given back.")
    @Outcome(expect = FORBIDDEN, desc = "Granted to nobody, or left and granted.")
    @State
    public static class AbandonAndGrant {

        private final Play play = new Play();
        private final Grant grant = play.engine.hold();
        private boolean granted;

        @Actor
        public void abandon() {
            play.caller.abandon();
        }

        @Actor
        public void grant() {
            granted = play.caller.end(new AcquireOutcome.Granted(grant));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story() + "; granted " + granted;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"TimedOut; left 0; released 0; timed out true", "Abandoned; left 1; released 0; timed out false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Two outcomes, or none.")
    @State
    public static class AbandonAndDeadline {

        private final Play play = new Play();
        private boolean timedOut;

        @Actor
        public void abandon() {
            play.caller.abandon();
        }

        @Actor
        public void timeOut() {
            timedOut = play.caller.end(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story() + "; timed out " + timedOut;
        }
    }

    @JCStressTest
    @Outcome(id = "Abandoned; left 1; released 0", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Left twice, or not at all.")
    @State
    public static class TwoAbandons {

        private final Play play = new Play();

        @Actor
        public void abandon() {
            play.caller.abandon();
        }

        @Actor
        public void abandonToo() {
            play.caller.abandon();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story();
        }
    }
}
