package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}, in all application contexts that share a registry. */
final class LocksOfThread {

    private static final ThreadLocal<@Nullable Map<Lock, HeldByThread>> HELD = new ThreadLocal<>();

    private LocksOfThread() {}

    static @Nullable HeldByThread find(LockRegistry registry, LockRequest request) {
        Map<Lock, HeldByThread> locks = HELD.get();
        HeldByThread lock = locks == null ? null : locks.get(Lock.of(registry, request));
        return lock == null || lock.hasEnded() ? null : lock;
    }

    static void add(LockRegistry registry, LockRequest request, HeldByThread lock) {
        Map<Lock, HeldByThread> locks = HELD.get();
        if (locks == null) {
            locks = new HashMap<>();
            HELD.set(locks);
        }
        locks.values().removeIf(HeldByThread::hasEnded);
        locks.put(Lock.of(registry, request), lock);
    }

    /** Called by another thread than that which added it, it stays there until that one takes its next lock. */
    static void remove(LockRegistry registry, LockRequest request, HeldByThread lock) {
        lock.end();
        Map<Lock, HeldByThread> locks = HELD.get();
        if (locks != null) {
            locks.remove(Lock.of(registry, request), lock);
            if (locks.isEmpty()) {
                HELD.remove();
            }
        }
    }

    private record Lock(LockRegistry registry, String namespace, String key) {

        static Lock of(LockRegistry registry, LockRequest request) {
            return new Lock(registry, request.namespace(), request.key());
        }
    }
}
