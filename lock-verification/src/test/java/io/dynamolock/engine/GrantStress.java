package io.dynamolock.engine;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.protocol.BlockId;
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

    @JCStressTest
    @Outcome(id = "true; " + RELEASED, expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "The loss was first.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, or none.")
    @State
    public static class ReleaseAndLoss {

        private final GrantInPlay play = new GrantInPlay();
        private CompletableFuture<Boolean> release;

        public ReleaseAndLoss() {
            play.tellMe();
        }

        @Actor
        public void release() {
            release = play.grant.release();
        }

        @Actor
        public void lose() {
            play.lose();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = GrantInPlay.answer(release) + "; " + play.story();
        }
    }

    @JCStressTest
    @Outcome(id = "true; true; " + RELEASED, expect = ACCEPTABLE, desc = "Released once, and both told so.")
    @Outcome(expect = FORBIDDEN, desc = "Different answers, or two ends.")
    @State
    public static class TwoReleases {

        private final GrantInPlay play = new GrantInPlay();
        private CompletableFuture<Boolean> first;
        private CompletableFuture<Boolean> second;

        public TwoReleases() {
            play.tellMe();
        }

        @Actor
        public void release() {
            first = play.grant.release();
        }

        @Actor
        public void releaseToo() {
            second = play.grant.release();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = GrantInPlay.answer(first) + "; " + GrantInPlay.answer(second) + "; " + play.story();
        }
    }

    @JCStressTest
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "Too late for both: lost, and heard of once.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, none, or a release of what was lost.")
    @State
    public static class LateReleaseAndLoss {

        private final GrantInPlay play = new GrantInPlay();
        private CompletableFuture<Boolean> release;

        public LateReleaseAndLoss() {
            play.tellMe();
            play.time.advance(GrantInPlay.LEASE);
        }

        @Actor
        public void release() {
            release = play.grant.release();
        }

        @Actor
        public void lose() {
            play.lose();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = GrantInPlay.answer(release) + "; " + play.story();
        }
    }

    @JCStressTest
    @Outcome(id = "true; " + RELEASED, expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "The shutdown was first.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, or none.")
    @State
    public static class ReleaseAndClose {

        private final GrantInPlay play = new GrantInPlay();
        private CompletableFuture<Boolean> release;

        public ReleaseAndClose() {
            play.tellMe();
        }

        @Actor
        public void release() {
            release = play.grant.release();
        }

        @Actor
        public void close() {
            play.close();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = GrantInPlay.answer(release) + "; " + play.story();
        }
    }

    @JCStressTest
    @Outcome(id = LOST, expect = ACCEPTABLE, desc = "Called back once, whether it came before the loss or after it.")
    @Outcome(expect = FORBIDDEN, desc = "Never called back, or twice.")
    @State
    public static class CallbackAndLoss {

        private final GrantInPlay play = new GrantInPlay();

        @Actor
        public void listen() {
            play.tellMe();
        }

        @Actor
        public void lose() {
            play.lose();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.settle().story();
        }
    }

    @JCStressTest
    @Outcome(id = RELEASED, expect = ACCEPTABLE, desc = "Nothing was lost.")
    @Outcome(expect = FORBIDDEN, desc = "Told of a loss after a release.")
    @State
    public static class CallbackAndRelease {

        private final GrantInPlay play = new GrantInPlay();

        @Actor
        public void listen() {
            play.tellMe();
        }

        @Actor
        public void release() {
            play.grant.release();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.settle().story();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true false", "true false false", "false false false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or still valid in the end.")
    @State
    public static class ValidityAndLoss {

        private final GrantInPlay play = new GrantInPlay();
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.grant.isValid();
            second = play.grant.isValid();
        }

        @Actor
        public void lose() {
            play.lose();
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
    public static class ValidityAndClose {

        private final GrantInPlay play = new GrantInPlay();
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.grant.isValid();
            second = play.grant.isValid();
        }

        @Actor
        public void close() {
            play.close();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + play.grant.isValid();
        }
    }

    @JCStressTest
    @Outcome(id = "true; " + RELEASED, expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "false; " + LOST, expect = ACCEPTABLE, desc = "The time was over first.")
    @Outcome(expect = FORBIDDEN, desc = "Two ends, or none.")
    @State
    public static class ReleaseAndMaxHold {

        private final GrantInPlay play = new GrantInPlay(GrantInPlay.SHORT_SPEC);
        private CompletableFuture<Boolean> release;

        public ReleaseAndMaxHold() {
            play.tellMe();
        }

        @Actor
        public void release() {
            release = play.grant.release();
        }

        @Actor
        public void takeAway() {
            play.takeAway();
        }

        @Arbiter
        public void end(L_Result result) {
            play.settle();
            result.r1 = GrantInPlay.answer(release) + "; " + play.story();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true false", "true false false", "false false false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or still valid in the end.")
    @State
    public static class ValidityAndMaxHold {

        private final GrantInPlay play = new GrantInPlay(GrantInPlay.SHORT_SPEC);
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.grant.isValid();
            second = play.grant.isValid();
        }

        @Actor
        public void takeAway() {
            play.takeAway();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + play.grant.isValid();
        }
    }

    @JCStressTest
    @Outcome(id = "no fence; Granted", expect = ACCEPTABLE, desc = "The release was first.")
    @Outcome(id = "fence of its own; Granted", expect = ACCEPTABLE, desc = "The fence was first.")
    @Outcome(expect = FORBIDDEN, desc = "The next caller holds the lock by the block that the fence names.")
    @State
    public static class FenceAndRelease {

        private final EngineInPlay play = new EngineInPlay();
        private final Grant grant = play.hold();
        private final Acquisition next = play.acquire();
        private Optional<BlockId> fence;

        public FenceAndRelease() {
            play.loop.runAll();
        }

        @Actor
        public void fence() {
            fence = grant.fence();
        }

        @Actor
        public void release() {
            grant.release();
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            boolean isShared = fence.isPresent() && fence.get().equals(play.holderInTheTable());
            result.r1 = (fence.isEmpty() ? "no fence; " : isShared ? "shared fence; " : "fence of its own; ")
                    + EngineInPlay.name(next);
        }
    }
}
