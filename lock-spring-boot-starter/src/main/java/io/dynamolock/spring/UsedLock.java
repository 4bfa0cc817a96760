package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.text.SafeText;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A grant and the work that goes on under it, on whatever threads: the last to leave releases it. Thread-safe. */
final class UsedLock {

    private static final Logger LOG = LoggerFactory.getLogger(UsedLock.class);

    private final LockHandle handle;
    private final LockMode mode;
    private final AtomicInteger users = new AtomicInteger(1);
    private final AtomicReference<@Nullable Set<Runnable>> minding = new AtomicReference<>();

    /** Whether any of the methods minds a loss. */
    private volatile boolean lossMatters;

    /** With one user. */
    UsedLock(LockHandle handle, LockMode mode) {
        this.handle = handle;
        this.mode = mode;
    }

    LockHandle handle() {
        return handle;
    }

    /** @throws IllegalStateException if a method under a shared lock calls one that wants it alone */
    void ensureCovers(LockRequest inner, String method) {
        if (mode == LockMode.SHARED && inner.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException(
                    "@DynamoLocked on " + method + " wants the lock " + SafeText.quote(inner.key())
                            + " in namespace " + SafeText.quote(inner.namespace())
                            + " for itself alone, but its caller shares it already and"
                            + " would wait for itself. Take the lock exclusively in the outer method, or call this one after"
                            + " it.");
        }
    }

    /** One more user. @return false if the last has left already, and the lock with it */
    boolean enter() {
        return users.getAndUpdate(before -> before == 0 ? 0 : before + 1) != 0;
    }

    /** Waits for the release, if this was the last user. */
    void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                handle.close();
            } catch (RuntimeException e) {
                warn(e);
            }
        }
    }

    /** As {@link #leave()}; completes when the lock is released, if it is, and never exceptionally. */
    CompletableFuture<Boolean> leaveAsync() {
        if (users.decrementAndGet() > 0) {
            return CompletableFuture.completedFuture(true);
        }
        try {
            return handle.releaseAsync();
        } catch (RuntimeException e) {
            warn(e);
            return CompletableFuture.completedFuture(false);
        }
    }

    /** The work is done, and the registry goes on trying: a release that fails must not hide the result. */
    private void warn(RuntimeException e) {
        LOG.warn("The release of a lock in namespace {} failed", SafeText.quote(handle.namespace()), e);
    }

    /**
     * Has the callback called when the lock is lost, also if it is lost already, and perhaps more than once. The handle would keep
     * it to the end of the hold; this forgets it when told.
     */
    void onLost(Runnable callback) {
        Set<Runnable> first = ConcurrentHashMap.newKeySet();
        first.add(callback);
        if (minding.compareAndSet(null, first)) {
            handle.onLost(() -> first.forEach(this::tell));
            return;
        }
        Objects.requireNonNull(minding.get()).add(callback);
        if (!handle.isValid()) {
            callback.run();
        }
    }

    /** One that fails must not keep the loss from the others. */
    private void tell(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            LOG.warn(
                    "What was to end with a lost lock in namespace {} failed to",
                    SafeText.quote(handle.namespace()),
                    e);
        }
    }

    void forget(Runnable callback) {
        Set<Runnable> known = minding.get();
        if (known != null) {
            known.remove(callback);
        }
    }

    void work(OnLost onLost) {
        if (onLost != OnLost.IGNORE) {
            lossMatters = true;
        }
    }

    /** @throws LockLostException if the lock is lost, and a method under it minds; not if it was released */
    void ensureCommitIsSafe() {
        if (lossMatters && users.get() > 0) {
            handle.ensureValid();
        }
    }

    @Nullable
    LockLostException loss() {
        try {
            handle.ensureValid();
            return null;
        } catch (LockLostException loss) {
            return loss;
        }
    }
}
