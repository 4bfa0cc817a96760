package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that make calls: as many as have one to make. They are daemons and end when idle. */
public final class CallThreads {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private CallThreads() {}

    public static Executor pool() {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toSeconds(), TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    // The user's thread that happens to start it leaves nothing of its own in it.
                    Thread thread = new Thread(null, task, "dynamolock-calls", 0, false);
                    thread.setContextClassLoader(CallThreads.class.getClassLoader());
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
