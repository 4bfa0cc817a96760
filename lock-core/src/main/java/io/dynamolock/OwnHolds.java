package io.dynamolock;

import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.Kind;
import io.dynamolock.protocol.LockKey;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each thread has acquired, so that a wait for a lock that the thread holds itself is told as that. No more than told:
 * another thread may release the handle. Thread-safe.
 */
final class OwnHolds {

    private static final Logger log = LoggerFactory.getLogger(OwnHolds.class);

    private final ThreadHolds entered;

    /** Weak, because a handle that its user dropped is to be collected. */
    private final ThreadLocal<@Nullable Handles> acquired = new ThreadLocal<>();

    OwnHolds(ThreadHolds entered) {
        this.entered = entered;
    }

    void add(LockKey key, LockHandle handle) {
        Handles handles = acquired.get();
        if (handles == null) {
            handles = new Handles();
            acquired.set(handles);
        }
        handles.add(key, handle);
    }

    /** Whether a wait of this thread for that is one for itself. */
    boolean standInTheWayOf(AcquireSpec spec) {
        Handles handles = acquired.get();
        WeakReference<LockHandle> known = handles == null ? null : handles.byKey.get(spec.key());
        ThreadHolds.Hold hold = entered.get(spec.key());
        return known != null && excludes(known.get(), spec.kind())
                || hold != null && excludes(hold.handle, spec.kind());
    }

    private static boolean excludes(@Nullable LockHandle handle, Kind wanted) {
        if (!(handle instanceof GrantHandle granted) || !granted.isValid()) {
            return false;
        }
        Kind held = granted.grant().kind();
        return held != Kind.PERMIT && wanted != Kind.PERMIT && (held != Kind.READ || wanted != Kind.READ);
    }

    void warnOfWaiting(AcquireSpec spec) {
        if (!spec.waitLimit().isZero() && standInTheWayOf(spec)) {
            log.warn(
                    "A thread asks for a lock in namespace '{}' that it holds by another handle, and waits for itself. Enter it"
                            + " again by LockRegistry.lock(), which adopts handles, or release it before.",
                    spec.key().namespace());
        }
    }

    /** Of one thread. It forgets those that are over when it has grown to twice as many as were left the last time. */
    private static final class Handles {

        private static final int FEW = 8;

        private final Map<LockKey, WeakReference<LockHandle>> byKey = new HashMap<>();
        private int bound = FEW;

        void add(LockKey key, LockHandle handle) {
            if (byKey.size() >= bound) {
                byKey.values().removeIf(known -> !isValid(known.get()));
                bound = Math.max(FEW, 2 * byKey.size());
            }
            byKey.put(key, new WeakReference<>(handle));
        }

        private static boolean isValid(@Nullable LockHandle handle) {
            return handle != null && handle.isValid();
        }
    }
}
