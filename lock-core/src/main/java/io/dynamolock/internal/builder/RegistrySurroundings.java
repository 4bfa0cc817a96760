package io.dynamolock.internal.builder;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.store.LockStore;
import java.security.SecureRandom;
import java.util.random.RandomGenerator;

/**
 * What a registry stands on: this machine's clocks and threads, unless a test of code that uses locks puts its own in their place.
 * Implementations are thread-safe.
 */
public abstract class RegistrySurroundings {

    /** The clocks by which it counts. */
    protected TimeSource time() {
        return TimeSource.system();
    }

    /** For ids and jitter. */
    protected RandomGenerator random() {
        return new SecureRandom();
    }

    /** The loop of one registry, which shuts it down when it is closed. Who puts another in place of its own shuts that down. */
    protected EventLoop loop(EventLoop own) {
        return own;
    }

    /** The store that it uses in place of the given one. */
    protected LockStore store(LockStore given) {
        return given;
    }

    /** The engine that it asks in place of its own. */
    protected LockEngine engine(LockEngine own) {
        return own;
    }

    /** What is run in place of a callback that tells of a loss. */
    protected Runnable callback(Runnable callback) {
        return callback;
    }

    /** The registry is there, and has these settings. */
    protected void built(LockRegistry registry, EngineSettings settings) {}
}
