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
 * What each thread holds through {@link LockRegistry#lock(LockRequest)}. Kept in the thread itself, so that it ends with the
 * thread, whose dropped handles are then released; a thread that holds nothing has nothing of it.
 */
final class ThreadHolds {

    @SuppressWarnings("ThreadLocalUsage") // Each registry has its own.
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

    /** @return what was there before */
    @Nullable
    Hold put(LockKey key, Hold hold) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds == null) {
            holds = new HashMap<>();
            ofThread.set(holds);
        }
        // Other threads may have given back what this one has adopted.
        holds.values().removeIf(Hold::isOver);
        return holds.put(key, hold);
    }

    void remove(LockKey key) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds != null && holds.remove(key) != null && holds.isEmpty()) {
            ofThread.remove();
        }
    }

    /** One grant and how often its thread has entered it. Confined to that thread. */
    static final class Hold {

        final GrantHandle handle;
        private long count = 1;
        private boolean lossReported;

        Hold(GrantHandle handle) {
            this.handle = handle;
        }

        /** Whether it was given back, by its handle or without it. */
        private boolean isOver() {
            return handle.isReleased()
                    || !handle.isValid() && handle.grant().loss().isEmpty();
        }

        /** Whether a thread that has this needs nothing more to hold the lock in that way. */
        boolean covers(Kind wanted) {
            // A writer may have become a reader.
            Kind kind = handle.grant().kind();
            return kind == wanted || kind.isAlone();
        }

        void enterAgain() {
            // Never overflows: at a billion a second it would take centuries.
            count++;
        }

        /** @return whether that was the last time */
        boolean leave() {
            boolean isLast = --count == 0;
            if (isLast) {
                handle.setLockedBy(null);
            }
            return isLast;
        }

        long count() {
            return count;
        }

        /** @return whether the thread was told before that this hold is lost */
        boolean reportLoss() {
            boolean before = lossReported;
            lossReported = true;
            return before;
        }
    }
}
