package io.dynamolock.internal;

import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.text.SafeText;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Releases the grants of handles that were garbage collected without being closed. Thread-safe. */
final class DroppedHandles {

    private static final Logger log = LoggerFactory.getLogger(DroppedHandles.class);

    /** One thread for all registries, started with the first of them. */
    private static final Cleaner CLEANER = Cleaner.create();

    private DroppedHandles() {}

    /** Starts that thread: without room for it, no registry is better than one that can hand out no lock. */
    static void start() {
        // The thread starts when this class is loaded.
    }

    /**
     * @param use what has become of the handle
     * @param told when the handle was dropped; must not know it
     */
    static Cleaner.Cleanable watch(
            GrantHandle handle, Grant grant, AtomicReference<GrantHandle.Use> use, Runnable told) {
        return CLEANER.register(handle, new Release(grant, use, told));
    }

    /** Knows everything but the handle. */
    private record Release(Grant grant, AtomicReference<GrantHandle.Use> use, Runnable told) implements Runnable {

        @Override
        public void run() {
            if (use.compareAndSet(GrantHandle.Use.HELD, GrantHandle.Use.RELEASED)) {
                boolean wasHeld = grant.isValid();
                grant.release();
                // A lock that was lost, or whose registry is closed, needs nobody to release it.
                if (wasHeld) {
                    log.warn(
                            "A lock handle in namespace {} (fencing token {}) was dropped without being closed; the lock is"
                                    + " released now. Close every handle, best with try-with-resources.",
                            SafeText.quote(grant.key().namespace()),
                            grant.ticket());
                    log.debug(
                            "The dropped handle was for key {}",
                            SafeText.quote(grant.key().key()));
                }
                told.run();
            }
        }
    }
}
