package io.dynamolock.internal.store.dynamodb;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on another executor, but at most a given number of them at once. Further tasks wait in the order in which
 * they came. Thread-safe.
 */
final class Bounded implements Executor {

    /** Maximum number of tasks that run at once. */
    private final int most;

    private final Executor threads;

    /** Tasks that have not begun, whether a thread was asked for or not. Guarded by the monitor of this object. */
    private final Deque<Runnable> waiting = new ArrayDeque<>();

    /**
     * Number of threads that were asked for and are not done; all that are allowed if a task waits for its turn.
     * Guarded by the monitor of this object.
     */
    private int open;

    /**
     * @param most maximum number of tasks that run at once
     * @param threads where the tasks run
     */
    Bounded(int most, Executor threads) {
        this.most = most;
        this.threads = threads;
    }

    /** @throws RuntimeException whatever the other executor throws if it has no thread; the task never runs then */
    @Override
    public void execute(Runnable task) {
        if (!wantsThread(task)) {
            return;
        }
        try {
            threads.execute(this::runOne);
        } catch (RuntimeException | Error noThread) {
            giveUp(task);
            throw noThread;
        }
    }

    private synchronized boolean wantsThread(Runnable task) {
        waiting.add(task);
        if (open == most) {
            return false;
        }
        open++;
        return true;
    }

    private synchronized void giveUp(Runnable task) {
        withdraw(task);
        open--;
    }

    /** Takes out a task that has not begun. Does nothing if it has. */
    synchronized void withdraw(Runnable task) {
        waiting.removeFirstOccurrence(task);
    }

    private void runOne() {
        try {
            Runnable task = next();
            if (task != null) {
                task.run();
            }
        } finally {
            if (wantsToGoOn()) {
                runNext();
            }
        }
    }

    /** The first task that has not begun; {@code null} if all were withdrawn. */
    private synchronized @Nullable Runnable next() {
        return waiting.poll();
    }

    private synchronized boolean wantsToGoOn() {
        if (waiting.isEmpty()) {
            open--;
            return false;
        }
        return true;
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
}
