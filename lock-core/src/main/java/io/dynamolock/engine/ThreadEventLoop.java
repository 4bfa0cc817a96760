package io.dynamolock.engine;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An event loop on one daemon thread. */
final class ThreadEventLoop implements EventLoop {

    private static final Logger log = LoggerFactory.getLogger(ThreadEventLoop.class);

    private final ScheduledThreadPoolExecutor executor;
    private volatile @Nullable Thread thread;

    ThreadEventLoop(String name) {
        executor = new ScheduledThreadPoolExecutor(1, step -> {
            Thread created = new Thread(step, name);
            created.setDaemon(true);
            thread = created;
            return created;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public boolean execute(Runnable step) {
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(step), 0, TimeUnit.NANOSECONDS);
            // A step that meets the shutdown may have been accepted and will yet never run: cancelled, or left in the
            // queue of a pool that saw it empty. If it can still be taken back, it is not needed whether it would.
            return !future.isCancelled() && !(executor.isShutdown() && executor.remove((Runnable) future));
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    @Override
    public Timer schedule(Runnable step, Duration delay) {
        try {
            ScheduledFuture<?> future = executor.schedule(guarded(step), delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            return () -> {};
        }
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }

    private static Runnable guarded(Runnable step) {
        return () -> {
            try {
                step.run();
            } catch (RuntimeException | Error e) {
                log.error("A step of the lock engine failed; this is a bug in DynamoLock, please report it", e);
            }
        };
    }
}
