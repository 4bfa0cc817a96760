package io.dynamolock;

import io.dynamolock.internal.InspectionPage;
import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.StoreFailure;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads locks for people, and blocks its callers meanwhile. Thread-safe.
 *
 * @param ended completes when the engine has ended
 * @param ensureOpen throws if the registry is closed
 */
record Inspector(LockEngine engine, CompletableFuture<Void> ended, Consumer<LockKey> ensureOpen) {

    private static final String UNKNOWN = ", so who holds it is not known; nothing about it was changed";

    /** Before the first page, and behind the last. */
    private static final LockPage.Mark BEGINNING = new LockPage.Mark("", "");

    private static final InspectionPage END = new InspectionPage(Map.of(), null);

    LockSnapshot inspect(LockKey key) {
        return Snapshots.of(key, await(engine.inspect(key), key, "Inspecting", UNKNOWN));
    }

    /** @param key whose locks; {@code null} for all locks there are */
    Stream<LockSnapshot> list(@Nullable String key) {
        LockKey all = new LockKey(key == null ? "" : key, "");
        ensureOpen.accept(all);
        return Stream.iterate(
                        new InspectionPage(Map.of(), BEGINNING),
                        page -> page != END,
                        page -> page.last() == null ? END : pageAfter(page.last(), key, all))
                .flatMap(page -> page.locks().entrySet().stream())
                .map(lock -> Snapshots.of(lock.getKey(), lock.getValue()));
    }

    private InspectionPage pageAfter(LockPage.Mark last, @Nullable String key, LockKey all) {
        ensureOpen.accept(all);
        return await(engine.list(key, last == BEGINNING ? null : last), all, "Listing", UNKNOWN);
    }

    /**
     * What the engine answers, which may never come if the engine ends meanwhile.
     *
     * @param what as the beginning of a sentence that goes on with the lock
     * @param consequence the end of that sentence if DynamoDB does not answer
     */
    <T> T await(CompletableFuture<T> reading, LockKey key, String what, String consequence) {
        String whatOfWhich = what + " the " + LockNames.describe(key);
        try {
            CompletableFuture.anyOf(reading, ended).get();
            ensureOpen.accept(key);
            return reading.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(key, whatOfWhich + " was interrupted.", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof StoreFailure failure) {
                throw LockStoreException.of(key, whatOfWhich + " failed" + consequence, failure);
            }
            ensureOpen.accept(key);
            throw new IllegalStateException(whatOfWhich + " failed", e.getCause());
        }
    }
}
