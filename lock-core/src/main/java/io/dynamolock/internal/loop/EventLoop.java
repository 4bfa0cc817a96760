package io.dynamolock.internal.loop;

import java.time.Duration;

/** Runs small, non-blocking steps one at a time, in the order they were handed in. Thread-safe. */
public interface EventLoop {

    /** Runs the step soon; false if the loop has been shut down and never will. */
    boolean execute(Runnable step);

    /**
     * As {@link #execute}, for a thread that does nothing more after this: the loop may use it to run the step when it
     * has returned.
     */
    default boolean executeAtTheEnd(Runnable step) {
        return execute(step);
    }

    /** Runs the step after a delay, or soon if that is over already, unless the timer is cancelled first. */
    Timer schedule(Runnable step, Duration delay);

    /** Runs the steps that were handed in before, forgets the timers, and accepts nothing more. */
    void shutdown();

    /** A step that waits for its time. */
    interface Timer {

        /** Keeps the step from running if it has not begun. */
        void cancel();
    }
}
