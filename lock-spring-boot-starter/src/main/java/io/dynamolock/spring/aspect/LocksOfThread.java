package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What each thread holds through {@link io.dynamolock.spring.annotation.DynamoLocked}, in all application contexts that share a
 * registry; the innermost first.
 */
final class LocksOfThread {

    private static final ThreadLocal<Deque<HeldByThread>> HELD = ThreadLocal.withInitial(() -> new ArrayDeque<>(4));

    private LocksOfThread() {}

    static @Nullable HeldByThread find(LockId id) {
        Deque<HeldByThread> all = HELD.get();
        if (all.isEmpty()) {
            // As for most calls, which this saves an iterator.
            return null;
        }
        for (HeldByThread held : all) {
            if (!held.hasEnded() && held.id().equals(id)) {
                return held;
            }
        }
        return null;
    }

    /**
     * One more use of the lock, if this thread holds it.
     *
     * @throws IllegalStateException if it shares the lock with others, and this method wants it alone
     */
    static @Nullable UsedLock enter(WantedLock wanted, LockRegistry registry) {
        HeldByThread held = find(wanted.id(registry));
        return held != null && held.lock().enter(wanted) ? held.lock() : null;
    }

    static void add(HeldByThread lock) {
        lock.begin();
        HELD.get().removeIf(HeldByThread::hasEnded);
        HELD.get().addFirst(lock);
    }

    /** Called by another thread than that which added it, it stays there until that one takes or leaves its next lock. */
    static void remove(HeldByThread lock) {
        lock.end();
        HELD.get().removeIf(HeldByThread::hasEnded);
    }
}
