package io.dynamolock.internal.store.dynamodb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that make calls, one per call under way. They are daemons, and end after ten seconds without a call. */
public final class CallThreads {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private CallThreads() {}

    /** A new pool. It needs not be shut down. */
    public static Executor pool() {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toSeconds(), TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    // Inherits neither thread-locals nor the class loader of the user's thread that happens to start
                    // it.
                    Thread thread = new Thread(null, task, "dynamolock-calls", 0, false);
                    thread.setContextClassLoader(CallThreads.class.getClassLoader());
                    thread.setDaemon(true);
                    return thread;
                });
    }
}
