package io.dynamolock.spring;

import io.dynamolock.LockRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}. Nothing stays behind when a thread holds nothing. */
final class LocksOfThread {

    private final ThreadLocal<@Nullable Map<Lock, HeldByThread>> held = new ThreadLocal<>();

    @Nullable
    HeldByThread find(LockRequest request) {
        Map<Lock, HeldByThread> locks = held.get();
        return locks == null ? null : locks.get(Lock.of(request));
    }

    void add(LockRequest request, HeldByThread lock) {
        Map<Lock, HeldByThread> locks = held.get();
        if (locks == null) {
            locks = new HashMap<>();
            held.set(locks);
        }
        locks.put(Lock.of(request), lock);
    }

    void remove(LockRequest request) {
        Map<Lock, HeldByThread> locks = held.get();
        if (locks != null) {
            locks.remove(Lock.of(request));
            if (locks.isEmpty()) {
                held.remove();
            }
        }
    }

    private record Lock(String namespace, String key) {

        static Lock of(LockRequest request) {
            return new Lock(request.namespace(), request.key());
        }
    }
}
