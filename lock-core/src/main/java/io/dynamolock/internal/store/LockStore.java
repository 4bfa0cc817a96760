package io.dynamolock.internal.store;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The port to the table with the items of locks and sessions. Each edit is one conditional write of a linearizable
 * store.
 *
 * <p>Implementations are thread-safe, never block the caller and read no clock. They send each call at most once,
 * because only the engine knows whether a repetition is still wanted. Every stage completes, on any thread, with the
 * result or exceptionally with a {@link StoreFailure}. {@code now} is the latest time that the caller
 * takes for possible; the store derives from it when an unused item may be removed. A caller that does not know the
 * store's time gives {@code null}: by a wall clock that is behind, TTL would remove what is in use.
 */
public interface LockStore {

    /** Maximum number of sessions in one call of {@link #sessions}. */
    int MOST_SESSIONS = 100;

    /** Writes a lock's item if the edit's condition holds. */
    CompletionStage<Answer<LockItem>> edit(LockKey key, Edit edit, @Nullable Instant now);

    /**
     * Reads a lock's item.
     *
     * @param consistent whether the answer must show every write that was answered before the call. Otherwise the
     *     answer may be older, and the read costs half as much
     */
    CompletionStage<Found<LockItem>> read(LockKey key, boolean consistent);

    /** Writes or deletes a session's item if the edit's condition holds. */
    CompletionStage<Answer<Optional<SessionItem>>> edit(SessionId id, SessionEdit edit, @Nullable Instant now);

    /**
     * Reads sessions with consistent reads. The answer has an empty value for a session that does not exist, and no
     * value for a session that could not be read together with the others. Reading that session alone tells why.
     *
     * @param ids one to {@value #MOST_SESSIONS} sessions
     */
    CompletionStage<Found<Map<SessionId, Optional<SessionItem>>>> sessions(Set<SessionId> ids);

    /**
     * Reads one page of the locks that have an item. The page may be older than writes that were answered before the
     * call.
     *
     * @param key only locks on this entity, in all namespaces; {@code null} for all locks of the store
     * @param after {@link LockPage#last} of the previous page; {@code null} for the first page
     */
    CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after);

    /**
     * The timeout of the call that begins a session. It is at least four seconds, because this is the first call of a
     * process, which also loads classes, finds credentials and connects.
     *
     * @param callTimeout timeout of all other calls
     */
    static Duration timeToBegin(Duration callTimeout) {
        return Durations.longer(callTimeout, Duration.ofSeconds(4));
    }
}
