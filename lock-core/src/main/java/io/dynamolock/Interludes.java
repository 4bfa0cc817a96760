package io.dynamolock;

import io.dynamolock.engine.LockEngine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A registry's pauses and its end, each of which has its leaders resign first. Waits, but not for ever. Thread-safe. */
final class Interludes {

    private static final Logger log = LoggerFactory.getLogger(DefaultLockRegistry.class);

    private final LockEngine engine;
    private final Elections elections;
    private final Duration timeout;
    /** A pause takes long, and what follows it must not overtake it. */
    private final ReentrantLock turns = new ReentrantLock();

    /** @param timeout for each step of an end or a pause */
    Interludes(LockEngine engine, Elections elections, Duration timeout) {
        this.engine = engine;
        this.elections = elections;
        this.timeout = timeout;
    }

    void pause(BooleanSupplier closed) {
        turns.lock();
        try {
            if (!closed.getAsBoolean()) {
                await(elections.pause(), "Telling the leaders of a registry that pauses");
                await(engine.pause(), "Pausing the lock registry");
            }
        } finally {
            turns.unlock();
        }
    }

    void resume(BooleanSupplier closed) {
        turns.lock();
        try {
            if (!closed.getAsBoolean()) {
                engine.resume();
                elections.resume();
            }
        } finally {
            turns.unlock();
        }
    }

    /** Does not wait for a pause: the engine ends that. */
    void close() {
        await(elections.close(), "Telling the leaders of its elections");
        await(engine.shutdown(), "Closing the lock registry");
    }

    /** An interrupt ends the waiting, but not one from before. */
    private void await(CompletableFuture<Void> done, String what) {
        boolean interrupted = Thread.interrupted();
        try {
            done.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (TimeoutException | ExecutionException e) {
            log.warn("{} did not end within {}; its locks are free for others when the lease ends", what, timeout);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
