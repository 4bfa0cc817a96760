package io.dynamolock.spring.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that keep no process from ending, and inherit no variables of the thread that happens to start them. */
public final class Daemons {

    private Daemons() {}

    /** @param prefix begins their names */
    public static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread daemon = new Thread(null, task, prefix + count.incrementAndGet(), 0, false);
            daemon.setDaemon(true);
            // A newer JDK does not inherit that then, either.
            daemon.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            return daemon;
        };
    }

    /** Each task has one to itself. */
    public static Executor each(String prefix) {
        return task -> named(prefix).newThread(task).start();
    }
}
