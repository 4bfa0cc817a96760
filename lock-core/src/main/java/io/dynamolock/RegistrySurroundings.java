package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.store.LockStore;

/**
 * What a registry stands on, in place of this machine's clocks and threads: for tests of code that uses locks. The module
 * {@code lock-spring-boot-test} is built on it; applications have no use for it, and it may change with any version.
 * Implementations are thread-safe.
 */
public abstract class RegistrySurroundings {

    /** Has the builder's next registry stand on this. */
    public final void surround(DynamoLocksBuilder builder) {
        builder.assembly.surroundings = this;
    }

    /** The clocks by which it counts. */
    protected abstract TimeSource time();

    /** A new loop for one registry, which shuts it down when it is closed. */
    protected abstract EventLoop loop();

    /** The store that it uses in place of the given one. */
    protected abstract LockStore store(LockStore given);

    /** The engine that it asks in place of its own. */
    protected abstract LockEngine engine(LockEngine own);

    /** What is run in place of a callback that tells of a loss. */
    protected abstract Runnable callback(Runnable callback);

    /** The registry is there, and has these settings. */
    protected abstract void built(LockRegistry registry, EngineSettings settings);
}
