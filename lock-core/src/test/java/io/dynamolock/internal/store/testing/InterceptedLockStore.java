package io.dynamolock.internal.store.testing;

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
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store before another one, which leads every call through one method: by itself it changes nothing. */
public class InterceptedLockStore implements LockStore {

    private final LockStore store;

    public InterceptedLockStore(LockStore store) {
        this.store = store;
    }

    /** @param call makes the call each time it is asked */
    protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
        return call.get();
    }

    @Override
    public CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
        return intercept(StoreOperation.EDIT, () -> store.edit(key, edit, now));
    }

    @Override
    public CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
        return intercept(StoreOperation.READ, () -> store.read(key, consistent));
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        return intercept(StoreOperation.LIST_LOCKS, () -> store.locks(key, after));
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, @Nullable Instant now) {
        return intercept(StoreOperation.of(edit), () -> store.edit(id, edit, now));
    }

    @Override
    public CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
        return intercept(StoreOperation.READ_SESSIONS, () -> store.sessions(ids));
    }
}
