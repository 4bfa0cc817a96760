package io.dynamolock.spring.actuate;

import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/** Takes holders and waiters out of queues, and records who has tried that. Thread-safe. */
final class Evictions {

    static final String TYPE = "DYNAMOLOCK_EVICTION";

    /** So many bytes of the hash tell the locks of a table apart. */
    private static final int BYTES_OF_HASH = 8;

    private final LockRegistry locks;
    private final ApplicationEventPublisher audit;

    Evictions(LockRegistry locks, ApplicationEventPublisher audit) {
        this.locks = locks;
        this.audit = audit;
    }

    /**
     * What somebody wants given up.
     *
     * @param principal who wants it; empty if nobody knows
     * @param showKey whether the record may name the key
     */
    record Attempt(String principal, String key, String namespace, String id, boolean showKey) {}

    /**
     * @return whether the process was told
     * @throws LockStoreException if the table did not answer; the process may have been told all the same
     * @throws LockInterruptedException if this thread was interrupted; the process may have been told all the same
     */
    boolean evict(Attempt attempt) {
        String outcome = "failed";
        try {
            boolean told = locks.admin().evict(attempt.key, attempt.namespace, attempt.id);
            outcome = told ? "told" : "gone";
            return told;
        } catch (LockStoreException | LockInterruptedException unanswered) {
            outcome = "unknown";
            throw unanswered;
        } finally {
            publish(attempt, outcome);
        }
    }

    /** Who wants it may not. */
    void refuse(Attempt attempt) {
        publish(attempt, "refused");
    }

    private void publish(Attempt attempt, String outcome) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("namespace", attempt.namespace);
        data.put("id", attempt.id);
        data.put("outcome", outcome);
        if (attempt.showKey) {
            data.put("key", attempt.key);
        } else {
            data.put("keyHash", hash(attempt.namespace + "/" + attempt.key));
        }
        audit.publishEvent(new AuditApplicationEvent(attempt.principal, TYPE, data));
    }

    /** As {@code docs/operations.md} tells operators to compute it. */
    private static String hash(String lock) {
        try {
            byte[] all = MessageDigest.getInstance("SHA-256").digest(lock.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(all, 0, BYTES_OF_HASH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
