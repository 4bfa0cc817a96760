package io.dynamolock.spring.autoconfigure.actuate;

import io.dynamolock.LockRegistry;
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
     */
    boolean evict(String principal, String key, String namespace, String id, boolean showKey) {
        boolean told = locks.evict(key, namespace, id);
        if (told) {
            Map<String, @Nullable Object> data = new LinkedHashMap<>();
            if (showKey) {
                data.put("key", key);
            }
            data.put("namespace", namespace);
            data.put("id", id);
            audit.publishEvent(new AuditApplicationEvent(principal, TYPE, data));
        }
        return told;
    }
}
