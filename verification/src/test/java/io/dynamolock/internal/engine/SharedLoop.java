package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An event loop that shares one thread with all others of its class, so that making one costs nothing. Only short
 * timers fire, and they fire soon, so that repetitions do not take long.
 */
public final class SharedLoop implements EventLoop {

    private static final String NAME = "shared-loop";
    private static final Duration SHORT = Duration.ofMillis(20);

    private static final ScheduledExecutorService THREAD = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, NAME);
        thread.setDaemon(true);
        return thread;
    });

    private boolean down;

    @Override
    public synchronized boolean execute(Runnable step) {
        if (!down) {
            THREAD.execute(step);
        }
        return !down;
    }

    @Override
    public Timer schedule(Runnable step, Duration delay) {
        if (delay.compareTo(SHORT) > 0) {
            return () -> {};
        }
        Future<?> timer = THREAD.schedule(() -> execute(step), 100, TimeUnit.MICROSECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public synchronized void shutdown() {
        down = true;
    }
}
