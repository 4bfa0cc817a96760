package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * An event loop whose steps run when a test says so, on the thread that says so. Its timers never fire. Thread-safe;
 * one thread at a time may run the steps.
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

    /** Runs what was handed in, and what that hands in. */
    void runAll() {
        for (Runnable step = next(); step != null; step = next()) {
            step.run();
        }
    }
}
