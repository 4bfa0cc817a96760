package io.dynamolock.internal.threads;

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
 * The threads on which a registry runs what users gave it: daemons, started when there is something to run and gone
 * soon after. Losses have threads of their own, so that a stuck continuation does not keep the news from anybody.
 *
 * <p>The queues have no bound of their own because each entry belongs to a handle or future that somebody asked for.
 */
public final class RegistryThreads {

    private static final Logger log = LoggerFactory.getLogger(RegistryThreads.class);

    private static final int IDLE_SECONDS = 10;

    /** The machine may have room for a thread again after so long. */
    private static final int NO_ROOM_MILLIS = 10;

    private final ThreadPoolExecutor ownForAsync = pool("dynamolock-async", 2);
    private final ThreadPoolExecutor ownForLosses = pool("dynamolock-lost", 2);
    /** Each election has at most one callback running, and none waits for another's. */
    private final ThreadPoolExecutor ownForLeaders =
            pool("dynamolock-leader", 0, Integer.MAX_VALUE, new SynchronousQueue<>(), RegistryThreads::thread);

    private final @Nullable Executor given;
    private final UnaryOperator<Runnable> ofLosses;

    /**
     * @param given an executor of the user's to run on instead; it stays the user's to shut down
     * @param ofLosses what is run in place of each piece of news that a lock was lost
     */
    public RegistryThreads(@Nullable Executor given, UnaryOperator<Runnable> ofLosses) {
        this.given = given;
        this.ofLosses = ofLosses;
    }

    /**
     * Where what a user of a lock gave is run.
     *
     * @param async for continuations of futures, and what leaders are told
     * @param losses for the news that a lock was lost
     */
    public record Tellers(Executor async, Executor losses) {}

    public Tellers ofUsers() {
        return new Tellers(task -> run(task, ownForAsync), task -> run(ofLosses.apply(task), ownForLosses));
    }

    /** A leader hears of its loss before others can lead, however long the callbacks of other locks take. */
    public Tellers ofLeaders() {
        Executor leaders = task -> run(task, ownForLeaders);
        return new Tellers(leaders, leaders);
    }

    private void run(Runnable task, ThreadPoolExecutor own) {
        // The user's executor is entered from an own thread even so: it may block, or run the task in its caller's
        // thread,
        // and the caller here is often the event loop.
        execute(own, given == null ? task : () -> handOver(task, given));
    }

    /** A task is run a little later if the machine has no room for a thread; the caller may be the event loop. */
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
            // It may have begun the task, or have queued it, and fail even so.
            log.warn("The executor given to the lock registry failed; running its task on a thread of the registry", e);
            once.run();
        }
    }

    /** Threads end as soon as they have nothing to do; late news must still arrive. */
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

    /** A pool of at most so many daemons, which end when idle. */
    static ThreadPoolExecutor pool(
            String name,
            int least,
            int most,
            BlockingQueue<Runnable> queue,
            BiFunction<Runnable, String, Thread> threads) {
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(least, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, task -> {
            Thread thread = threads.apply(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** One that inherits no variables of the thread that happens to start it: they may belong to some other user's request. */
    static Thread thread(Runnable task, String name) {
        return new Thread(null, task, name, 0, false);
    }
}
