package io.dynamolock;

import io.dynamolock.engine.EngineSettings;
import io.dynamolock.engine.EventLoop;
import io.dynamolock.engine.LockEngine;
import io.dynamolock.engine.TimeSource;
import io.dynamolock.store.LockStore;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Puts a registry together from what a builder was given, and this machine's own where it was given nothing. */
final class RegistryAssembly {

    TimeSource timeSource = TimeSource.system();

    @Nullable
    EventLoop eventLoop;

    @Nullable
    RandomGenerator random;

    @Nullable
    LockListener listener;

    @Nullable
    Executor executor;

    /**
     * @param loop used unless another was given
     * @param keyPrefixBytes how much of a key's length is taken already
     */
    LockRegistry registry(EngineSettings settings, LockStore store, EventLoop loop, int keyPrefixBytes) {
        RegistryThreads threads = new RegistryThreads(executor);
        ListenerQueue listeners = new ListenerQueue(listener);
        EventLoop used = eventLoop != null ? eventLoop : loop;
        RandomGenerator generator = random != null ? random : new SecureRandom();
        // Handles hand the news over to threads by themselves: to which, is theirs to say.
        LockEngine engine = LockEngine.on(settings, store, used, timeSource, generator, Runnable::run, listeners);
        return new DefaultLockRegistry(
                engine,
                threads,
                listeners,
                Pauses.on(used, generator),
                Fences.on(store),
                keyPrefixBytes,
                settings.maxQueue(),
                settings.callTimeout().multipliedBy(3));
    }
}
