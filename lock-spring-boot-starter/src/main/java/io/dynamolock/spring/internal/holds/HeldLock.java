package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A grant and the work that goes on under it, on whatever threads: the last to leave releases it. Thread-safe. */
public final class HeldLock {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    private final LockHandle handle;
    private final LockMode mode;

    /** By which a thread had the lock before any method; none if the handle itself is to be released. */
    private final @Nullable ThreadLock ofThread;

    private final AtomicInteger users = new AtomicInteger(1);

    /** Told of a loss, by the one callback that the handle has. */
    private final List<Runnable> minding = new CopyOnWriteArrayList<>();

    private volatile boolean lossMatters;

    /** With one user. */
    public HeldLock(LockHandle handle, LockMode mode, @Nullable ThreadLock ofThread) {
        this.handle = handle;
        this.mode = mode;
        this.ofThread = ofThread;
    }

    public LockHandle handle() {
        return handle;
    }

    /** Whether nobody has released it, who may have lost it. */
    boolean isHeld() {
        return ofThread == null ? users.get() > 0 : ofThread.handle().orElse(null) == handle;
    }

    /** One more user. @return false if the last has left already, and the lock with it */
    public boolean enter() {
        return users.getAndUpdate(before -> before == 0 ? 0 : before + 1) != 0;
    }

    /**
     * One more user.
     *
     * @return false if the last has left already, and the lock with it
     * @throws IllegalStateException if a method under a shared lock calls one that wants it alone
     */
    public boolean enter(WantedLock inner) {
        LockRequest wanted = inner.request();
        if (isHeld() && mode == LockMode.SHARED && wanted.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException("@DynamoLocked on " + inner.method().description() + " wants the lock "
                    + SafeText.quote(wanted.key())
                    + " in namespace " + SafeText.quote(wanted.namespace())
                    + " for itself alone, but its caller shares it already and"
                    + " would wait for itself. Take the lock exclusively in the outer method, or call this one after"
                    + " it.");
        }
        return enter();
    }

    /** Waits for the release, if this was the last user. */
    public void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                if (ofThread == null) {
                    handle.close();
                } else {
                    ofThread.unlock();
                }
            } catch (LockLostException lost) {
                // The method tells its caller, if that minds.
            } catch (RuntimeException e) {
                warn("The release of a lock in namespace {} failed", e);
            }
        }
    }

    /** As {@link #leave()}; completes when the lock is released, if it is, and never exceptionally. */
    public CompletableFuture<Boolean> leaveAsync() {
        if (users.decrementAndGet() == 0) {
            try {
                return handle.releaseAsync();
            } catch (RuntimeException e) {
                warn("The release of a lock in namespace {} failed", e);
            }
        }
        return CompletableFuture.completedFuture(true);
    }

    /** The work is done, and the registry goes on trying to release: a failure must not hide the result. */
    private void warn(String message, RuntimeException e) {
        LOG.warn(message, SafeText.quote(handle.namespace()), e);
    }

    /**
     * Has the callback called when the lock is lost, also if it is lost already, and perhaps more than once. The handle would keep
     * it to the end of the hold; this forgets it when told.
     */
    public void onLost(Runnable callback) {
        minding.add(callback);
        if (!lossMatters) {
            lossMatters = true;
            handle.onLost(() -> minding.forEach(this::tell));
        } else if (!handle.isValid()) {
            callback.run();
        }
    }

    /** One that fails must not keep the loss from the others. */
    private void tell(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            warn("What was to end with a lost lock in namespace {} failed to", e);
        }
    }

    public void forget(Runnable callback) {
        minding.remove(callback);
    }

    /** @throws LockLostException if the lock is lost; not if it was released, because who did that meant it */
    public void ensureCommitIsSafe() {
        if (isHeld()) {
            handle.ensureValid();
        }
    }

    @Nullable
    public LockLostException loss() {
        try {
            handle.ensureValid();
            return null;
        } catch (LockLostException loss) {
            return loss;
        }
    }
}
