package io.dynamolock.spring.unlocked;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks that each thread has entered through {@link UnlockedThreadLock}. Kept in a thread-local, so that they
 * disappear with the thread.
 */
final class UnlockedThreadHolds {

    /** Null in a thread that holds nothing. */
    @SuppressWarnings("ThreadLocalUsage") // Not static, because each registry has its own.
    private final ThreadLocal<@Nullable Map<UnlockedLockId, Hold>> holdsOfThread = new ThreadLocal<>();

    /** A handle, and how often its thread has entered. Confined to that thread. */
    static final class Hold {

        final UnlockedHandle handle;
        /** Number of {@code unlock()} calls still to come; at least 1 until the hold is removed. */
        long count = 1;

        Hold(UnlockedHandle handle) {
            this.handle = handle;
        }
    }

    /** The hold of the calling thread; null if it does not hold the lock, or has released the handle directly. */
    @Nullable
    Hold get(UnlockedLockId lock) {
        Map<UnlockedLockId, Hold> holds = holdsOfThread.get();
        Hold hold = holds == null ? null : holds.get(lock);
        if (hold != null && hold.handle.isReleased()) {
            remove(lock);
            return null;
        }
        return hold;
    }

    void put(UnlockedLockId lock, Hold hold) {
        Map<UnlockedLockId, Hold> holds = holdsOfThread.get();
        if (holds == null) {
            holds = new HashMap<>();
            holdsOfThread.set(holds);
        }
        holds.values().removeIf(other -> other.handle.isReleased());
        holds.put(lock, hold);
    }

    void remove(UnlockedLockId lock) {
        Map<UnlockedLockId, Hold> holds = holdsOfThread.get();
        if (holds != null && holds.remove(lock) != null && holds.isEmpty()) {
            holdsOfThread.remove();
        }
    }
}
