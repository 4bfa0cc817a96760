package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.engine.Moments;
import java.util.concurrent.CompletableFuture;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Futures that are completed from two sides. */
public class FutureStress {

    @JCStressTest
    @Outcome(id = "cancelled; free", expect = ACCEPTABLE, desc = "Left the queue, or gave the lock back.")
    @Outcome(id = "granted; free", expect = ACCEPTABLE, desc = "Too late to cancel.")
    @Outcome(expect = FORBIDDEN, desc = "Held by nobody.")
    @State
    public static class GrantAndCancel {

        private final KeyInPlay play = new KeyInPlay();
        private volatile CompletableFuture<LockHandle> future;

        @Actor
        public void acquire() {
            future = play.registry.acquireAsync(LockRequest.of(play.key));
        }

        @Actor
        public void cancel() {
            while (future == null) {
                Thread.yield();
            }
            Moments.pass();
            future.cancel(true);
        }

        @Arbiter
        public void end(L_Result result) {
            if (future.isCancelled()) {
                result.r1 = "cancelled; " + play.free();
            } else {
                LockHandle handle = future.join();
                String outcome = handle.isValid() ? "granted; " : "granted and lost; ";
                handle.release();
                result.r1 = outcome + play.free();
            }
        }
    }

    @JCStressTest
    @Outcome(
            id = {"LockClosedException", "cancelled"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never completed, or granted behind a holder.")
    @State
    public static class CancelAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle holder = play.hold();
        private final CompletableFuture<LockHandle> future = play.acquireAsync();

        @Actor
        public void cancel() {
            Moments.pass();
            future.cancel(true);
        }

        @Actor
        public void close() {
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            Moments.await(future::isDone);
            boolean open = !future.isDone() || holder.isValid();
            result.r1 = open ? "open" : future.isCancelled() ? "cancelled" : RegistryInPlay.name(future);
        }
    }
}
