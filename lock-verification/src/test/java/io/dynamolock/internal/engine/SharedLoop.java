package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** An event loop that shares one thread with all others of its kind, so that it costs nothing to make. No timers. */
public final class SharedLoop implements EventLoop {

    private static final String NAME = "shared-loop";

    private static final Executor THREAD = Executors.newSingleThreadExecutor(task -> {
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
        return () -> {};
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread().getName().equals(NAME);
    }

    @Override
    public synchronized void shutdown() {
        down = true;
    }
}
