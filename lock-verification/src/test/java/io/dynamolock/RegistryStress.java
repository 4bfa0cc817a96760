package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dynamolock.internal.engine.Moments;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** The end of a registry against all that goes on in it: everybody is told, and nothing is left. */
public class RegistryStress {

    @JCStressTest
    @Outcome(
            id = {
                "LockClosedException; nothing left",
                "granted; nothing left",
                "granted and lost; nothing left",
            },
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Left in the table.")
    @State
    public static class AcquireAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private String outcome;

        @Actor
        public void acquire() {
            outcome = play.acquire();
        }

        @Actor
        public void close() {
            Moments.pass();
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"LockClosedException; nothing left", "granted and lost; nothing left"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Never completed, valid after the end, or left in the table.")
    @State
    public static class AcquireAsyncAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private CompletableFuture<LockHandle> future;

        @Actor
        public void acquire() {
            future = play.acquireAsync();
        }

        @Actor
        public void close() {
            Moments.pass();
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = Moments.await(future::isDone)
                    ? RegistryInPlay.name(future) + "; " + play.left()
                    : "never completed";
        }
    }

    @JCStressTest
    @Outcome(id = "LockClosedException; nothing left", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Granted, or left in the table.")
    @State
    public static class WaitAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle holder = play.hold();
        private String outcome;

        @Actor
        public void acquire() {
            outcome = play.acquire();
        }

        @Actor
        public void close() {
            Moments.pass();
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + (holder.isValid() ? "; held on; " : "; ") + play.left();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true true; false 0", "true false; false 0", "false false; false 0"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Valid again, or valid when the close was done.")
    @State
    public static class ValidityAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle handle = play.hold();
        private boolean first;
        private boolean second;
        private String afterwards;

        @Actor
        public void look() {
            Moments.pass();
            first = handle.isValid();
            second = !handle.remainingValidity().isZero();
        }

        @Actor
        public void close() {
            play.registry.close();
            afterwards = handle.isValid() + " " + play.registry.held().size();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = first + " " + second + "; " + afterwards;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true; nothing left", "false; nothing left"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "Left in the table.")
    @State
    public static class ReleaseAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle handle = play.hold();
        private boolean released;

        @Actor
        public void release() {
            released = handle.release();
        }

        @Actor
        public void close() {
            Moments.pass();
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = released + "; " + play.left();
        }
    }

    @JCStressTest
    @Outcome(id = "nothing left; nothing left", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "A close that was done before the locks were free.")
    @State
    public static class TwoCloses {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle handle = play.hold();
        private String first;
        private String second;

        @Actor
        public void close() {
            play.registry.close();
            first = play.left();
        }

        @Actor
        public void closeToo() {
            Moments.pass();
            play.registry.close();
            second = play.left();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = (handle.isValid() ? "valid; " : "") + first + "; " + second;
        }
    }

    @JCStressTest
    @Outcome(id = "1 1", expect = ACCEPTABLE, desc = "Each called once.")
    @Outcome(expect = FORBIDDEN, desc = "One never called, or twice.")
    @State
    public static class CallbackAndClose {

        private final RegistryInPlay play = new RegistryInPlay();
        private final LockHandle handle = play.hold();
        private final AtomicInteger first = new AtomicInteger();
        private final AtomicInteger second = new AtomicInteger();

        public CallbackAndClose() {
            handle.onLost(first::incrementAndGet);
        }

        @Actor
        public void listen() {
            Moments.pass();
            handle.onLost(second::incrementAndGet);
        }

        @Actor
        public void close() {
            play.registry.close();
        }

        @Arbiter
        public void end(L_Result result) {
            Moments.await(() -> first.get() > 0 && second.get() > 0);
            result.r1 = first + " " + second;
        }
    }
}
