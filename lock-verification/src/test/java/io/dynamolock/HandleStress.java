package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.engine.EngineInPlay;
import io.dynamolock.internal.engine.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Many threads on one handle: what it says stays said, and every callback comes once. */
public class HandleStress {

    /** A handle, and callbacks that are counted. */
    static final class Play {

        /** Has two threads of its own for the news of losses. */
        private static final RegistryThreads.Tellers THREADS = new RegistryThreads(null, task -> task).ofUsers();

        final EngineInPlay engine = new EngineInPlay();
        final Grant grant = engine.hold();
        final GrantHandle handle = new GrantHandle(grant, THREADS, Fences.NONE, FollowedCaller.UNSEEN);
        final AtomicInteger first = new AtomicInteger();
        final AtomicInteger second = new AtomicInteger();

        String callbacks() {
            awaitCallbacks();
            // So that the shared cleaner has nothing to do.
            handle.startRelease();
            return first + " " + second;
        }

        /**
         * Both threads here at the same time: whatever was handed in before is done. Only one at a time, for two who
         * ask for both threads could get one each.
         */
        private static synchronized void awaitCallbacks() {
            CountDownLatch both = new CountDownLatch(2);
            for (int i = 0; i < 2; i++) {
                THREADS.losses().execute(() -> {
                    both.countDown();
                    awaitZero(both);
                });
            }
            awaitZero(both);
        }

        private static void awaitZero(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @JCStressTest
    @Outcome(id = "1 1", expect = ACCEPTABLE, desc = "Each called once.")
    @Outcome(expect = FORBIDDEN, desc = "One never called, or twice.")
    @State
    public static class CallbackAndLoss {

        private final Play play = new Play();

        public CallbackAndLoss() {
            play.handle.onLost(play.first::incrementAndGet);
        }

        @Actor
        public void listen() {
            play.handle.onLost(play.second::incrementAndGet);
        }

        @Actor
        public void lose() {
            EngineInPlay.lose(play.grant);
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = play.callbacks();
        }
    }

    @JCStressTest
    @Outcome(id = "1 1", expect = ACCEPTABLE, desc = "Each called once.")
    @Outcome(expect = FORBIDDEN, desc = "One never called, or twice.")
    @State
    public static class TwoCallbacks {

        private final Play play = new Play();

        @Actor
        public void listen() {
            play.handle.onLost(play.first::incrementAndGet);
        }

        @Actor
        public void listenToo() {
            play.handle.onLost(play.second::incrementAndGet);
        }

        @Arbiter
        public void end(L_Result result) {
            EngineInPlay.lose(play.grant);
            result.r1 = play.callbacks();
        }
    }

    @JCStressTest
    @Outcome(id = "true true", expect = ACCEPTABLE, desc = "The same answer for both.")
    @Outcome(expect = FORBIDDEN, desc = "Different answers.")
    @State
    public static class TwoReleases {

        private final Play play = new Play();
        private CompletableFuture<Boolean> first;
        private CompletableFuture<Boolean> second;

        @Actor
        public void release() {
            first = play.handle.startRelease();
        }

        @Actor
        public void releaseToo() {
            second = play.handle.startRelease();
        }

        @Arbiter
        public void end(L_Result result) {
            play.engine.settle();
            result.r1 = first.join() + " " + second.join();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true false", "true false false", "false false false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or still valid in the end.")
    @State
    public static class ValidityAndRelease {

        private final Play play = new Play();
        private boolean first;
        private boolean second;

        @Actor
        public void look() {
            first = play.handle.isValid();
            second = !play.handle.remainingValidity().isZero();
        }

        @Actor
        public void release() {
            play.handle.startRelease();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + " " + play.handle.isValid();
        }
    }
}
