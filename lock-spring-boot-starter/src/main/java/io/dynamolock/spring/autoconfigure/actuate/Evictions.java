package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Takes holders and waiters out of queues, and records who has done so. Thread-safe. */
final class Evictions {

    static final String TYPE = "DYNAMO_LOCK_EVICTED";

    private final LockRegistry locks;
    private final ApplicationEventPublisher audit;

    Evictions(LockRegistry locks, ApplicationEventPublisher audit) {
        this.locks = locks;
        this.audit = audit;
    }

    /**
     * @param principal who wants it; empty if nobody knows
     * @param showKey whether the record may name the key
     * @return whether the process was told
     * @throws LockStoreException if the table did not answer; the process may have been told all the same
     * @throws LockInterruptedException if this thread was interrupted; the process may have been told all the same
     */
    boolean evict(String principal, String key, String namespace, String id, boolean showKey) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        if (showKey) {
            data.put("key", key);
        }
        data.put("namespace", namespace);
        data.put("id", id);
        boolean told;
        try {
            told = locks.evict(key, namespace, id);
        } catch (LockStoreException | LockInterruptedException unanswered) {
            data.put("outcome", "unknown");
            audit.publishEvent(new AuditApplicationEvent(principal, TYPE, data));
            throw unanswered;
        }
        if (told) {
            audit.publishEvent(new AuditApplicationEvent(principal, TYPE, data));
        }
        return told;
    }
}
