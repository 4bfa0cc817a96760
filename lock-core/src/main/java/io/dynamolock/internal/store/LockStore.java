package io.dynamolock.internal.store;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where the items of locks and sessions lie. Each edit is one conditional write of a linearizable store.
 *
 * <p>Implementations are thread-safe, never block the caller, read no clock, and make each call at most once: they repeat nothing,
 * because only the engine knows whether a repetition is still wanted. Every stage completes, on any thread, with the result or
 * exceptionally with a {@link StoreFailure}. {@code now} is the caller's wall clock; it is stored for housekeeping.
 */
public interface LockStore {

    /** How many sessions can be read at once. */
    int MOST_SESSIONS = 100;

    CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, Instant now);

    /**
     * Reads a lock.
     *
     * @param consistent whether the answer must show every write that was answered before; if not, it may be older, and costs half as
     *     much
     */
    CompletionStage<LockItem> read(LockKey key, boolean consistent);

    CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, Instant now);

    /**
     * Reads sessions, consistently, from one to {@value #MOST_SESSIONS} of them. Empty is one that does not exist; one that could not be read
     * beside the others is missing, and says when it is read alone why.
     */
    CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids);

    /**
     * Reads a page of the locks that have an item. They may be older than writes that were answered before.
     *
     * @param key whose locks, in all namespaces; {@code null} for all locks there are
     * @param after where the page before ended; {@code null} for the first
     */
    CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after);

    /**
     * How long the beginning of a session may take. It is the first call of a process, which also loads classes, finds credentials and
     * connects.
     *
     * @param callTimeout how long other calls may take
     */
    static Duration timeToBegin(Duration callTimeout) {
        Duration least = Duration.ofSeconds(4);
        return callTimeout.compareTo(least) < 0 ? least : callTimeout;
    }

    /** The store's own wall clock in its latest answer to the beginning of a session, a heartbeat or a consistent read, if it tells. */
    default Optional<Instant> lastAnsweredAt() {
        return Optional.empty();
    }
}
