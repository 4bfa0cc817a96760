package io.dynamolock.internal.engine;

import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Deletes the items of own sessions that are over, which frees everything that was held under them. If there certainly
 * is such an item, a deletion that fails is repeated, with growing pauses, until it is answered or the engine has
 * stopped. Lives on the event loop.
 */
final class SessionDeletions {

    private final EngineSettings settings;
    private final LockStore store;
    private final StoreCalls calls;
    private final EventLoop loop;
    private final TimeSource time;
    private final BooleanSupplier isStopped;
    private final Consumer<SessionId> deleted;

    /** The sessions whose deletion is still to be sent, is under way, or is to be repeated. */
    private final Set<SessionId> open = new HashSet<>();

    /**
     * @param isStopped whether the engine has stopped, so that nothing is repeated any more
     * @param deleted called with each session whose item is deleted
     */
    SessionDeletions(
            EngineSettings settings,
            LockStore store,
            StoreCalls calls,
            EventLoop loop,
            TimeSource time,
            BooleanSupplier isStopped,
            Consumer<SessionId> deleted) {
        this.settings = settings;
        this.store = store;
        this.calls = calls;
        this.loop = loop;
        this.time = time;
        this.isStopped = isStopped;
        this.deleted = deleted;
    }

    /** @param isCertain whether the session has an item for certain; if not, the deletion is not repeated */
    void delete(SessionId id, boolean isCertain) {
        open.add(id);
        send(id, isCertain, settings.pollMin());
    }

    /** Deletes the item of a session that has one for certain, after this time. */
    void deleteAfter(Duration delay, SessionId id) {
        open.add(id);
        loop.schedule(() -> send(id, true, settings.pollMin()), delay);
    }

    /** Sends the deletions that wait for their time. */
    void deleteAllNow() {
        List.copyOf(open).forEach(id -> send(id, true, settings.pollMin()));
    }

    boolean isEmpty() {
        return open.isEmpty();
    }

    private void send(SessionId id, boolean isCertain, Duration pause) {
        if (!open.contains(id)) {
            return;
        }
        calls.send(
                "end session",
                () -> store.edit(id, new SessionEdit.End(), time.now()),
                answer -> {
                    open.remove(id);
                    deleted.accept(id);
                },
                failure -> {
                    Duration next = Durations.shorter(pause.multipliedBy(2), settings.heartbeat());
                    if (isCertain && !isStopped.getAsBoolean()) {
                        loop.schedule(() -> send(id, isCertain, next), next);
                    } else {
                        open.remove(id);
                    }
                });
    }
}
