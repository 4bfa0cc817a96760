package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An event loop whose steps run when a test calls {@link #runAll}, on the calling thread. Timers never fire.
 * Thread-safe, but only one thread at a time may run the steps.
 */
final class SteppedLoop implements EventLoop {

    private final Queue<Runnable> steps = new ArrayDeque<>(4);
    private boolean down;

    @Override
    public synchronized boolean execute(Runnable step) {
        return !down && steps.add(step);
    }

    @Override
    public Timer schedule(Runnable step, Duration delay) {
        return () -> {};
    }

    @Override
    public synchronized void shutdown() {
        down = true;
    }

    private synchronized @Nullable Runnable next() {
        return steps.poll();
    }

    /** Runs the submitted steps, and those that they submit. */
    void runAll() {
        for (Runnable step = next(); step != null; step = next()) {
            step.run();
        }
    }
}
