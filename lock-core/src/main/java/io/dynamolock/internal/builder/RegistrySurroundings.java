package io.dynamolock.internal.builder;

import io.dynamolock.LockRegistry;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.threads.ShutdownHooks;
import io.dynamolock.internal.time.TimeSource;
import java.security.SecureRandom;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What a registry stands on: this machine's clocks and threads, unless a test of code that uses locks replaces them.
 * Implementations are thread-safe.
 */
public abstract class RegistrySurroundings {

    /** The clocks of the registry. */
    protected TimeSource time() {
        return TimeSource.system();
    }

    /** The environment variables of this process. */
    protected Map<String, String> environment() {
        return System.getenv();
    }

    /** For ids and jitter. */
    protected RandomGenerator random() {
        return new SecureRandom();
    }

    /**
     * The event loop of one registry, which shuts it down when it is closed.
     *
     * @param own the registry's own loop. A method that returns another loop shuts this one down
     */
    protected EventLoop loop(EventLoop own) {
        return own;
    }

    /** The store that the registry uses in place of the given one. */
    protected LockStore store(LockStore given) {
        return given;
    }

    /** The engine that the registry asks in place of its own. */
    protected LockEngine engine(LockEngine own) {
        return own;
    }

    /** The task that runs in place of this callback, which tells of a loss. */
    protected Runnable callback(Runnable callback) {
        return callback;
    }

    /** Where a registry asks to be closed at shutdown, if its builder was told to. */
    protected ShutdownHooks shutdownHooks() {
        return ShutdownHooks.ofThisMachine();
    }

    /** Called when a registry was built, with its settings. */
    protected void built(LockRegistry registry, EngineSettings settings) {}
}
