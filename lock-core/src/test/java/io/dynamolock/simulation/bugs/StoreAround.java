package io.dynamolock.simulation.bugs;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.LockPage;
import io.dynamolock.store.LockStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Passes every call on; for bugs that change some. */
class StoreAround implements LockStore {

    final LockStore store;

    StoreAround(LockStore store) {
        this.store = store;
    }

    @Override
    public CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now) {
        return store.take(key, step, now);
    }

    @Override
    public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
        return store.look(key, consistent);
    }

    @Override
    public CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        return store.locks(key, after);
    }

    @Override
    public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
        return store.take(id, step, now);
    }

    @Override
    public CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids) {
        return store.sessions(ids);
    }

    @Override
    public Optional<Instant> lastAnsweredAt() {
        return store.lastAnsweredAt();
    }
}
