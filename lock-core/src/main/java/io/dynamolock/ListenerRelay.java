package io.dynamolock;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.EngineListener;
import io.dynamolock.engine.LossReason;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.function.Consumer;

/** Passes what the engine says on to the user's listener. */
final class ListenerRelay implements EngineListener {

    private final ListenerQueue queue;

    ListenerRelay(ListenerQueue queue) {
        this.queue = queue;
    }

    void shutdown() {
        queue.shutdown();
    }

    private void tell(Consumer<LockListener> event) {
        queue.add(event);
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {
        var event = new LockEvent.Queued(spec.key().key(), spec.key().namespace(), spec.name(), number, ahead);
        tell(listener -> listener.queued(event));
    }

    @Override
    public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {
        var event = new LockEvent.Acquired(
                spec.key().key(), spec.key().namespace(), spec.name(), number, waited, wasQueued);
        tell(listener -> listener.acquired(event));
    }

    @Override
    public void timedOut(AcquireSpec spec, Duration waited) {
        var event = new LockEvent.TimedOut(spec.key().key(), spec.key().namespace(), spec.name(), waited);
        tell(listener -> listener.timedOut(event));
    }

    @Override
    public void abandoned(AcquireSpec spec, Duration waited) {
        var event = new LockEvent.Abandoned(spec.key().key(), spec.key().namespace(), spec.name(), waited);
        tell(listener -> listener.abandoned(event));
    }

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        var event = new LockEvent.Released(spec.key().key(), spec.key().namespace(), spec.name(), number, held);
        tell(listener -> listener.released(event));
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        var event =
                new LockEvent.Lost(spec.key().key(), spec.key().namespace(), spec.name(), number, held, nameOf(reason));
        tell(listener -> listener.lost(event));
    }

    private static String nameOf(LossReason reason) {
        return switch (reason) {
            case SESSION_LOST -> "session-lost";
            case MAX_HOLD -> "max-hold";
            case TAKEN_AWAY -> "taken-away";
            case CLOSED -> "closed";
        };
    }

    @Override
    public void sessionStarted(SessionId session) {
        var event = new LockEvent.SessionStarted(session.toString());
        tell(listener -> listener.sessionStarted(event));
    }

    @Override
    public void sessionLost(SessionId session) {
        var event = new LockEvent.SessionLost(session.toString());
        tell(listener -> listener.sessionLost(event));
    }

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {
        var event = new LockEvent.StoreCallFailed(operation, failure);
        tell(listener -> listener.storeCallFailed(event));
    }
}
