package io.dynamolock.engine;

import io.dynamolock.store.LockStore;
import io.dynamolock.store.SessionId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Deletes the items of this process's own sessions that are over, one after the other, until each is known to be gone:
 * that frees all they held. Lives on the event loop.
 */
final class EndedSessions {

    /** During a long outage the oldest are left to the table's TTL. */
    private static final int MAX_PENDING = 64;

    private final LockStore store;
    private final StoreCalls calls;
    private final Consumer<SessionId> dead;
    private final Deque<SessionId> pending = new ArrayDeque<>();
    private boolean ending;

    EndedSessions(LockStore store, StoreCalls calls, Consumer<SessionId> dead) {
        this.store = store;
        this.calls = calls;
        this.dead = dead;
    }

    void end(SessionId id) {
        pending.addLast(id);
        if (pending.size() > MAX_PENDING) {
            pending.removeFirst();
        }
        endNext();
    }

    void knownDead(SessionId id) {
        dead.accept(id);
    }

    private void endNext() {
        SessionId next = pending.peekFirst();
        if (ending || next == null) {
            return;
        }
        ending = true;
        calls.persist(
                "end session",
                () -> store.endSession(next),
                () -> true,
                done -> {
                    ending = false;
                    pending.remove(next);
                    dead.accept(next);
                    endNext();
                },
                () -> {});
    }
}
