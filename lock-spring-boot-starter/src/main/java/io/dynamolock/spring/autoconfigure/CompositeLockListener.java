package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes every event to all listeners of the application; one that fails keeps none from hearing. */
final class CompositeLockListener implements LockListener {

    private static final Logger LOG = LoggerFactory.getLogger(CompositeLockListener.class);

    private final List<LockListener> listeners;

    CompositeLockListener(List<LockListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    @Override
    public void queued(LockEvent.Queued event) {
        tell(listener -> listener.queued(event));
    }

    @Override
    public void acquired(LockEvent.Acquired event) {
        tell(listener -> listener.acquired(event));
    }

    @Override
    public void timedOut(LockEvent.TimedOut event) {
        tell(listener -> listener.timedOut(event));
    }

    @Override
    public void abandoned(LockEvent.Abandoned event) {
        tell(listener -> listener.abandoned(event));
    }

    @Override
    public void released(LockEvent.Released event) {
        tell(listener -> listener.released(event));
    }

    @Override
    public void lost(LockEvent.Lost event) {
        tell(listener -> listener.lost(event));
    }

    @Override
    public void sessionStarted(LockEvent.SessionStarted event) {
        tell(listener -> listener.sessionStarted(event));
    }

    @Override
    public void sessionLost(LockEvent.SessionLost event) {
        tell(listener -> listener.sessionLost(event));
    }

    @Override
    public void storeCallFailed(LockEvent.StoreCallFailed event) {
        tell(listener -> listener.storeCallFailed(event));
    }

    private void tell(Consumer<LockListener> event) {
        for (LockListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.warn("The lock listener {} failed", listener.getClass().getName(), e);
            }
        }
    }
}
