package io.dynamolock.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** How a wait ended is decided once; a grant that nobody waits for any more is given back. */
public class CallerStress {

    @JCStressTest
    @Outcome(
            id = "Abandoned; granted false; left 1; released 0; waiting 0",
            expect = ACCEPTABLE,
            desc = "The caller left before the grant.")
    @Outcome(
            id = "Granted; granted true; left 0; released 1; waiting 0",
            expect = ACCEPTABLE,
            desc = "The grant was first, and is given back.")
    @Outcome(expect = FORBIDDEN, desc = "Granted to nobody, or left and granted.")
    @State
    public static class AbandonAndGrant {

        private final GrantInPlay play = new GrantInPlay();
        private final Set<Caller> waiting = ConcurrentHashMap.newKeySet();
        private final AtomicInteger left = new AtomicInteger();
        private final Caller caller =
                new Caller(GrantInPlay.SPEC, departing -> left.incrementAndGet(), 0, Instant.EPOCH, waiting);
        private boolean granted;

        @Actor
        public void abandon() {
            caller.abandon();
        }

        @Actor
        public void grant() {
            granted = caller.end(new AcquireOutcome.Granted(play.grant));
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.name(caller) + "; granted " + granted + "; left " + left + "; released "
                    + play.ends.released() + "; waiting " + waiting.size();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"TimedOut; timed out true; left 0; waiting 0", "Abandoned; timed out false; left 1; waiting 0"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Two outcomes, or none.")
    @State
    public static class AbandonAndDeadline {

        private final Set<Caller> waiting = ConcurrentHashMap.newKeySet();
        private final AtomicInteger left = new AtomicInteger();
        private final Caller caller =
                new Caller(GrantInPlay.SPEC, departing -> left.incrementAndGet(), 0, Instant.EPOCH, waiting);
        private boolean timedOut;

        @Actor
        public void abandon() {
            caller.abandon();
        }

        @Actor
        public void timeOut() {
            timedOut = caller.end(new AcquireOutcome.TimedOut(Duration.ZERO, 1, null));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = EngineInPlay.name(caller) + "; timed out " + timedOut + "; left " + left + "; waiting "
                    + waiting.size();
        }
    }

    @JCStressTest
    @Outcome(id = "Abandoned; left 1; waiting 0", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Counted out twice, or not at all.")
    @State
    public static class TwoAbandons {

        private final Set<Caller> waiting = ConcurrentHashMap.newKeySet();
        private final AtomicInteger left = new AtomicInteger();
        private final Caller caller =
                new Caller(GrantInPlay.SPEC, departing -> left.incrementAndGet(), 0, Instant.EPOCH, waiting);

        @Actor
        public void abandon() {
            caller.abandon();
        }

        @Actor
        public void abandonToo() {
            caller.abandon();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = EngineInPlay.name(caller) + "; left " + left + "; waiting " + waiting.size();
        }
    }
}
