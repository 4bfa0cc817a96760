package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/**
 * What each thread holds through {@link DynamoLocked}, in all application contexts that share a registry: a chain, the innermost
 * first, as a thread rarely holds more than a few.
 */
final class LocksOfThread {

    private static final ThreadLocal<@Nullable HeldByThread> INNERMOST = new ThreadLocal<>();

    private LocksOfThread() {}

    static @Nullable HeldByThread find(LockId id) {
        HeldByThread held = INNERMOST.get();
        while (held != null && (held.hasEnded() || !held.id().equals(id))) {
            held = held.outer();
        }
        return held;
    }

    static @Nullable UsedLock findUsed(LockId id) {
        HeldByThread held = find(id);
        return held == null ? null : held.lock();
    }

    static void add(HeldByThread lock) {
        lock.begin(withoutEnded(INNERMOST.get()));
        INNERMOST.set(lock);
    }

    /** Called by another thread than that which added it, it stays there until that one takes or leaves its next lock. */
    static void remove(HeldByThread lock) {
        lock.end();
        HeldByThread innermost = withoutEnded(INNERMOST.get());
        if (innermost == null) {
            INNERMOST.remove();
        } else {
            INNERMOST.set(innermost);
        }
    }

    private static @Nullable HeldByThread withoutEnded(@Nullable HeldByThread innermost) {
        HeldByThread first = firstNotEnded(innermost);
        for (HeldByThread held = first; held != null; held = held.outer()) {
            held.setOuter(firstNotEnded(held.outer()));
        }
        return first;
    }

    private static @Nullable HeldByThread firstNotEnded(@Nullable HeldByThread held) {
        HeldByThread next = held;
        while (next != null && next.hasEnded()) {
            next = next.outer();
        }
        return next;
    }
}
