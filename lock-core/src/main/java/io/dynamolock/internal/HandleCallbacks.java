package io.dynamolock.internal;

import io.dynamolock.internal.engine.Grant;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom a handle tells that its lock is lost or about to be. Known by the handle alone: the grant must not know it, for the
 * callbacks may know the handle. Thread-safe.
 */
final class HandleCallbacks {

    private static final Logger log = LoggerFactory.getLogger(HandleCallbacks.class);

    private final Grant grant;
    private final Executor teller;

    /** As long as the handle is there, so are they. */
    private final Collection<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    /** Known by what the grant knows; the callbacks are not. */
    private final AtomicBoolean over = new AtomicBoolean();

    HandleCallbacks(Grant grant, Executor teller) {
        this.grant = grant;
        this.teller = teller;
    }

    void onExpiring(Duration before, Runnable callback) {
        Objects.requireNonNull(before, "before");
        grant.onExpiring(before, weakly(callback));
    }

    void onLost(Runnable callback) {
        grant.onLost(weakly(callback));
    }

    /** What the grant may know. */
    private Runnable weakly(Runnable callback) {
        callbacks.add(Objects.requireNonNull(callback, "callback"));
        return weakly(new WeakReference<>(callback), teller, over);
    }

    private static Runnable weakly(WeakReference<Runnable> callback, Executor teller, AtomicBoolean over) {
        return () -> {
            Runnable known = callback.get();
            if (known != null && !over.get()) {
                teller.execute(() -> tell(known));
            }
        };
    }

    private static void tell(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            log.error("A callback for a lost lock failed", e);
        }
    }

    /** The grant goes on by another handle: nothing more is told. */
    void end() {
        over.set(true);
    }
}
