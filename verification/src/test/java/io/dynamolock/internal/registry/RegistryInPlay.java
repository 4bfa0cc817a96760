package io.dynamolock.internal.registry;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.concurrency.Race;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.builder.RegistrySurroundings;
import io.dynamolock.internal.engine.Moments;
import io.dynamolock.internal.engine.SharedLoop;
import io.dynamolock.internal.engine.StoppedTime;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.time.TimeSource;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

/** A registry that the threads of a race close and use. */
final class RegistryInPlay<A> extends Race<A> {

    private static final String KEY = "k";

    private final InMemoryLockStore store = new InMemoryLockStore();
    final LockRegistry registry =
            RegistryBuilder.of(store).on(new Surroundings()).build();

    private static final class Surroundings extends RegistrySurroundings {

        @Override
        protected EventLoop loop(EventLoop own) {
            own.shutdown();
            return new SharedLoop();
        }

        @Override
        protected TimeSource time() {
            return new StoppedTime();
        }

        @Override
        protected RandomGenerator random() {
            return new SplittableRandom(1);
        }
    }

    LockHandle hold() {
        return registry.acquire(LockRequest.of(KEY));
    }

    void closeInAMoment() {
        Moments.pass();
        registry.close();
    }

    /** The outcome of a blocking acquire. */
    String acquire() {
        try {
            return name(hold());
        } catch (LockClosedException e) {
            return name(e);
        }
    }

    CompletableFuture<LockHandle> acquireAsync() {
        try {
            return registry.acquireAsync(LockRequest.of(KEY));
        } catch (LockClosedException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static String name(CompletableFuture<LockHandle> future) {
        try {
            return name(future.join());
        } catch (CompletionException e) {
            return name(e.getCause());
        }
    }

    private static String name(LockHandle handle) {
        boolean valid = handle.isValid();
        handle.release();
        return valid ? "granted" : "granted and lost";
    }

    private static String name(Throwable failure) {
        return failure.getClass().getSimpleName();
    }

    /** The entries of live sessions that are left in the table. */
    String left() {
        List<Entry> left = store.lock(new LockKey(KEY, LockRequest.DEFAULT_NAMESPACE)).queue().stream()
                .filter(entry -> entry.session() == null
                        || store.session(entry.session()).isPresent())
                .toList();
        return left.isEmpty() ? "nothing left" : left.toString();
    }
}
