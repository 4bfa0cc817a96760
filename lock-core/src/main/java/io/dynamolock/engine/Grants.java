package io.dynamolock.engine;

import io.dynamolock.internal.protocol.LockKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The grants of this process that are neither released nor lost. Thread-safe. */
final class Grants {

    private static final Logger log = LoggerFactory.getLogger(Grants.class);

    private static final long NOBODY = 0;

    /** By lock, and with the thread that was noted for each. */
    private final Map<LockKey, Map<GrantedLock, Long>> active = new ConcurrentHashMap<>();

    private final Executor callbacks;
    private final AtomicBoolean closed = new AtomicBoolean();

    Grants(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void add(GrantedLock grant) {
        put(grant, NOBODY);
    }

    /** Its owner goes on by another. */
    void goesOn(GrantedLock grant, GrantedLock next) {
        Long thread = active.getOrDefault(grant.key(), Map.of()).get(grant);
        put(next, thread == null ? NOBODY : thread);
        remove(grant);
    }

    private void put(GrantedLock grant, long thread) {
        active.compute(grant.key(), (key, present) -> {
            Map<GrantedLock, Long> ofLock = present == null ? new ConcurrentHashMap<>(1) : present;
            ofLock.put(grant, thread);
            return ofLock;
        });
    }

    boolean knows(Grant grant) {
        return active.getOrDefault(grant.key(), Map.of()).containsKey(grant);
    }

    /** Notes the thread for it, if it is active. */
    void note(Grant grant, long thread) {
        Map<GrantedLock, Long> ofLock = active.get(grant.key());
        if (ofLock != null && grant instanceof GrantedLock own) {
            ofLock.replace(own, thread);
        }
    }

    /** The valid ones of a lock for which this thread was noted. */
    List<Grant> notedFor(long thread, LockKey key) {
        List<Grant> found = new ArrayList<>(0);
        active.getOrDefault(key, Map.of()).forEach((grant, noted) -> {
            if (noted == thread && grant.isValid()) {
                found.add(grant);
            }
        });
        return found;
    }

    void remove(GrantedLock grant) {
        active.computeIfPresent(grant.key(), (key, ofLock) -> {
            ofLock.remove(grant);
            return ofLock.isEmpty() ? null : ofLock;
        });
    }

    /** The valid ones, longest held first. */
    List<Grant> held() {
        return active.values().stream()
                .flatMap(ofLock -> ofLock.keySet().stream())
                .filter(Grant::isValid)
                .sorted(Comparator.comparing(Grant::since))
                .map(Grant.class::cast)
                .toList();
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
