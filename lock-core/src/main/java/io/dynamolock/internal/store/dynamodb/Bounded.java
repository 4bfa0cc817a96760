package io.dynamolock.internal.store.dynamodb;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks on another executor, but at most a given number of them at once. Further tasks wait in the order in which
 * they came.
 */
final class Bounded implements Executor {

    /** Maximum number of tasks that run at once. */
    private final int most;

    private final Executor threads;
    /** Tasks that have not begun. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Number of tasks that have not ended, whether they have begun or not. */
    private final AtomicInteger open = new AtomicInteger();

    /**
     * @param most maximum number of tasks that run at once
     * @param threads must accept a task whenever {@link #execute} is called, as the event loop's threads do
     */
    Bounded(int most, Executor threads) {
        this.most = most;
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (open.getAndIncrement() < most) {
            threads.execute(this::runOne);
        }
    }

    /**
     * Begins the next task. If no thread is to be had, this thread runs it: {@link #execute} has already returned for
     * it, so nobody else will.
     */
    private void runNext() {
        try {
            threads.execute(this::runOne);
        } catch (RuntimeException | Error noThread) {
            runOne();
        }
    }

    private void runOne() {
        try {
            tasks.remove().run();
        } finally {
            if (open.getAndDecrement() > most) {
                runNext();
            }
        }
    }
}
