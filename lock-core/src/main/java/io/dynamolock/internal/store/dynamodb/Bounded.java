package io.dynamolock.internal.store.dynamodb;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** Uses at most so many threads of others at once. Beyond that, tasks wait in their order. */
final class Bounded implements Executor {

    private final int most;
    private final Executor threads;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Tasks that have not ended. */
    private final AtomicInteger open = new AtomicInteger();

    /** @param threads must take every task that comes from outside: those of the event loop do */
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

    /** Without another thread this one goes on: a task that waits has nobody else. */
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
