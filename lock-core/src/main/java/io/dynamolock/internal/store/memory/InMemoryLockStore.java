package io.dynamolock.internal.store.memory;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A lock store in the memory of this process. Engines that share an instance exclude each other exactly as they would
 * on one DynamoDB table. The store keeps entries, leases, times and notices as text, as a table does, so a reader never
 * gets the object that was written. It never removes an item by itself, so it gives no item a time for that: an item
 * has the time that an edit has written, if any.
 *
 * <p>Thread-safe. Every call takes effect at one moment before it returns, and is answered on the calling thread.
 */
public final class InMemoryLockStore implements LockStore {

    private static final int LOCKS_OF_A_PAGE = 100;
    /** The order in which locks are listed. */
    private static final Comparator<LockKey> ORDER =
            Comparator.comparing(LockKey::key).thenComparing(LockKey::namespace);

    /** The store's wall clock; {@code null} if its answers do not tell the time. */
    private final @Nullable InstantSource clock;

    /** The items of locks. Guarded by this. */
    private final Map<LockKey, LockRow> locks = new HashMap<>();
    /** The items of live sessions. Guarded by this. */
    private final Map<SessionId, SessionRow> sessions = new HashMap<>();

    /** An empty store whose answers do not tell the time. */
    public InMemoryLockStore() {
        clock = null;
    }

    /** An empty store with its own wall clock, which its answers tell, as those of DynamoDB do. */
    public InMemoryLockStore(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now) {
        Answer<LockItem> answer = edit.on(lock(key));
        if (answer.isApplied()) {
            locks.put(key, LockRow.of(answer.item()));
        }
        return CompletableFuture.completedFuture(answer.at(storeTime()));
    }

    @Override
    public synchronized CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent) {
        return CompletableFuture.completedFuture(new Found<>(lock(key), storeTime()));
    }

    @Override
    public synchronized CompletionStage<Answer<Optional<SessionItem>>> edit(
            SessionId id, SessionEdit edit, @Nullable Instant now) {
        Answer<Optional<SessionItem>> answer = edit.on(session(id));
        if (answer.isApplied()) {
            answer.item().ifPresentOrElse(item -> sessions.put(id, SessionRow.of(item)), () -> sessions.remove(id));
        }
        return CompletableFuture.completedFuture(answer.at(storeTime()));
    }

    @Override
    public synchronized CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids) {
        Map<SessionId, Optional<SessionItem>> found = new HashMap<>();
        ids.forEach(id -> found.put(id, session(id)));
        return CompletableFuture.completedFuture(new Found<>(Map.copyOf(found), storeTime()));
    }

    @Override
    public synchronized CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after) {
        LockKey last = after == null ? null : new LockKey(after.partitionKey(), after.sortKey());
        List<LockKey> rest = locks.keySet().stream()
                .filter(lock -> key == null || lock.key().equals(key))
                .filter(lock -> last == null || ORDER.compare(lock, last) > 0)
                .sorted(ORDER)
                .toList();
        Map<LockKey, LockItem> page = new LinkedHashMap<>();
        rest.stream().limit(LOCKS_OF_A_PAGE).forEach(lock -> page.put(lock, lock(lock)));
        LockKey end = rest.size() > LOCKS_OF_A_PAGE ? rest.get(LOCKS_OF_A_PAGE - 1) : null;
        return CompletableFuture.completedFuture(
                new LockPage(page, end == null ? null : new LockPage.Mark(end.key(), end.namespace())));
    }

    private @Nullable Instant storeTime() {
        return clock == null ? null : clock.instant();
    }

    /** The current item of a lock; {@link LockItem#ABSENT} if there is none. */
    public synchronized LockItem lock(LockKey key) {
        LockRow row = locks.get(key);
        return row == null ? LockItem.ABSENT : row.item();
    }

    /** The keys of all locks that have an item. */
    public synchronized Set<LockKey> lockKeys() {
        return Set.copyOf(locks.keySet());
    }

    /** The current item of a session; empty if the session is dead. */
    public synchronized Optional<SessionItem> session(SessionId id) {
        return Optional.ofNullable(sessions.get(id)).map(SessionRow::item);
    }

    /** The ids of all live sessions. */
    public synchronized Set<SessionId> sessionIds() {
        return Set.copyOf(sessions.keySet());
    }

    /** Removes a lock's item even if the lock is held, as DynamoDB's TTL or somebody by hand would. */
    public synchronized void removeLock(LockKey key) {
        locks.remove(key);
    }

    private record LockRow(
            long tail,
            List<String> queue,
            int permits,
            LockData data,
            @Nullable Instant expiresAt) {

        static LockRow of(LockItem item) {
            return new LockRow(
                    item.tail(),
                    item.queue().stream().map(Entry::text).toList(),
                    item.permits(),
                    item.data(),
                    item.expiresAt());
        }

        LockItem item() {
            return new LockItem(tail, queue.stream().map(Entry::parse).toList(), permits, data, expiresAt);
        }
    }

    private record SessionRow(
            long heartbeat,
            String lease,
            String owner,
            @Nullable String heartbeatAt,
            Set<String> notices) {

        static SessionRow of(SessionItem item) {
            return new SessionRow(
                    item.heartbeat(),
                    item.lease().toString(),
                    item.owner(),
                    item.heartbeatAt() == null ? null : item.heartbeatAt().toString(),
                    item.notices());
        }

        SessionItem item() {
            Instant at = heartbeatAt == null ? null : Instant.parse(heartbeatAt);
            return new SessionItem(heartbeat, Duration.parse(lease), owner, at, notices);
        }
    }
}
