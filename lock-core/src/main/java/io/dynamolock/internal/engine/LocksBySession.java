package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The locks for which it matters here that a session is dead: somebody waits for them here, and their queues, as far as
 * is known, show an entry of the session. A process may have thousands of locks, and thousands of sessions may die at
 * once, so a dead session must not wake all locks. Lives on the event loop.
 */
final class LocksBySession {

    /** What is known of a lock's queue, and the sessions that have entries in it. */
    private record Shown(List<Entry> queue, Set<SessionId> sessions) {

        static final Shown NOTHING = new Shown(List.of(), Set.of());
    }

    /** The locks with waiters here whose queues have entries of sessions. */
    private final Map<LockKey, Shown> shown = new HashMap<>();

    /** The same locks by the sessions. No set is empty. */
    private final Map<SessionId, Set<LockKey>> locks = new HashMap<>();

    /**
     * This is what is known of the lock's queue.
     *
     * @param queue empty if nobody waits for the lock here
     */
    void shows(LockKey key, List<Entry> queue) {
        Shown before = shown.getOrDefault(key, Shown.NOTHING);
        if (queue.equals(before.queue())) {
            return;
        }
        Set<SessionId> sessions = queue.stream()
                .map(Entry::session)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(HashSet::new));
        for (SessionId id : sessions) {
            if (!before.sessions().contains(id)) {
                locks.computeIfAbsent(id, first -> new LinkedHashSet<>()).add(key);
            }
        }
        for (SessionId id : before.sessions()) {
            if (!sessions.contains(id)) {
                Set<LockKey> ofSession = locks.getOrDefault(id, Set.of());
                ofSession.remove(key);
                if (ofSession.isEmpty()) {
                    locks.remove(id);
                }
            }
        }
        if (queue.isEmpty()) {
            shown.remove(key);
        } else {
            shown.put(key, new Shown(queue, sessions));
        }
    }

    /** The locks with entries of this session, as they are now. */
    List<LockKey> of(SessionId id) {
        return List.copyOf(locks.getOrDefault(id, Set.of()));
    }

    boolean isEmpty() {
        return shown.isEmpty() && locks.isEmpty();
    }
}
