package io.dynamolock.engine;

import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The grants of this process that are neither released nor lost. Thread-safe. */
final class Grants {

    private static final Logger log = LoggerFactory.getLogger(Grants.class);

    private final Set<GrantedLock> active = ConcurrentHashMap.newKeySet();
    private final Executor callbacks;
    private final AtomicBoolean closed = new AtomicBoolean();

    Grants(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void add(GrantedLock grant) {
        active.add(grant);
    }

    void remove(GrantedLock grant) {
        active.remove(grant);
    }

    Collection<GrantedLock> active() {
        return active;
    }

    /** From now on no grant is valid; false if that was so before. */
    boolean close() {
        return closed.compareAndSet(false, true);
    }

    boolean isClosed() {
        return closed.get();
    }

    /** Runs the callback of an owner where news of losses are told. */
    void tell(Runnable callback) {
        callbacks.execute(() -> {
            try {
                callback.run();
            } catch (RuntimeException e) {
                log.error("A callback for a lock failed; that changes nothing for the lock", e);
            }
        });
    }
}
