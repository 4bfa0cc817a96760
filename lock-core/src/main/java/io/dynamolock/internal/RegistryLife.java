package io.dynamolock.internal;

import io.dynamolock.LockClosedException;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The pauses and the end of a registry: what stops then, in which order, and how long that is waited for. Thread-safe. */
final class RegistryLife {

    private static final Logger log = LoggerFactory.getLogger(RegistryLife.class);

    private final LockEngine engine;
    private final Elections elections;
    private final ListenerQueue listeners;
    private final RegistryThreads threads;
    private final Duration closeTimeout;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    /** Pauses take long, and one may follow another. */
    private final ReentrantLock pausing = new ReentrantLock();

    private volatile boolean closed;

    /** @param closeTimeout for how long each part of a pause, or of the end, is waited for */
    RegistryLife(
            LockEngine engine,
            Elections elections,
            ListenerQueue listeners,
            RegistryThreads threads,
            Duration closeTimeout) {
        this.engine = engine;
        this.elections = elections;
        this.listeners = listeners;
        this.threads = threads;
        this.closeTimeout = closeTimeout;
    }

    void pause() {
        pausing.lock();
        try {
            if (!closed) {
                await(elections.pause(), "Telling the leaders of the elections of a registry to be paused");
                await(engine.pause(), "Pausing the lock registry");
            }
        } finally {
            pausing.unlock();
        }
    }

    void resume() {
        pausing.lock();
        try {
            if (!closed) {
                engine.resume();
                elections.resume();
            }
        } finally {
            pausing.unlock();
        }
    }

    void close() {
        closed = true;
        await(elections.close(), "Telling the leaders of its elections");
        await(engine.shutdown(), "Closing the lock registry");
        ended.complete(null);
        listeners.shutdown();
        threads.shutdown();
    }

    /** An interrupt does not end the waiting, and its flag is kept. */
    private void await(CompletableFuture<Void> done, String what) {
        try {
            done.copy().orTimeout(closeTimeout.toNanos(), TimeUnit.NANOSECONDS).join();
        } catch (CompletionException e) {
            log.warn("{} did not end within {}; its locks are free for others when the lease ends", what, closeTimeout);
        }
    }

    /** Completes when the engine has ended, or is not waited for any longer. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** @throws LockClosedException if it is closed */
    void ensureOpen(LockKey key) {
        if (closed) {
            throw new LockClosedException(key.key(), key.namespace());
        }
    }
}
