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
 * An event loop without a thread of its own. A thread of a pool runs the steps that have gathered, then makes a call
 * that they have begun, and then runs the steps that its answer brings. A thread of its own would be woken for the
 * steps and wake another for the call, and both again for the answer: most of what a lock costs this process beside the
 * call itself.
 *
 * <p>All threads are daemons, and but for the one that waits for timers they end when idle.
 */
public final class PooledEventLoop implements EventLoop {

    private static final Logger log = LoggerFactory.getLogger(PooledEventLoop.class);

    private static final int IDLE_SECONDS = 10;

    /** The machine may have room for a thread again after so long. */
    private static final int NO_ROOM_MILLIS = 10;

    private final Queue<Runnable> steps = new ConcurrentLinkedQueue<>();

    /** Steps that have not run. The loop is some thread's from when they become more than none until they are none. */
    private final AtomicInteger pending = new AtomicInteger();

    private final ThreadPoolExecutor threads;
    private final ScheduledThreadPoolExecutor timers;
    private volatile @Nullable Thread owner;
    private volatile boolean shutDown;

    /** @param name what its threads are called */
    public PooledEventLoop(String name) {
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> new Worker(task, name));
        this.timers = new ScheduledThreadPoolExecutor(1, task -> new Worker(task, name + "-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        // Without it nothing is ever tried again: where there is no room for a thread, the user is to hear that now.
        timers.prestartCoreThread();
    }

    @Override
    public boolean execute(Runnable step) {
        return add(step, this::begin);
    }

    /** The thread that has made a call runs what its answer brings. */
    @Override
    public boolean executeAtTheEnd(Runnable step) {
        Runnable begin = Thread.currentThread() instanceof Worker worker && worker.isOf(this)
                ? () -> worker.next.add(this::runSteps)
                : this::begin;
        return add(step, begin);
    }

    private boolean add(Runnable step, Runnable begin) {
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
     * Makes calls, which may block. If a step begins a call, the thread of the step makes it when no step is left to
     * run; if there are others, a further thread does. As many threads are used as there are calls at once.
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

    /** A thread of the pool runs it, and then what that has left to the same thread. */
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

    /** A call that was to be made on this thread does not wait for further steps, unless there is no other thread. */
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

    /** Cancelled on the loop, a step does not run even if its time has come. */
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

    /** Calls that are under way end as they would have. */
    @Override
    public void shutdown() {
        shutDown = true;
        timers.shutdownNow();
        threads.setKeepAliveTime(0, TimeUnit.SECONDS);
    }

    /** A thread of the pool, and what it does when it has done what it was given. */
    private final class Worker extends Thread {

        private final Queue<Runnable> next = new ArrayDeque<>(2);

        Worker(Runnable pool, String name) {
            // The user's thread that happens to start it leaves nothing of its own in it.
            super(null, pool, name, 0, false);
            setContextClassLoader(PooledEventLoop.class.getClassLoader());
            setDaemon(true);
        }

        boolean isOf(PooledEventLoop loop) {
            return loop == PooledEventLoop.this;
        }
    }
}
