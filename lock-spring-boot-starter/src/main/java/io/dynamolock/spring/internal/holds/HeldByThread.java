package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The locks that each thread holds through {@link DynamoLocked}, in all application contexts that share a registry. */
public final class HeldByThread {

    private static final ThreadLocal<Map<LockId, HeldLock>> HELD = ThreadLocal.withInitial(HashMap::new);

    private HeldByThread() {}

    /**
     * Adds one user to the lock if this thread holds it; else returns null.
     *
     * @throws IllegalStateException if the thread shares the lock with others and the method wants it exclusively
     */
    public static @Nullable HeldLock enter(WantedLock wanted, LockRegistry registry) {
        HeldLock held = HELD.get().get(LockId.of(registry, wanted.request()));
        return held != null && held.enter(wanted) ? held : null;
    }

    /** @return false if this thread holds the lock already, perhaps shared, through an outer call */
    static boolean add(LockId id, HeldLock lock) {
        Map<LockId, HeldLock> locks = HELD.get();
        if (!locks.isEmpty()) {
            // Checked first, because the map is mostly empty, and then no iterator is made.
            locks.values().removeIf(other -> !other.isHeld());
        }
        return locks.putIfAbsent(id, lock) == null;
    }

    /**
     * Removes the lock from this thread. Called on another thread than the one that added the lock, it does nothing:
     * the entry stays until the adding thread takes its next lock.
     */
    static void remove(LockId id, HeldLock lock) {
        HELD.get().remove(id, lock);
    }
}
