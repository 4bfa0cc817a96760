package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Deletes the items of this process's own sessions that are over, until each is known to be gone: that frees all they
 * held. Lives on the event loop.
 */
final class EndedSessions {

    /** Further ones of a long outage, which have held nothing, are left to the table's TTL. */
    private static final int MAX_PENDING = 64;

    private final EngineContext context;
    private final Consumer<SessionId> dead;
    private final Set<SessionId> pending = new HashSet<>();

    EndedSessions(EngineContext context, Consumer<SessionId> dead) {
        this.context = context;
        this.dead = dead;
    }

    void end(SessionId id) {
        assert context.loop.isCurrent();
        if (pending.size() == MAX_PENDING || !pending.add(id)) {
            return;
        }
        StoreCall<?> end = StoreCall.of(
                Lane.BACKGROUND,
                "end session",
                () -> context.store.take(id, new SessionStep.End(), context.time.now()));
        context.calls.persist(end, answer -> {
            pending.remove(id);
            dead.accept(id);
        });
    }

    void knownDead(SessionId id) {
        assert context.loop.isCurrent();
        dead.accept(id);
    }
}
