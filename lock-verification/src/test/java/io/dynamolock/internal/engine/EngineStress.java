package io.dynamolock.internal.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.Inspection;
import java.util.concurrent.CompletableFuture;
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
            id = {"Abandoned; 0 queued; 0 waiting; 1 heard of", "Granted; 0 queued; 0 waiting; 1 heard of"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Held by nobody, still waiting, or heard of twice.")
    @State
    public static class AbandonAndGrant {

        private final EngineInPlay play = new EngineInPlay().started();
        private final Acquisition acquisition = play.acquire();

        @Actor
        public void abandon() {
            acquisition.abandon();
        }

        @Actor
        public void grant() {
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.name(acquisition) + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(id = "Closed; 0 queued; 0 waiting; 1 heard of; stopped true", expect = ACCEPTABLE)
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
            play.engine.shutdown();
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.finish();
            result.r1 = EngineInPlay.name(acquisition) + "; " + play.left() + "; stopped "
                    + play.engine.shutdown().isDone();
        }
    }

    @JCStressTest
    @Outcome(id = "Closed; 0 released; 0 lost; 0 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(id = "Granted; 0 released; 1 lost; 0 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
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
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.name(acquisition) + "; " + play.story() + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(id = "Closed; 0 queued; 0 waiting; 2 heard of", expect = ACCEPTABLE)
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
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.name(acquisition) + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(id = "true; 1 released; 0 lost; 0 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(id = "false; 0 released; 1 lost; 1 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "No answer, or not exactly one end.")
    @State
    public static class ReleaseAndShutdown {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private CompletableFuture<Boolean> release;

        public ReleaseAndShutdown() {
            play.tellMe(grant);
        }

        @Actor
        public void release() {
            release = grant.release(null);
        }

        @Actor
        public void shutDown() {
            play.engine.shutdown();
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.answer(release) + "; " + play.story() + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(id = "true; 1 released; 0 lost; 0 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(id = "false; 0 released; 1 lost; 1 told; 0 held; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "No answer, or not exactly one end.")
    @State
    public static class ReleaseAndPause {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private CompletableFuture<Boolean> release;

        public ReleaseAndPause() {
            play.tellMe(grant);
        }

        @Actor
        public void release() {
            release = grant.release(null);
        }

        @Actor
        public void pause() {
            play.engine.pause();
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = EngineInPlay.answer(release) + "; " + play.story() + "; " + play.left();
        }
    }

    /** Who asks when an engine is paused is served by the next. */
    @JCStressTest
    @Outcome(
            id = "Granted; valid true; 1 queued; 0 waiting; 1 heard of",
            expect = ACCEPTABLE,
            desc = "Granted after the pause, whichever came first.")
    @Outcome(expect = FORBIDDEN, desc = "Forgotten, held by nobody, or valid over a pause.")
    @State
    public static class AcquireAndPause {

        private final EngineInPlay play = new EngineInPlay().started();
        private Acquisition acquisition;

        @Actor
        public void acquire() {
            acquisition = play.acquire();
        }

        @Actor
        public void pause() {
            play.engine.pause();
            play.settle();
            play.engine.resume();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            String how = EngineInPlay.name(acquisition);
            result.r1 = how + "; valid " + EngineInPlay.grant(acquisition).isValid() + "; " + play.left();
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
            inspection = play.engine.inspect(EngineInPlay.KEY);
        }

        @Actor
        public void shutDown() {
            play.engine.shutdown();
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = !inspection.isDone() ? "open" : inspection.isCompletedExceptionally() ? "refused" : "answered";
        }
    }

    @JCStressTest
    @Outcome(id = "true true; 0 queued; 0 waiting; 1 heard of", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Shut down twice, or never.")
    @State
    public static class TwoShutdowns {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private CompletableFuture<Void> first;
        private CompletableFuture<Void> second;

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
            play.finish();
            result.r1 = first.isDone() + " " + second.isDone() + "; " + play.left();
        }
    }
}
