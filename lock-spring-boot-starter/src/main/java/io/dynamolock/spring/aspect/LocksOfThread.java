package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}, in all application contexts that share a registry. */
final class LocksOfThread {

    private static final ThreadLocal<Map<LockId, UsedLock>> HELD = ThreadLocal.withInitial(HashMap::new);

    private LocksOfThread() {}

    /**
     * One more use of the lock, if this thread holds it.
     *
     * @throws IllegalStateException if it shares the lock with others, and this method wants it alone
     */
    static @Nullable UsedLock enter(WantedLock wanted, LockRegistry registry) {
        UsedLock held = HELD.get().get(wanted.id(registry));
        return held != null && held.enter(wanted) ? held : null;
    }

    /** @return false if this thread holds it already, perhaps as a share of another call, within whose body this one has begun */
    static boolean add(LockId id, UsedLock lock) {
        Map<LockId, UsedLock> all = HELD.get();
        if (!all.isEmpty()) {
            // Rarely, so most calls save the iterator.
            all.values().removeIf(other -> !other.isHeld());
        }
        return all.putIfAbsent(id, lock) == null;
    }

    /** Called by another thread than that which added it, it stays there until that one takes its next lock. */
    static void remove(LockId id, UsedLock lock) {
        HELD.get().remove(id, lock);
    }
}
