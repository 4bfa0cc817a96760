package io.dynamolock;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.locks.Lock;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Interrupts and cancellations at the moment of a grant: none is lost, and the lock does not stay with nobody. */
public class InterruptStress {

    @JCStressTest
    @Outcome(
            id = {"granted, flag; free", "LockInterruptedException, flag; free"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An interrupt lost, or a lock held by nobody.")
    @State
    public static class AcquireAndInterrupt {

        private final KeyInPlay play = new KeyInPlay();
        private String outcome;

        @Actor
        public void acquire() {
            play.expectInterrupt();
            try {
                LockHandle handle = play.registry.acquire(LockRequest.of(play.key));
                outcome = "granted, " + play.flag();
                handle.release();
            } catch (LockInterruptedException e) {
                outcome = "LockInterruptedException, " + play.flag();
            }
        }

        @Actor
        public void interrupt() {
            play.interrupt();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + "; " + play.free();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"granted, flag; free", "InterruptedException, no flag; free"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An interrupt lost or doubled, or a lock held by nobody.")
    @State
    public static class LockInterruptiblyAndInterrupt {

        private final KeyInPlay play = new KeyInPlay();
        private String outcome;

        @Actor
        public void lock() {
            Lock lock = play.registry.lock(play.key);
            play.expectInterrupt();
            try {
                lock.lockInterruptibly();
                outcome = "granted, " + play.flag();
                lock.unlock();
            } catch (InterruptedException e) {
                outcome = "InterruptedException, " + play.flag();
            }
        }

        @Actor
        public void interrupt() {
            play.interrupt();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + "; " + play.free();
        }
    }

    @JCStressTest
    @Outcome(id = "granted, flag; free", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An interrupt lost, or a lock held by nobody.")
    @State
    public static class LockAndInterrupt {

        private final KeyInPlay play = new KeyInPlay();
        private String outcome;

        @Actor
        public void lock() {
            Lock lock = play.registry.lock(play.key);
            play.expectInterrupt();
            lock.lock();
            outcome = "granted, " + play.flag();
            lock.unlock();
        }

        @Actor
        public void interrupt() {
            play.interrupt();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + "; " + play.free();
        }
    }

    @JCStressTest
    @Outcome(id = "true, flag; free", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "An interrupt lost, or a release that did not happen.")
    @State
    public static class ReleaseAndInterrupt {

        private final KeyInPlay play = new KeyInPlay();
        private final LockHandle handle = play.registry.acquire(LockRequest.of(play.key));
        private String outcome;

        @Actor
        public void release() {
            play.expectInterrupt();
            outcome = handle.release() + ", " + play.flag();
        }

        @Actor
        public void interrupt() {
            play.interrupt();
        }

        @Arbiter
        public void end(L_Result result) {
            result.r1 = outcome + "; " + play.free();
        }
    }
}
