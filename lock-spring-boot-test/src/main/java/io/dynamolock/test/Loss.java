package io.dynamolock.test;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Takes from the code under test what it holds, in the store, and has its engine see that. */
final class Loss {

    /** A heartbeat is at most a third of the longest lease away. */
    private static final Duration LONGEST_HEARTBEAT = Duration.ofHours(8);

    private final LockEngine engine;
    private final InMemoryLockStore store;
    private final MovableTime time;

    Loss(TestSurroundings.Parts parts, MovableTime time) {
        this.engine = parts.engine().own();
        this.store = parts.store();
        this.time = time;
    }

    /** False if it is not held. */
    boolean of(LockKey key) {
        List<Grant> grants = held(key::equals);
        if (grants.isEmpty()) {
            return false;
        }
        Set<Entry> blocks = grants.stream().map(Grant::block).collect(Collectors.toSet());
        for (Entry entry : store.lock(key).queue()) {
            if (blocks.contains(entry.block())) {
                takeOut(key, entry);
            }
        }
        seeAsItIs(key);
        return true;
    }

    /** Until it stands nowhere: it may have moved up meanwhile. */
    private void takeOut(LockKey key, Entry entry) {
        LockItem item = store.lock(key);
        for (int index = item.indexOf(entry.block()); index >= 0; index = item.indexOf(entry.block())) {
            store.take(key, Step.Leave.of(index, item.queue().get(index)), time.now());
            item = store.lock(key);
        }
    }

    private void seeAsItIs(LockKey key) {
        engine.resize(key, TroubledStore.LOOK.permits());
        time.awaitQuiet();
        time.awaitCallbacks();
    }

    void ofSession() {
        List<SessionId> own = held(key -> true).stream()
                .map(grant -> grant.block().session())
                .distinct()
                .toList();
        if (own.isEmpty()) {
            throw new IllegalStateException(
                    "The code under test holds no lock, so its session is of no account. Have it take a lock before.");
        }
        own.forEach(session -> store.take(session, new SessionStep.End(), time.now()));
        while (isHeldBy(own) && time.advanceToNextTimer(LONGEST_HEARTBEAT)) {
            // A heartbeat comes.
        }
        time.awaitCallbacks();
    }

    /** Callers that wait get locks under the next session, and hold them for as long as they like. */
    private boolean isHeldBy(List<SessionId> sessions) {
        return engine.held().stream()
                .anyMatch(grant -> sessions.contains(grant.block().session()));
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
