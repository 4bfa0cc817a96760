package io.dynamolock;

import io.dynamolock.internal.engine.Grant;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whom a handle tells that its lock is lost or about to be. Known by the handle alone: the grant must not know it, for the
 * callbacks may know the handle. Thread-safe.
 */
final class HandleCallbacks {

    private final Grant grant;
    private final RegistryThreads.Tellers tellers;

    private final Object monitor = new Object();
    private final List<Runnable> callbacks = new ArrayList<>();
    private final List<Runnable> warnings = new ArrayList<>(0);
    /** Known by what the grant knows; the callbacks are not. */
    private final AtomicBoolean over = new AtomicBoolean();

    private boolean listening;
    private boolean lost;

    HandleCallbacks(Grant grant, RegistryThreads.Tellers tellers) {
        this.grant = grant;
        this.tellers = tellers;
    }

    void onExpiring(Duration before, Runnable callback) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(callback, "callback");
        synchronized (monitor) {
            warnings.add(callback);
        }
        // As with losses, the engine must not know what may know the handle.
        WeakReference<Runnable> weak = new WeakReference<>(callback);
        Executor teller = tellers.losses();
        AtomicBoolean isOver = over;
        grant.onExpiring(before, () -> {
            Runnable known = weak.get();
            if (known != null && !isOver.get()) {
                teller.execute(GuardedCallback.of(known));
            }
        });
    }

    void onLost(Runnable callback) {
        Objects.requireNonNull(callback, "callback");
        boolean listen;
        synchronized (monitor) {
            if (lost) {
                listen = false;
                tellers.losses().execute(GuardedCallback.of(callback));
            } else {
                callbacks.add(callback);
                listen = !listening;
                listening = true;
            }
        }
        if (listen) {
            WeakReference<HandleCallbacks> self = new WeakReference<>(this);
            grant.onLost(() -> {
                HandleCallbacks known = self.get();
                if (known != null && !known.over.get()) {
                    known.lost();
                }
            });
        }
    }

    /** The lock is lost: tells those who want to know, and whoever wants to know from now on. */
    void lost() {
        List<Runnable> toCall;
        synchronized (monitor) {
            lost = true;
            toCall = List.copyOf(callbacks);
            callbacks.clear();
        }
        toCall.forEach(callback -> tellers.losses().execute(GuardedCallback.of(callback)));
    }

    /** The grant goes on by another handle: nothing more is told. */
    void end() {
        over.set(true);
    }

    /** Whether they were told that the lock is lost. */
    boolean knowOfLoss() {
        synchronized (monitor) {
            return lost;
        }
    }
}
