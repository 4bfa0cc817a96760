package io.dynamolock;

import io.dynamolock.protocol.LockKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each thread holds through {@link LockRegistry#lock(String)}. Kept in the thread itself, so that it ends with the
 * thread, whose dropped handles are then released; a thread that holds nothing has nothing of it.
 */
final class ThreadHolds {

    private final ThreadLocal<@Nullable Map<LockKey, Hold>> ofThread = new ThreadLocal<>();

    @Nullable
    Hold get(LockKey key) {
        Map<LockKey, Hold> holds = ofThread.get();
        return holds == null ? null : holds.get(key);
    }

    /** @return what was there before */
    @Nullable
    Hold put(LockKey key, Hold hold) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds == null) {
            holds = new HashMap<>();
            ofThread.set(holds);
        }
        return holds.put(key, hold);
    }

    void remove(LockKey key) {
        Map<LockKey, Hold> holds = ofThread.get();
        if (holds != null && holds.remove(key) != null && holds.isEmpty()) {
            ofThread.remove();
        }
    }

    /** Whether this thread holds nothing and nothing is left in it. */
    boolean isEmpty() {
        return ofThread.get() == null;
    }

    /** One grant and how often its thread has entered it. Confined to that thread. */
    static final class Hold {

        final GrantHandle handle;
        private long count = 1;
        private boolean lossReported;

        Hold(GrantHandle handle) {
            this.handle = handle;
        }

        void enterAgain() {
            // Never overflows: at a billion a second it would take centuries.
            count++;
        }

        /** @return whether that was the last time */
        boolean leave() {
            return --count == 0;
        }

        /** @return whether the thread was told before that this hold is lost */
        boolean reportLoss() {
            boolean before = lossReported;
            lossReported = true;
            return before;
        }
    }
}
