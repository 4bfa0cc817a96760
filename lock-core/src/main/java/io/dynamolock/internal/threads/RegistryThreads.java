package io.dynamolock.internal.threads;

import io.dynamolock.internal.text.SafeFailure;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads on which a registry runs users' code: daemons, which start when there is something to run and end soon
 * after. Callbacks that tell of losses have threads of their own, so that a continuation that hangs cannot delay them.
 *
 * <p>The queues are not bounded, because each entry belongs to a handle or a future that a user asked for.
 */
public final class RegistryThreads {

    private static final Logger log = LoggerFactory.getLogger(RegistryThreads.class);

    private static final int IDLE_SECONDS = 10;

    /** The pause before a task is handed in again because the machine had no room for a thread. */
    private static final int NO_ROOM_MILLIS = 10;

    private final ThreadPoolExecutor ownForAsync = pool("dynamolock-async", 2);
    private final ThreadPoolExecutor ownForLosses = pool("dynamolock-lost", 2);
    /** Not bounded: each election runs at most one callback at a time, and no election waits for another's callback. */
    private final ThreadPoolExecutor ownForLeaders =
            pool("dynamolock-leader", 0, Integer.MAX_VALUE, new SynchronousQueue<>(), RegistryThreads::thread);

    private final @Nullable Executor given;
    private final UnaryOperator<Runnable> ofLosses;

    /**
     * @param given the user's executor to run on instead, if there is one; the user shuts it down
     * @param ofLosses replaces each callback that tells of a loss by the task to run
     */
    public RegistryThreads(@Nullable Executor given, UnaryOperator<Runnable> ofLosses) {
        this.given = given;
        this.ofLosses = ofLosses;
    }

    /**
     * The executors that run users' code.
     *
     * @param async runs continuations of futures, and the methods of leader listeners
     * @param losses runs callbacks that tell of a loss
     */
    public record CallbackExecutors(Executor async, Executor losses) {}

    /** For handles and futures of locks. */
    public CallbackExecutors ofUsers() {
        return new CallbackExecutors(task -> run(task, ownForAsync), task -> run(ofLosses.apply(task), ownForLosses));
    }

    /** For elections: a leader hears of its loss before others can lead, however long the callbacks of locks take. */
    public CallbackExecutors ofLeaders() {
        Executor leaders = task -> run(task, ownForLeaders);
        return new CallbackExecutors(leaders, leaders);
    }

    private void run(Runnable task, ThreadPoolExecutor own) {
        // Even the user's executor is called on a thread of the pool: it may block, or run the task in the calling
        // thread, which is often the event loop.
        execute(own, given == null ? task : () -> handOver(task, given));
    }

    /**
     * Runs the task in the pool. If the machine has no room for a thread, tries again a little later, and the caller,
     * which may be the event loop, goes on.
     */
    static void execute(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (OutOfMemoryError noThread) {
            CompletableFuture.delayedExecutor(NO_ROOM_MILLIS, TimeUnit.MILLISECONDS, again -> execute(pool, again))
                    .execute(task);
        }
    }

    private static void handOver(Runnable task, Executor given) {
        AtomicBoolean isBegun = new AtomicBoolean();
        Runnable once = () -> {
            if (isBegun.compareAndSet(false, true)) {
                task.run();
            }
        };
        try {
            given.execute(once);
        } catch (RuntimeException | Error e) {
            // The executor may have begun or queued the task before it failed, so it must run only once.
            log.warn(
                    "The executor given to the lock registry failed; running its task on a thread of the registry",
                    SafeFailure.of(e));
            once.run();
        }
    }

    /**
     * Threads end as soon as they have nothing to do. The pools still take tasks, because late news must still arrive.
     */
    public void shutdown() {
        endsWhenIdle(ownForAsync);
        endsWhenIdle(ownForLosses);
        endsWhenIdle(ownForLeaders);
    }

    static void endsWhenIdle(ThreadPoolExecutor pool) {
        pool.setKeepAliveTime(1, TimeUnit.MILLISECONDS);
    }

    private static ThreadPoolExecutor pool(String name, int size) {
        return pool(name, size, size, new LinkedBlockingQueue<>(), RegistryThread::new);
    }

    /** A pool of daemons, which end when idle. */
    static ThreadPoolExecutor pool(
            String name,
            int size,
            int maxSize,
            BlockingQueue<Runnable> queue,
            BiFunction<Runnable, String, Thread> threads) {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(size, maxSize, IDLE_SECONDS, TimeUnit.SECONDS, queue, task -> {
            Thread thread = threads.apply(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * A thread that does not inherit the inheritable thread-locals of the thread that happens to start it: they may
     * belong to another user's request.
     */
    static Thread thread(Runnable task, String name) {
        return new Thread(null, task, name, 0, false);
    }
}
