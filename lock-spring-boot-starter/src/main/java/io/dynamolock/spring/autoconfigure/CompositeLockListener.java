package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockEvent;
import io.dynamolock.LockListener;
import java.util.List;
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
    public void heard(LockEvent event) {
        for (LockListener listener : listeners) {
            try {
                listener.heard(event);
            } catch (RuntimeException e) {
                LOG.warn("The lock listener {} failed", listener.getClass().getName(), e);
            }
        }
    }
}
