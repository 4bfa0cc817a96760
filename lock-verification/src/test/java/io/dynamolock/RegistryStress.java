package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.engine.SteppedLoop;
import io.dynamolock.engine.StoppedTime;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Futures of the registry against grants and against its end: each completes, and what nobody gets is released. */
public class RegistryStress {

    /** A registry on a loop that runs when a test says so. */
    static final class Play {

        private static final LockRequest REQUEST = LockRequest.of("k");

        final InMemoryLockStore store = new InMemoryLockStore();
        final SteppedLoop loop = new SteppedLoop();
        final LockRegistry registry = DynamoLocks.builder(store)
                .eventLoop(loop)
                .timeSource(new StoppedTime())
                .random(new SplittableRandom(1))
                .build();

        CompletableFuture<LockHandle> acquire() {
            try {
                return registry.acquireAsync(REQUEST);
            } catch (LockClosedException e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        /** Closes while another thread runs the loop. */
        void close() {
            CompletableFuture<Void> closing = CompletableFuture.runAsync(registry::close, task -> {
                Thread thread = new Thread(task, "closing");
                thread.setDaemon(true);
                thread.start();
            });
            while (!closing.isDone()) {
                loop.runAll();
                Thread.onSpinWait();
            }
        }

        static String outcome(CompletableFuture<LockHandle> future) {
            try {
                return "valid " + future.orTimeout(1, TimeUnit.SECONDS).join().isValid();
            } catch (CompletionException e) {
                return e.getCause().getClass().getSimpleName();
            }
        }
    }

    @JCStressTest
    @Outcome(id = "cancelled; held 0; waiting 0", expect = ACCEPTABLE, desc = "Left the queue, or gave the lock back.")
    @Outcome(id = "handed over; held 1; waiting 0", expect = ACCEPTABLE, desc = "Too late to cancel.")
    @Outcome(expect = FORBIDDEN, desc = "Held by nobody, or cancelled and held.")
    @State
    public static class CancelAndGrant {

        private static final int PATIENCE = 10_000;

        private final Play play = new Play();
        private final CompletableFuture<LockHandle> future = play.acquire();

        @Actor
        public void cancel() {
            future.cancel(true);
        }

        @Actor
        public void grant() {
            play.loop.runAll();
        }

        @Arbiter
        public void end(L_Result result) {
            boolean cancelled = future.isCancelled();
            int expected = cancelled ? 0 : 1;
            for (int i = 0; i < PATIENCE && play.registry.held().size() != expected; i++) {
                play.loop.runAll();
                Thread.yield();
            }
            result.r1 = (cancelled ? "cancelled" : "handed over") + "; held "
                    + play.registry.held().size() + "; waiting " + play.registry.waiting();
            play.close();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"LockClosedException", "valid false"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never completed, or valid after the end.")
    @State
    public static class AcquireAndClose {

        private final Play play = new Play();
        private CompletableFuture<LockHandle> future;

        @Actor
        public void acquire() {
            future = play.acquire();
        }

        @Actor
        public void close() {
            play.close();
        }

        @Arbiter
        public void end(L_Result result) {
            play.loop.runAll();
            result.r1 = Play.outcome(future);
        }
    }
}
