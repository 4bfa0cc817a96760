package io.dynamolock.internal.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The end of a grant is decided once, and heard of once, whoever ends it. */
public class GrantStress {

    private static final String RELEASED = "1 released; 0 lost; 0 told; 0 held";
    private static final String LOST = "0 released; 1 lost; 1 told; 0 held";

    /** A grant that is to end. */
    private static class Play {

        final EngineInPlay engine = new EngineInPlay();
        final Grant grant = engine.hold();

        String story() {
            return engine.settle().story();
        }
    }

    @JCStressTest
    @Outcome(id = "true; " + RELEASED, expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "The loss was first.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, or none.")
    @State
    public static class ReleaseAndLoss {

        private final Play play = new Play();
        private CompletableFuture<Boolean> release;

        public ReleaseAndLoss() {
            play.engine.tellMe(play.grant);
        }

        @Actor
        public void release() {
            release = play.grant.release(null);
        }

        @Actor
        public void lose() {
            EngineInPlay.lose(play.grant);
        }

        @Arbiter
        public void end(L_Result result) {
            String story = play.story();
            result.r1 = EngineInPlay.answer(release) + "; " + story;
        }
    }

    @JCStressTest
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "Too late for both: lost, and heard of once.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, none, or a release of what was lost.")
    @State
    public static class LateReleaseAndLoss {

        private final Play play = new Play();
        private CompletableFuture<Boolean> release;

        public LateReleaseAndLoss() {
            play.engine.tellMe(play.grant);
            play.engine.time.advance(EngineInPlay.SETTINGS.lease());
        }

        @Actor
        public void release() {
            release = play.grant.release(null);
        }

        @Actor
        public void lose() {
            EngineInPlay.lose(play.grant);
        }

        @Arbiter
        public void end(L_Result result) {
            String story = play.story();
            result.r1 = EngineInPlay.answer(release) + "; " + story;
        }
    }

    @JCStressTest
    @Outcome(id = "true; true; " + RELEASED, expect = ACCEPTABLE, desc = "Released once, and both told so.")
    @Outcome(expect = FORBIDDEN, desc = "Different answers, or two ends.")
    @State
    public static class TwoReleases {

        private final Play play = new Play();
        private CompletableFuture<Boolean> first;
        private CompletableFuture<Boolean> second;

        public TwoReleases() {
            play.engine.tellMe(play.grant);
        }

        @Actor
        public void release() {
            first = play.grant.release(null);
        }

        @Actor
        public void releaseToo() {
            second = play.grant.release(null);
        }

        @Arbiter
        public void end(L_Result result) {
            String story = play.story();
            result.r1 = EngineInPlay.answer(first) + "; " + EngineInPlay.answer(second) + "; " + story;
        }
    }

    @JCStressTest
    @Outcome(id = "true; " + RELEASED, expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "The time was over first.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, or none.")
    @State
    public static class ReleaseAndMaxHold {

        private final Play play = new Play();
        private CompletableFuture<Boolean> release;

        public ReleaseAndMaxHold() {
            play.engine.tellMe(play.grant);
        }

        @Actor
        public void release() {
            release = play.grant.release(null);
        }

        @Actor
        public void isValid() {
            play.engine.time.advance(EngineInPlay.MAX_HOLD);
            play.grant.isValid();
        }

        @Arbiter
        public void end(L_Result result) {
            String story = play.story();
            result.r1 = EngineInPlay.answer(release) + "; " + story;
        }
    }

    /** The release of a lock that is to be held for a minute takes effect only then: whichever limits were there at its end are its. */
    @JCStressTest
    @Outcome(id = "changed true; released true; 0 PT1M", expect = ACCEPTABLE, desc = "Changed, and then released.")
    @Outcome(id = "changed false; released true; 1 none", expect = ACCEPTABLE, desc = "Released first.")
    @Outcome(expect = FORBIDDEN, desc = "Changed after the end, or released by limits that were not its own.")
    @State
    public static class ReleaseAndLimit {

        private final Play play = new Play();
        private final HoldLimits before = play.grant.limits();
        private CompletableFuture<Boolean> release;
        private boolean changed;

        @Actor
        public void release() {
            release = play.grant.release(null);
        }

        @Actor
        public void limit() {
            changed = play.grant.limit(before, new HoldLimits(before.maxHold(), Duration.ofMinutes(1)));
        }

        @Arbiter
        public void end(L_Result result) {
            play.engine.settle();
            Duration least = play.grant.limits().holdAtLeast();
            result.r1 = "changed " + changed + "; released " + EngineInPlay.answer(release) + "; "
                    + play.engine.ends.released() + " " + (least == null ? "none" : least);
        }
    }

    @JCStressTest
    @Outcome(
            id = {"PT5S true false", "PT6S false true"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Both, though each was asked for instead of the first, or neither.")
    @State
    public static class TwoLimits {

        private final Play play = new Play();
        private final HoldLimits before = play.grant.limits();
        private boolean first;
        private boolean second;

        @Actor
        public void limit() {
            first = play.grant.limit(before, new HoldLimits(Duration.ofSeconds(5), null));
        }

        @Actor
        public void limitToo() {
            second = play.grant.limit(before, new HoldLimits(Duration.ofSeconds(6), null));
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.grant.limits().maxHold() + " " + first + " " + second;
        }
    }

    @JCStressTest
    @Outcome(id = LOST, expect = ACCEPTABLE, desc = "Called back once, whether it came before the loss or after it.")
    @Outcome(expect = FORBIDDEN, desc = "Never called back, or twice.")
    @State
    public static class CallbackAndLoss {

        private final Play play = new Play();

        @Actor
        public void listen() {
            play.engine.tellMe(play.grant);
        }

        @Actor
        public void lose() {
            EngineInPlay.lose(play.grant);
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story();
        }
    }

    @JCStressTest
    @Outcome(id = RELEASED, expect = ACCEPTABLE, desc = "Nothing was lost.")
    @Outcome(expect = FORBIDDEN, desc = "Told of a loss after a release.")
    @State
    public static class CallbackAndRelease {

        private final Play play = new Play();

        @Actor
        public void listen() {
            play.engine.tellMe(play.grant);
        }

        @Actor
        public void release() {
            play.grant.release(null);
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.story();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true false", "true false false", "false false false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or still valid in the end.")
    @State
    public static class ValidityAndLoss {

        private final Play play = new Play();
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.grant.isValid();
            second = play.grant.isValid();
        }

        @Actor
        public void lose() {
            EngineInPlay.lose(play.grant);
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + play.grant.isValid();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true false", "true false false", "false false false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or still valid in the end.")
    @State
    public static class ValidityAndShutdown {

        private final Play play = new Play();
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.grant.isValid();
            second = play.grant.isValid();
        }

        @Actor
        public void shutDown() {
            play.engine.engine.shutdown();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + play.grant.isValid();
        }
    }

    /** Both are served by one entry, unless its fence was given out. */
    @JCStressTest
    @Outcome(id = "no fence; Granted", expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "fence of its own; Granted", expect = ACCEPTABLE, desc = "The fence was first.")
    @Outcome(expect = FORBIDDEN, desc = "The next caller holds the lock by the entry that the fence names.")
    @State
    public static class FenceAndRelease {

        private final EngineInPlay play = new EngineInPlay().started();
        private final Acquisition first = play.acquire();
        private final Acquisition next = play.acquire();
        private final Grant grant = grantOf(play, first);
        private Optional<Entry> fence;

        private static Grant grantOf(EngineInPlay play, Acquisition acquisition) {
            play.settle();
            return EngineInPlay.grant(acquisition);
        }

        @Actor
        public void fence() {
            fence = grant.fence();
        }

        @Actor
        public void release() {
            grant.release(null);
            play.settle();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            String how = EngineInPlay.name(next);
            boolean isShared = how.equals("Granted")
                    && fence.equals(Optional.of(EngineInPlay.grant(next).entry()));
            result.r1 = (fence.isEmpty() ? "no fence; " : isShared ? "shared fence; " : "fence of its own; ") + how;
        }
    }
}
