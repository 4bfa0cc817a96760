package io.dynamolock.internal.loop;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An event loop without a thread of its own. One thread of a pool runs the steps that are there, and then makes a
 * blocking call that they have begun. A loop with a thread of its own would have to wake another thread for that call.
 *
 * <p>All threads are daemons. They end when idle, except the thread that waits for timers.
 */
public final class PooledEventLoop implements EventLoop {

    private static final Logger log = LoggerFactory.getLogger(PooledEventLoop.class);

    private static final int IDLE_SECONDS = 10;

    /** The pause before another attempt to start a thread, if the machine has no room for one. */
    private static final int NO_ROOM_MILLIS = 10;

    /** The steps that have not begun, in the order in which they were handed in. */
    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    /**
     * How many steps were handed in and are not known to have run. The thread that raises this from zero sees to it
     * that a thread runs the steps; that thread goes on until it has brought this back to zero. So at most one thread
     * runs steps at a time.
     */
    private final AtomicInteger pending = new AtomicInteger();

    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timers;
    /** The thread that runs steps now; {@code null} if none does. Written by that thread only. */
    private volatile @Nullable Thread owner;

    /** Whether {@link #shutdown} was called. Set once. */
    private volatile boolean shutDown;

    /** @param name the name of the loop's threads */
    public PooledEventLoop(String name) {
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> new Worker(task, name));
        this.timers = new ScheduledThreadPoolExecutor(1, task -> new DaemonThread(task, name + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        // Starts the thread now. Without it, no pause would ever end: if the machine has no room for a thread, the user
        // must hear of that here.
        timers.prestartCoreThread();
    }

    @Override
    public boolean execute(Runnable step) {
        return handIn(step, this::begin);
    }

    /**
     * If this is a thread of the loop and no other runs steps, this thread runs the step as soon as its call
     * returns.
     */
    @Override
    public boolean executeAfterCall(Runnable step) {
        return handIn(step, () -> {
            if (Thread.currentThread() instanceof Worker worker && worker.isOf(this)) {
                worker.next.add(this::runSteps);
            } else {
                begin();
            }
        });
    }

    /** @param begin sees to it that a thread runs the steps; called if none does */
    private boolean handIn(Runnable step, Runnable begin) {
        if (shutDown) {
            return false;
        }
        steps.add(step);
        if (pending.getAndIncrement() == 0) {
            begin.run();
        }
        return true;
    }

    /**
     * Makes calls, which may block. If a step begins a call, the thread that runs the step makes it as soon as no step
     * is left to run. If steps are left, another thread makes the call. As many threads are used as there are calls
     * under way at once.
     */
    public Executor calls() {
        return call -> {
            if (isCurrent()) {
                passOn();
                ((Worker) Thread.currentThread()).next.add(call);
            } else {
                start(call);
            }
        };
    }

    private void begin() {
        try {
            start(this::runSteps);
        } catch (OutOfMemoryError noThread) {
            timers.schedule(this::begin, NO_ROOM_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Runs the task on a thread of the pool, and after it whatever the task has added to that thread's list. */
    private void start(Runnable task) {
        threads.execute(() -> {
            Queue<Runnable> next = ((Worker) Thread.currentThread()).next;
            for (Runnable todo = task; todo != null; todo = next.poll()) {
                run(todo);
            }
        });
    }

    private void runSteps() {
        int left = pending.get();
        while (left > 0) {
            owner = Thread.currentThread();
            for (int i = 0; i < left; i++) {
                passOn();
                run(steps.remove());
            }
            owner = null;
            left = pending.addAndGet(-left);
        }
    }

    /**
     * Hands a call that was left to this thread over to another thread, because more steps are to be run here first.
     */
    private void passOn() {
        Queue<Runnable> calls = ((Worker) Thread.currentThread()).next;
        Runnable call = calls.peek();
        if (call != null) {
            try {
                start(call);
                calls.remove();
            } catch (OutOfMemoryError noThread) {
                log.warn("No thread could be started for a call about a lock; it is made a little later", noThread);
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A step or call of the lock engine failed; this is a bug in DynamoLock, please report it", e);
        }
    }

    /** A timer that is cancelled on the loop never runs its step, even if its time has come before. */
    @Override
    public Timer schedule(Runnable step, Duration delay) {
        AtomicBoolean isCancelled = new AtomicBoolean();
        Runnable unlessCancelled = () -> {
            if (!isCancelled.get()) {
                step.run();
            }
        };
        Future<?> alarm = timers.schedule(() -> execute(unlessCancelled), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> {
            isCancelled.set(true);
            alarm.cancel(false);
        };
    }

    /** Whether a step of this loop is being run by the calling thread. */
    boolean isCurrent() {
        return Thread.currentThread() == owner;
    }

    /** Calls that are under way are not interrupted. */
    @Override
    public void shutdown() {
        shutDown = true;
        timers.shutdownNow();
        threads.setKeepAliveTime(0, TimeUnit.SECONDS);
    }

    /** Inherits nothing from the user's thread that happens to start it: neither thread-locals nor class loader. */
    private static class DaemonThread extends Thread {

        DaemonThread(Runnable task, String name) {
            super(null, task, name, 0, false);
            setContextClassLoader(PooledEventLoop.class.getClassLoader());
            setDaemon(true);
        }
    }

    /** A thread of the pool. */
    private final class Worker extends DaemonThread {

        /** What this thread does when it has done its present task. Used by this thread only. */
        private final Queue<Runnable> next = new ArrayDeque<>(2);

        Worker(Runnable pool, String name) {
            super(pool, name);
        }

        boolean isOf(PooledEventLoop loop) {
            return loop == PooledEventLoop.this;
        }
    }
}
