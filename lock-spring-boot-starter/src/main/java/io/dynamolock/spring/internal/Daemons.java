package io.dynamolock.spring.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes threads that keep no process from ending, and inherit no thread-local values of the thread that starts them.
 */
public final class Daemons {

    private Daemons() {}

    /** @param prefix the beginning of the threads' names */
    public static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread daemon = new Thread(null, task, prefix + count.incrementAndGet(), 0, false);
            daemon.setDaemon(true);
            // Without inherited thread-locals, newer JDKs do not inherit the class loader, either.
            daemon.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            return daemon;
        };
    }

    /** Runs each task on a new thread. */
    public static Executor each(String prefix) {
        return task -> named(prefix).newThread(task).start();
    }
}
