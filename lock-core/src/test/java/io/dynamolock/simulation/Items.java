package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The truth: what is in the table at this moment, and what was in it a while ago. */
final class Items {

    private static final int VERSIONS = 40;

    private record Version(long until, LockItem item) {}

    private final Rules rules;
    private final Map<LockKey, LockItem> locks = new HashMap<>();
    private final Map<LockKey, Deque<Version>> formerly = new HashMap<>();
    private final Map<SessionId, SessionItem> sessions = new HashMap<>();

    Items(Rules rules) {
        this.rules = rules;
    }

    LockItem lock(LockKey key) {
        return locks.getOrDefault(key, LockItem.ABSENT);
    }

    /** How the lock's item was then, as far as that is remembered. */
    LockItem lockAt(LockKey key, long then) {
        LockItem found = lock(key);
        Iterator<Version> backwards =
                formerly.getOrDefault(key, new ArrayDeque<>()).descendingIterator();
        while (backwards.hasNext()) {
            Version version = backwards.next();
            if (version.until() <= then) {
                break;
            }
            found = version.item();
        }
        return found;
    }

    Answer<LockItem> take(LockKey key, Step step, long now) {
        Answer<LockItem> answer = rules.on(step, lock(key));
        if (answer.isApplied()) {
            put(key, answer.item(), now);
        }
        return answer;
    }

    void removeLock(LockKey key, long now) {
        put(key, LockItem.ABSENT, now);
    }

    private void put(LockKey key, LockItem item, long now) {
        Deque<Version> versions = formerly.computeIfAbsent(key, absent -> new ArrayDeque<>());
        versions.addLast(new Version(now, lock(key)));
        if (versions.size() > VERSIONS) {
            versions.removeFirst();
        }
        locks.put(key, item);
    }

    Optional<SessionItem> session(SessionId id) {
        return Optional.ofNullable(sessions.get(id));
    }

    boolean isAlive(SessionId id) {
        return sessions.containsKey(id);
    }

    Set<SessionId> sessions() {
        return sessions.keySet();
    }

    Map<SessionId, SessionItem> sessions(Set<SessionId> ids) {
        // In the same order in every run, for it is written into the history.
        Map<SessionId, SessionItem> found = new LinkedHashMap<>(sessions);
        found.keySet().retainAll(ids);
        return found;
    }

    Answer<Optional<SessionItem>> take(SessionId id, SessionStep step) {
        Answer<Optional<SessionItem>> answer = rules.on(step, session(id));
        if (answer.isApplied()) {
            answer.item().ifPresentOrElse(item -> sessions.put(id, item), () -> sessions.remove(id));
        }
        return answer;
    }
}
