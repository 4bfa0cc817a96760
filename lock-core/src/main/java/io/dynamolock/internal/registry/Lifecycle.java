package io.dynamolock.internal.registry;

import io.dynamolock.internal.elections.Elections;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.threads.ListenerQueue;
import io.dynamolock.internal.threads.RegistryThreads;
import io.dynamolock.internal.threads.ShutdownHooks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pauses, resumes and closes the parts of one registry, in the right order. Thread-safe; pausing and closing block. */
public final class Lifecycle {

    private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);

    private final Admission admission;
    private final Elections elections;
    private final LockEngine engine;
    private final ListenerQueue listeners;
    private final RegistryThreads threads;
    private final Duration closeTimeout;

    /** Held by {@link #pause()} and {@link #resume()}, so that the two do not overlap. */
    private final ReentrantLock pausing = new ReentrantLock();

    /** Takes out the hook that {@link #closeAtShutdown} has added. Set by that method; before, it does nothing. */
    private volatile Runnable removeHook = () -> {};

    /** @param closeTimeout how long pausing and closing wait for the elections, and then again for the engine */
    public Lifecycle(
            Admission admission,
            Elections elections,
            LockEngine engine,
            ListenerQueue listeners,
            RegistryThreads threads,
            Duration closeTimeout) {
        this.admission = admission;
        this.elections = elections;
        this.engine = engine;
        this.listeners = listeners;
        this.threads = threads;
        this.closeTimeout = closeTimeout;
    }

    public void pause() {
        unlessClosed(() -> {
            await(elections.pause(), "Telling the leaders of the elections of a registry to be paused");
            await(engine.pause(), "Pausing the lock registry");
        });
    }

    public void resume() {
        unlessClosed(() -> {
            engine.resume();
            elections.resume();
        });
    }

    /**
     * Lets nobody wait for a lock any longer than this, while the locks that are held stay: for a registry that is to
     * be closed when its holders are done.
     */
    void endWaitsAfter(Duration longest) {
        engine.endWaitsAfter(longest);
    }

    private void unlessClosed(Runnable step) {
        pausing.lock();
        try {
            if (!admission.isClosed()) {
                step.run();
            }
        } finally {
            pausing.unlock();
        }
    }

    /** Has the registry closed when the virtual machine shuts down. To be called once, by whoever builds it. */
    void closeAtShutdown(ShutdownHooks hooks) {
        removeHook = hooks.add(this::close);
    }

    void close() {
        admission.close();
        await(elections.close(), "Telling the leaders of its elections");
        await(engine.shutdown(), "Closing the lock registry");
        listeners.shutdown();
        threads.shutdown();
        // At the end: a virtual machine that begins to shut down meanwhile waits for its hooks, but not for this
        // thread.
        removeHook.run();
    }

    /** Waits even if the thread is interrupted; the interrupt flag is kept. */
    private void await(CompletableFuture<Void> done, String what) {
        try {
            done.copy().orTimeout(closeTimeout.toNanos(), TimeUnit.NANOSECONDS).join();
        } catch (CompletionException e) {
            log.warn("{} did not end within {}; its locks are free for others when the lease ends", what, closeTimeout);
        }
    }
}
