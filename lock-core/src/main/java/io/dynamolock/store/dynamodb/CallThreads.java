package io.dynamolock.store.dynamodb;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that make calls: as many as have one to make, up to a bound. They are daemons and end when idle. */
final class CallThreads {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private CallThreads() {}

    /** Beyond the bound, tasks wait for a thread in their order. */
    static Executor upTo(int threads) {
        IdleFirst waiting = new IdleFirst();
        return new ThreadPoolExecutor(
                0,
                threads,
                IDLE.toSeconds(),
                TimeUnit.SECONDS,
                waiting,
                task -> {
                    Thread thread = new Thread(task, "dynamolock-calls");
                    thread.setDaemon(true);
                    return thread;
                },
                (task, pool) -> waiting.put(task));
    }

    /** Takes a task only if an idle thread takes it at once; if not, the pool starts a thread, unless it is full. */
    private static final class IdleFirst extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1L;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }
    }
}
