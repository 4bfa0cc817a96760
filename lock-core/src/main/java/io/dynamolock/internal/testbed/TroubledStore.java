package io.dynamolock.internal.testbed;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.TimeSource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store that can be made to fail. A call that it does not answer has changed nothing. Its answers tell the time by
 * the clock of the tests. Thread-safe.
 */
final class TroubledStore implements LockStore {

    /**
     * A number of permits that no lock gets. An edit that asks for it changes nothing; it is answered in trouble, too,
     * with the lock as it is.
     */
    static final int NO_PERMITS = Integer.MAX_VALUE;

    /** What is wrong with the store. */
    enum Trouble {
        /** It refuses each call at once, and for good. */
        REFUSES,
        /** It does not answer. */
        SILENT
    }

    private final LockStore store;
    private final TimeSource time;
    /** What is wrong now; {@code null} while the store works. */
    private volatile @Nullable Trouble trouble;
    /** The calls that came during the silence. */
    private final Set<CompletableFuture<?>> unanswered = ConcurrentHashMap.newKeySet();

    TroubledStore(LockStore store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    void begin(Trouble begun) {
        change(begun);
    }

    void recover() {
        change(null);
    }

    private void change(@Nullable Trouble next) {
        trouble = next;
        // Otherwise later calls would wait until the unanswered calls run into their timeouts.
        unanswered.forEach(call -> call.completeExceptionally(new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE, "The store did not answer, as TestLocks.silenceStore() says", null)));
        unanswered.clear();
    }

    private <T> CompletionStage<T> answer(Supplier<CompletionStage<T>> call) {
        Trouble present = trouble;
        if (present == null) {
            return call.get();
        }
        return switch (present) {
            case REFUSES ->
                CompletableFuture.failedFuture(new StoreFailure(
                        StoreFailure.Kind.REFUSED,
                        "The store refuses every call, as TestLocks.refuseStore() says",
                        null));
            case SILENT -> {
                CompletableFuture<T> silence = new CompletableFuture<>();
                unanswered.add(silence);
                yield silence;
            }
        };
    }

    @Override
    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
        return edit.newPermits() == NO_PERMITS
                ? store.read(key, true).thenApply(found -> new Answer<>(found.content(), false, time.now()))
                : answer(() -> store.edit(key, edit, now)).thenApply(answer -> answer.at(time.now()));
    }

    @Override
    public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
        return answer(() -> store.read(key, consistent)).thenApply(this::dated);
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, @Nullable Instant now) {
        return answer(() -> store.edit(id, edit, now)).thenApply(answer -> answer.at(time.now()));
    }

    @Override
    public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
        return answer(() -> store.sessions(ids)).thenApply(this::dated);
    }

    private <T> Found<T> dated(Found<T> found) {
        return new Found<>(found.content(), time.now());
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        return answer(() -> store.locks(key, after));
    }
}
