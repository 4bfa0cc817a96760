package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRequest;
import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;

/**
 * Interrupts and cancellations at the moment of a grant: no interrupt is lost, and no lock stays held without a holder.
 */
public final class InterruptStress {

    /** One thread uses a lock, the other interrupts it. */
    private static final class Play extends Race<String> {

        final KeyInPlay key = new KeyInPlay();
        final Lock lock = key.registry.lock(key.key);

        private interface Step {

            /** @return the outcome, if the thread was not interrupted */
            String run() throws InterruptedException;
        }

        /** If an exception tells of the interrupt, the name of the exception is the outcome. */
        void interrupt(Step step) {
            between(
                    () -> {
                        key.expectInterrupt();
                        try {
                            first = step.run();
                        } catch (InterruptedException | LockInterruptedException e) {
                            first = e.getClass().getSimpleName() + ", " + key.flag();
                        }
                    },
                    key::interrupt,
                    () -> first + "; " + key.free());
        }

        String unlocked() {
            String outcome = "granted, " + key.flag();
            lock.unlock();
            return outcome;
        }
    }

    private InterruptStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "acquire and interrupt",
                        Play::new,
                        play -> play.interrupt(() -> {
                            LockHandle handle = play.key.registry.acquire(LockRequest.of(play.key.key));
                            String outcome = "granted, " + play.key.flag();
                            handle.release();
                            return outcome;
                        }),
                        "granted, flag; free",
                        "LockInterruptedException, flag; free"),
                StressCase.of(
                        "lockInterruptibly and interrupt",
                        Play::new,
                        play -> play.interrupt(() -> {
                            play.lock.lockInterruptibly();
                            return play.unlocked();
                        }),
                        "granted, flag; free",
                        "InterruptedException, no flag; free"),
                StressCase.of(
                        "lock and interrupt",
                        Play::new,
                        play -> play.interrupt(() -> {
                            play.lock.lock();
                            return play.unlocked();
                        }),
                        "granted, flag; free"),
                StressCase.of(
                        "release and interrupt",
                        Play::new,
                        play -> {
                            LockHandle handle = play.key.registry.acquire(LockRequest.of(play.key.key));
                            play.interrupt(() -> handle.release() + ", " + play.key.flag());
                        },
                        "true, flag; free"));
    }
}
