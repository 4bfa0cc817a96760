package io.dynamolock.spring;

import io.dynamolock.LockRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}. */
final class LocksOfThread {

    private final ThreadLocal<@Nullable Map<Lock, HeldByThread>> held = new ThreadLocal<>();

    @Nullable
    HeldByThread find(LockRequest request) {
        Map<Lock, HeldByThread> locks = held.get();
        HeldByThread lock = locks == null ? null : locks.get(Lock.of(request));
        return lock == null || lock.hasEnded() ? null : lock;
    }

    void add(LockRequest request, HeldByThread lock) {
        Map<Lock, HeldByThread> locks = held.get();
        if (locks == null) {
            locks = new HashMap<>();
            held.set(locks);
        }
        locks.values().removeIf(HeldByThread::hasEnded);
        locks.put(Lock.of(request), lock);
    }

    /** Called by another thread than that which added it, it stays there until that one takes its next lock. */
    void remove(LockRequest request, HeldByThread lock) {
        lock.end();
        Map<Lock, HeldByThread> locks = held.get();
        if (locks != null) {
            locks.remove(Lock.of(request), lock);
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
