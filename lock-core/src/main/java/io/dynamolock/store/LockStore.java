package io.dynamolock.store;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Where the items of locks and sessions are. It carries out the steps of the protocol, each as one conditional write on
 * a linearizable store.
 *
 * <p>Implementations are thread-safe, never block the caller, read no clock, and make each call at most once: they
 * repeat nothing by themselves, because only the engine knows whether a repetition is still wanted. Every returned
 * stage completes, on any thread, with the result or exceptionally with a {@link StoreFailure}. {@code now} is the
 * caller's wall clock; it is stored for housekeeping.
 */
public interface LockStore {

    /** Takes a step on a lock. */
    CompletionStage<Answer<LockItem>> take(LockKey key, Step step, Instant now);

    /**
     * Reads a lock.
     *
     * @param consistent whether the answer must show every write that was answered before; if not, it may be older than
     *     that, and costs half as much
     */
    CompletionStage<LockItem> look(LockKey key, boolean consistent);

    /** Takes a step in a session's life. */
    CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now);

    /**
     * Reads sessions, consistently, at most {@value #MOST_SESSIONS} of them. Those that do not exist are empty. One of
     * several that is missing in the answer could not be read along with the others: that tells nothing about it, and a
     * read of that one alone says why.
     */
    CompletionStage<Map<SessionId, Optional<SessionItem>>> sessions(Set<SessionId> ids);

    /**
     * Reads a page of the locks that have an item. They may be older than writes that were answered before.
     *
     * @param key whose locks, in all namespaces; {@code null} for all locks there are
     * @param after where the page before ended; {@code null} for the first
     */
    CompletionStage<LockPage> locks(@Nullable String key, LockPage.@Nullable Mark after);

    /** How many sessions can be read at once. */
    int MOST_SESSIONS = 100;

    /**
     * How long the beginning of a session may take. It is the first call of a process, which also loads classes, finds
     * credentials and connects, and on a busy machine that takes longer than any other call may if leases are short.
     *
     * @param callTimeout how long other calls may take
     */
    static Duration timeToBegin(Duration callTimeout) {
        Duration least = Duration.ofSeconds(4);
        return callTimeout.compareTo(least) < 0 ? least : callTimeout;
    }

    /**
     * The store's own wall clock at its latest answer to the beginning of a session or to a consistent look, if it tells: the
     * engine holds its process's clock against it.
     */
    default Optional<Instant> lastAnsweredAt() {
        return Optional.empty();
    }
}
