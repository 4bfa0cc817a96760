package io.dynamolock.internal.registry;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.protocol.LockKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each thread holds through {@link LockRegistry#lock(LockRequest)}. Kept in a thread-local, so that it goes with
 * the thread, and the handles of a dead thread are released as dropped ones. A thread that holds nothing has no entry.
 */
final class ThreadHolds {

    /** The holds of the current thread by lock; null if it has none. */
    @SuppressWarnings("ThreadLocalUsage") // One for each registry.
    final ThreadLocal<@Nullable Map<LockKey, Hold>> ofThread = new ThreadLocal<>();

    @Nullable
    Hold get(LockKey key) {
        Map<LockKey, Hold> holds = ofThread.get();
        Hold hold = holds == null ? null : holds.get(key);
        if (hold != null && hold.isOver()) {
            remove(key);
            return null;
        }
        return hold;
    }

    /** @return the hold that was there before */
    @Nullable
    Hold put(LockKey key, Hold hold) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds == null) {
            holds = new HashMap<>();
            ofThread.set(holds);
        }
        // Other threads may have released handles that this thread has adopted.
        holds.values().removeIf(Hold::isOver);
        return holds.put(key, hold);
    }

    void remove(LockKey key) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds != null && holds.remove(key) != null && holds.isEmpty()) {
            ofThread.remove();
        }
    }

    /** A thread's hold on one lock. Confined to that thread. */
    static final class Hold {

        final GrantHandle handle;

        /** How often the thread has entered the lock and not left it. */
        private long count = 1;

        /** Whether a {@code tryLock} has told the thread that this hold is lost. */
        private boolean lossReported;

        Hold(GrantHandle handle) {
            this.handle = handle;
        }

        /** Whether the lock was released, by this handle or by another handle of the same grant. */
        private boolean isOver() {
            return handle.isReleased()
                    || !handle.isValid() && handle.grant().loss().isEmpty();
        }

        /** Whether a thread with this hold may enter the lock again in this way. */
        boolean covers(Kind wanted) {
            // Asked each time, because a writer may have become a reader.
            Kind kind = handle.grant().kind();
            return kind == wanted || kind.isAlone();
        }

        void enterAgain() {
            // Never overflows: at a billion a second it would take centuries.
            count++;
        }

        /** @return whether the thread has left the lock as often as it had entered it */
        boolean leave() {
            count--;
            boolean isLast = count == 0;
            if (isLast) {
                handle.setLockedBy(null);
            }
            return isLast;
        }

        long count() {
            return count;
        }

        /** @return whether the loss of this hold was reported before */
        boolean reportLoss() {
            boolean wasReported = lossReported;
            lossReported = true;
            return wasReported;
        }
    }
}
