package io.dynamolock.spring;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}, in all application contexts that share a registry. */
final class LocksOfThread {

    private static final ThreadLocal<@Nullable Map<LockId, HeldByThread>> HELD = new ThreadLocal<>();

    private LocksOfThread() {}

    static @Nullable HeldByThread find(LockId id) {
        Map<LockId, HeldByThread> locks = HELD.get();
        HeldByThread lock = locks == null ? null : locks.get(id);
        return lock == null || lock.hasEnded() ? null : lock;
    }

    static @Nullable UsedLock findUsed(LockId id) {
        HeldByThread held = find(id);
        return held == null ? null : held.lock();
    }

    static void add(LockId id, HeldByThread lock) {
        lock.begin();
        Map<LockId, HeldByThread> locks = HELD.get();
        if (locks == null) {
            locks = new HashMap<>();
            HELD.set(locks);
        }
        locks.values().removeIf(HeldByThread::hasEnded);
        locks.put(id, lock);
    }

    /** Called by another thread than that which added it, it stays there until that one takes its next lock. */
    static void remove(LockId id, HeldByThread lock) {
        lock.end();
        Map<LockId, HeldByThread> locks = HELD.get();
        if (locks != null) {
            locks.remove(id, lock);
            if (locks.isEmpty()) {
                HELD.remove();
            }
        }
    }
}
