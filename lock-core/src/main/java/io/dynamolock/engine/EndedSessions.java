package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
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

    private final EngineContext context;
    private final Consumer<SessionId> dead;
    private final Deque<SessionId> pending = new ArrayDeque<>();
    private boolean ending;

    EndedSessions(EngineContext context, Consumer<SessionId> dead) {
        this.context = context;
        this.dead = dead;
    }

    void end(SessionId id) {
        assert context.loop.isCurrent();
        pending.addLast(id);
        if (pending.size() > MAX_PENDING) {
            pending.removeFirst();
        }
        endNext();
    }

    void knownDead(SessionId id) {
        assert context.loop.isCurrent();
        dead.accept(id);
    }

    private void endNext() {
        SessionId next = pending.peekFirst();
        if (ending || next == null) {
            return;
        }
        ending = true;
        context.calls.persist(
                Lane.BACKGROUND,
                "end session",
                () -> context.store.take(next, new SessionStep.End(), context.time.now()),
                () -> true,
                answer -> {
                    ending = false;
                    pending.remove(next);
                    dead.accept(next);
                    endNext();
                },
                () -> {});
    }
}
