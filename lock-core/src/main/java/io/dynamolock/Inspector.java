package io.dynamolock;

import io.dynamolock.internal.InspectionPage;
import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.StoreFailure;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads locks for people, and blocks its callers meanwhile. Thread-safe. */
final class Inspector {

    private static final String UNKNOWN = ", so who holds it is not known; nothing about it was changed";

    private final LockEngine engine;
    private final CompletableFuture<Void> ended;
    private final Consumer<LockKey> ensureOpen;

    /**
     * @param ended completes when the engine has ended
     * @param ensureOpen throws if the registry is closed
     */
    Inspector(LockEngine engine, CompletableFuture<Void> ended, Consumer<LockKey> ensureOpen) {
        this.engine = engine;
        this.ended = ended;
        this.ensureOpen = ensureOpen;
    }

    LockSnapshot inspect(LockKey key) {
        return Snapshots.of(key, await(engine.inspect(key), key, "Inspecting", UNKNOWN));
    }

    /** @param key whose locks; {@code null} for all locks there are */
    Stream<LockSnapshot> list(@Nullable String key) {
        LockKey all = new LockKey(key == null ? "" : key, "");
        ensureOpen.accept(all);
        Spliterator<LockSnapshot> locks = Spliterators.spliteratorUnknownSize(
                new Pages(key, all), Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.IMMUTABLE);
        return StreamSupport.stream(locks, false);
    }

    /**
     * What the engine answers, which may never come if the engine ends meanwhile.
     *
     * @param what as the beginning of a sentence that goes on with the lock
     * @param consequence the end of that sentence if DynamoDB does not answer
     */
    <T> T await(CompletableFuture<T> reading, LockKey key, String what, String consequence) {
        String whatOfWhich = what + " the " + LockNames.describe(key.key(), key.namespace());
        try {
            CompletableFuture.anyOf(reading, ended).get();
            ensureOpen.accept(key);
            return reading.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(key.key(), key.namespace(), whatOfWhich + " was interrupted.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreFailure failure) {
                throw LockStoreException.of(key.key(), key.namespace(), whatOfWhich + " failed" + consequence, failure);
            }
            ensureOpen.accept(key);
            throw new IllegalStateException(whatOfWhich + " failed", e.getCause());
        }
    }

    /** Reads a page when the one before is used up. */
    private final class Pages implements Iterator<LockSnapshot> {

        private final @Nullable String key;
        private final LockKey all;
        private Iterator<LockSnapshot> page = Collections.emptyIterator();
        private LockPage.@Nullable Mark last;
        private boolean isLast;

        Pages(@Nullable String key, LockKey all) {
            this.key = key;
            this.all = all;
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && !isLast) {
                ensureOpen.accept(all);
                InspectionPage next = await(engine.list(key, last), all, "Listing", UNKNOWN);
                page = next.locks().entrySet().stream()
                        .map(lock -> Snapshots.of(lock.getKey(), lock.getValue()))
                        .iterator();
                last = next.last();
                isLast = last == null;
            }
            return page.hasNext();
        }

        @Override
        public LockSnapshot next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.next();
        }
    }
}
