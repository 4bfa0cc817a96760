package io.dynamolock.internal.testbed;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Takes locks from the code under test, by changing the store behind the back of its engine, and has the engine see
 * that.
 */
final class Loss {

    /** A heartbeat is at most a third of the longest lease away. */
    private static final Duration LONGEST_HEARTBEAT = Duration.ofHours(8);

    private final LockEngine engine;
    private final InMemoryLockStore store;
    private final MovableTime time;

    Loss(LockEngine engine, InMemoryLockStore store, MovableTime time) {
        this.engine = engine;
        this.store = store;
        this.time = time;
    }

    /** @return false if the code under test does not hold the lock */
    boolean of(LockKey key) {
        List<Grant> grants = held(key::equals);
        if (grants.isEmpty()) {
            return false;
        }
        for (Grant grant : grants) {
            takeOut(key, grant.entry(), store, time);
        }
        seeAsItIs(key);
        return true;
    }

    /** Removes the entry from the queue. Repeats that, because the entry may move to another index meanwhile. */
    static void takeOut(LockKey key, Entry entry, InMemoryLockStore store, MovableTime time) {
        for (int index = store.lock(key).indexOf(entry);
                index >= 0;
                index = store.lock(key).indexOf(entry)) {
            NavigableMap<Integer, Entry> removed = new TreeMap<>(Map.of(index, entry));
            store.edit(key, new Edit(removed, null, List.of(), 0, 0, true, null, 0, 0), time.now());
        }
    }

    /** An edit that changes nothing has the engine read the lock. */
    private void seeAsItIs(LockKey key) {
        engine.resize(key, TroubledStore.NO_PERMITS);
        time.awaitQuiet();
        time.awaitCallbacks();
    }

    void ofSession() {
        List<SessionId> own = held(key -> true).stream()
                .map(grant -> grant.entry().session())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        if (own.isEmpty()) {
            throw new IllegalStateException(
                    "The code under test holds no lock, so its session is of no account. Have it take a lock before.");
        }
        own.forEach(session -> store.edit(session, new SessionEdit.End(), time.now()));
        while (isHeldBy(own) && time.advanceToNextTimer(LONGEST_HEARTBEAT)) {
            // The next heartbeat finds out that the session has ended.
        }
        time.awaitCallbacks();
    }

    /** Looks at these sessions only: callers that waited may hold locks under the next session already. */
    private boolean isHeldBy(List<SessionId> sessions) {
        return engine.held().stream()
                .anyMatch(grant -> sessions.contains(grant.entry().session()));
    }

    /** Releases, and removes the items, with all that is kept in them. */
    void ofAll(Predicate<LockKey> which) {
        held(which).forEach(Grant::giveBack);
        time.awaitQuiet();
        for (LockKey key : store.lockKeys()) {
            if (which.test(key)) {
                store.removeLock(key);
                seeAsItIs(key);
            }
        }
    }

    private List<Grant> held(Predicate<LockKey> which) {
        return engine.held().stream().filter(grant -> which.test(grant.key())).toList();
    }
}
