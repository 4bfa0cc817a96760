package io.dynamolock.spring.unlocked;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each thread has entered by {@link UnlockedThreadLock}. Kept in the thread itself, so that it ends with the
 * thread.
 */
final class UnlockedThreadHolds {

    /** Empty in a thread that holds nothing. */
    @SuppressWarnings("ThreadLocalUsage") // Each registry has its own.
    private final ThreadLocal<@Nullable Map<LockId, Hold>> holdsOfThread = new ThreadLocal<>();

    /** One handle, and how often its thread has entered by it. Confined to that thread. */
    static final class Hold {

        final UnlockedHandle handle;
        /** How many {@code unlock()} are due; at least 1 until the hold is removed. */
        long count = 1;

        Hold(UnlockedHandle handle) {
            this.handle = handle;
        }
    }

    /** Of the calling thread; {@code null} if it does not hold the lock, or has released the handle by itself. */
    @Nullable
    Hold get(LockId lock) {
        Map<LockId, Hold> holds = holdsOfThread.get();
        Hold hold = holds == null ? null : holds.get(lock);
        if (hold != null && hold.handle.isReleased()) {
            remove(lock);
            return null;
        }
        return hold;
    }

    void put(LockId lock, Hold hold) {
        Map<LockId, Hold> holds = holdsOfThread.get();
        if (holds == null) {
            holds = new HashMap<>();
            holdsOfThread.set(holds);
        }
        holds.values().removeIf(other -> other.handle.isReleased());
        holds.put(lock, hold);
    }

    void remove(LockId lock) {
        Map<LockId, Hold> holds = holdsOfThread.get();
        if (holds != null && holds.remove(lock) != null && holds.isEmpty()) {
            holdsOfThread.remove();
        }
    }
}
