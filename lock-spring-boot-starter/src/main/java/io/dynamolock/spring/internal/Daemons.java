package io.dynamolock.spring.internal;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes daemon threads, which do not keep the process running. They inherit no thread-local values from the thread that
 * starts them.
 */
public final class Daemons {

    private Daemons() {}

    /**
     * Numbers the threads of one factory, beginning with 1.
     *
     * @param prefix the beginning of the threads' names
     */
    public static ThreadFactory named(String prefix) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread daemon = new Thread(null, task, prefix + count.incrementAndGet(), 0, false);
            daemon.setDaemon(true);
            // A thread that inherits no thread-locals does not inherit the class loader on newer JDKs.
            daemon.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            return daemon;
        };
    }

    /** An executor that runs each task on a new thread, named as by {@link #named}. */
    public static Executor each(String prefix) {
        ThreadFactory threads = named(prefix);
        return task -> threads.newThread(task).start();
    }
}
