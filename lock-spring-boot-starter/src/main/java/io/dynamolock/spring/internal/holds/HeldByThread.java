package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each thread holds through {@link DynamoLocked}, in all application contexts that share a registry. */
public final class HeldByThread {

    private static final ThreadLocal<Map<LockId, HeldLock>> HELD = ThreadLocal.withInitial(HashMap::new);

    private HeldByThread() {}

    /**
     * One more use of the lock, if this thread holds it.
     *
     * @throws IllegalStateException if it shares the lock with others, and this method wants it alone
     */
    public static @Nullable HeldLock enter(WantedLock wanted, LockRegistry registry) {
        HeldLock held = HELD.get().get(LockId.of(registry, wanted.request()));
        return held != null && held.enter(wanted) ? held : null;
    }

    /** @return false if this thread holds it already, perhaps as a share of another call, within whose body this one has begun */
    static boolean add(LockId id, HeldLock lock) {
        Map<LockId, HeldLock> all = HELD.get();
        if (!all.isEmpty()) {
            // Rarely, so most calls save the iterator.
            all.values().removeIf(other -> !other.isHeld());
        }
        return all.putIfAbsent(id, lock) == null;
    }

    /** Called by another thread than that which added it, it stays there until that one takes its next lock. */
    static void remove(LockId id, HeldLock lock) {
        HELD.get().remove(id, lock);
    }
}
