package io.dynamolock.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Callers' threads against the loop of a whole engine: nobody waits for ever, nothing stays held by nobody. */
public class EngineStress {

    @JCStressTest
    @Outcome(
            id = {"Abandoned; held false; waiting 0; ends 0", "Granted; held false; waiting 0; ends 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Held by nobody, or still waiting.")
    @State
    public static class AbandonAndGrant {

        private final EngineInPlay play = new EngineInPlay().started();
        private final int endsBefore = play.ends.released();
        private final Acquisition acquisition = play.acquire();

        @Actor
        public void abandon() {
            acquisition.abandon();
        }

        @Actor
        public void grant() {
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = EngineInPlay.name(acquisition) + "; held " + play.isHeldInTheTable() + "; waiting "
                    + play.engine.waiting() + "; ends " + (play.ends.released() - endsBefore);
        }
    }

    @JCStressTest
    @Outcome(id = "Closed; held false; queued 0; waiting 0; stopped true", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never told, or granted by an engine that is shut down.")
    @State
    public static class AcquireAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private Acquisition acquisition;

        @Actor
        public void acquire() {
            acquisition = play.acquire();
        }

        @Actor
        public void shutDown() {
            play.shutDown();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = EngineInPlay.name(acquisition) + "; held " + play.isHeldInTheTable() + "; queued "
                    + play.queuedInTheTable() + "; waiting " + play.engine.waiting() + "; stopped "
                    + play.engine.shutdown().isDone();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"Closed; valid false; held false; lost 0", "Granted; valid false; held false; lost 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid after the end, or an end that nobody heard of.")
    @State
    public static class GrantAndShutdown {

        private final EngineInPlay play = new EngineInPlay().started();
        private final Acquisition acquisition = play.acquire();

        @Actor
        public void shutDown() {
            play.engine.shutdown();
        }

        @Actor
        public void grant() {
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            boolean valid = acquisition.outcome().getNow(null) instanceof AcquireOutcome.Granted granted
                    && granted.grant().isValid();
            result.r1 = EngineInPlay.name(acquisition) + "; valid " + valid + "; held " + play.isHeldInTheTable()
                    + "; lost " + play.ends.lost();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true; released 1; lost 0; told 0; held false", "false; released 0; lost 1; told 1; held false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "No answer, or not exactly one end.")
    @State
    public static class ReleaseAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private final AtomicInteger told = new AtomicInteger();
        private CompletableFuture<Boolean> release;

        public ReleaseAndShutdown() {
            grant.onLost(told::incrementAndGet);
        }

        @Actor
        public void release() {
            release = grant.release();
        }

        @Actor
        public void shutDown() {
            play.shutDown();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = GrantInPlay.answer(release) + "; released " + play.ends.released() + "; lost "
                    + play.ends.lost() + "; told " + told + "; held " + play.isHeldInTheTable();
        }
    }

    @JCStressTest
    @Outcome(id = "false; released 0; lost 1; told 1; held false", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "No answer, or not exactly one end.")
    @State
    public static class LateReleaseAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private final AtomicInteger told = new AtomicInteger();
        private CompletableFuture<Boolean> release;

        public LateReleaseAndShutdown() {
            grant.onLost(told::incrementAndGet);
            play.engine.shutdown();
        }

        @Actor
        public void release() {
            release = grant.release();
        }

        @Actor
        public void shutDown() {
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = GrantInPlay.answer(release) + "; released " + play.ends.released() + "; lost "
                    + play.ends.lost() + "; told " + told + "; held " + play.isHeldInTheTable();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"answered", "refused"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never answered.")
    @State
    public static class InspectAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private CompletableFuture<Inspection> inspection;

        @Actor
        public void inspect() {
            inspection = play.engine.inspect(GrantInPlay.KEY);
        }

        @Actor
        public void shutDown() {
            play.shutDown();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = !inspection.isDone() ? "open" : inspection.isCompletedExceptionally() ? "refused" : "answered";
        }
    }

    @JCStressTest
    @Outcome(id = "Closed; held false; queued 0; waiting 0", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never told, granted by an engine that is shut down, or left in the queue.")
    @State
    public static class WaitAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant holder = play.hold();
        private final Acquisition acquisition = play.acquire();

        @Actor
        public void shutDown() {
            play.engine.shutdown();
        }

        @Actor
        public void enter() {
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = EngineInPlay.name(acquisition) + "; held " + (holder.isValid() || play.isHeldInTheTable())
                    + "; queued " + play.queuedInTheTable() + "; waiting " + play.engine.waiting();
        }
    }

    @JCStressTest
    @Outcome(id = "true true; held false", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Shut down twice, or never.")
    @State
    public static class TwoShutdowns {

        private final EngineInPlay play = new EngineInPlay();
        private CompletableFuture<Void> first;
        private CompletableFuture<Void> second;

        public TwoShutdowns() {
            play.hold();
        }

        @Actor
        public void shutDown() {
            first = play.engine.shutdown();
        }

        @Actor
        public void shutDownToo() {
            second = play.engine.shutdown();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = first.isDone() + " " + second.isDone() + "; held " + play.isHeldInTheTable();
        }
    }
}
