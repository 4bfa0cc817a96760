package io.dynamolock.internal.loop;

import java.time.Duration;

/** Runs small steps, which do not block, one at a time, in the order in which they were handed in. Thread-safe. */
public interface EventLoop {

    /**
     * Runs the step soon.
     *
     * @return {@code false} if the loop is shut down and never runs the step
     */
    boolean execute(Runnable step);

    /**
     * As {@link #execute}, at the end of a call: the calling thread promises that it returns without waiting for
     * anything. So a thread of the loop may run the step itself, and need not wake another.
     */
    default boolean executeAfterCall(Runnable step) {
        return execute(step);
    }

    /** Runs the step after a delay, or soon if the delay is not positive, unless the timer is cancelled before. */
    Timer schedule(Runnable step, Duration delay);

    /** Accepts no more steps and forgets the timers. Steps that were handed in before still run. */
    void shutdown();

    /** A step that waits for its time. */
    interface Timer {

        /** Keeps the step from running if it has not begun. */
        void cancel();
    }
}
