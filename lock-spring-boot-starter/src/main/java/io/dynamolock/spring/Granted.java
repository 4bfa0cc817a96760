package io.dynamolock.spring;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what waits for a lock where the grant comes from, but not within the call that asks: its thread may be in a transaction, in
 * which the work has no part, and does not want to be kept.
 */
final class Granted implements Executor {

    /**
     * For grants that come before the caller has turned away, which is rare: as many daemons as there are of those at once, which end
     * when idle. None waits for another, so what runs there may block.
     */
    static final Executor THREADS = threads();

    private final Executor elsewhere;
    private final Thread asking = Thread.currentThread();
    private volatile boolean hasAsked;

    /** Made on the thread that asks. */
    Granted(Executor elsewhere) {
        this.elsewhere = elsewhere;
    }

    /** The call that asks goes on. */
    void asked() {
        hasAsked = true;
    }

    @Override
    public void execute(Runnable work) {
        if (!hasAsked && Thread.currentThread() == asking) {
            handOver(work);
        } else {
            work.run();
        }
    }

    /** A grant that nobody takes would be held for ever. */
    private void handOver(Runnable work) {
        try {
            elsewhere.execute(work);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            work.run();
        }
    }

    private static Executor threads() {
        AtomicInteger count = new AtomicInteger();
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "dynamolock-granted-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
