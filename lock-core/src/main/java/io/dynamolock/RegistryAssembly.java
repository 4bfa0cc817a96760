package io.dynamolock;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.PausableEngine;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.store.LockStore;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Puts a registry together from what a builder was given, and this machine's own where it was given nothing. */
final class RegistryAssembly {

    TimeSource timeSource = TimeSource.system();

    @Nullable
    EventLoop eventLoop;

    @Nullable
    RandomGenerator random;

    final List<LockListener> listeners = new ArrayList<>();

    @Nullable
    Executor executor;

    @Nullable
    RegistrySurroundings surroundings;

    /** A session that is only just beginning has to end, too; the engine's own limit is shorter by one call. */
    private static Duration timeToClose(Duration callTimeout) {
        return Collections.max(List.of(
                callTimeout.multipliedBy(3), LockStore.timeToBegin(callTimeout).plus(callTimeout.multipliedBy(2))));
    }

    /**
     * @param table where the store is, if it is a table
     * @param loop used unless another was given
     * @param keyPrefixBytes how much of a key's length is taken already
     */
    LockRegistry registry(
            EngineSettings settings, LockStore store, Optional<LockTable> table, EventLoop loop, int keyPrefixBytes) {
        RegistrySurroundings around = surroundings;
        if (around == null) {
            RegistryThreads threads = new RegistryThreads(executor);
            EventLoop used = eventLoop != null ? eventLoop : loop;
            return registry(settings, store, table, used, keyPrefixBytes, timeSource, threads, engine -> engine);
        }
        RegistryThreads threads = new RegistryThreads(executor, around::callback);
        LockRegistry registry = registry(
                settings,
                around.store(store),
                table,
                around.loop(),
                keyPrefixBytes,
                around.time(),
                threads,
                around::engine);
        around.built(registry, settings);
        return registry;
    }

    private LockRegistry registry(
            EngineSettings settings,
            LockStore store,
            Optional<LockTable> table,
            EventLoop loop,
            int keyPrefixBytes,
            TimeSource time,
            RegistryThreads threads,
            UnaryOperator<LockEngine> around) {
        ListenerQueue queue = new ListenerQueue(listeners, time);
        RandomGenerator generator = random != null ? random : new SecureRandom();
        LockEngine engine = new PausableEngine(settings, store, loop, time, generator, queue);
        return new DefaultLockRegistry(
                around.apply(engine),
                threads,
                queue,
                Pauses.on(loop, generator),
                Fences.on(store),
                table,
                keyPrefixBytes,
                settings.maxQueue(),
                timeToClose(settings.callTimeout()));
    }
}
