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

/**
 * A granted lock with the number of its users: calls that go on under it, on whatever threads. The last to leave
 * releases it. Thread-safe.
 */
public final class HeldLock {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    private final LockHandle handle;
    private final LockMode mode;

    /**
     * The lock as its thread took it from the registry before any locked method; null if a method has taken it, whose
     * handle is to be released.
     */
    private final @Nullable ThreadLock ofThread;

    private final AtomicInteger users = new AtomicInteger(1);

    /** Callbacks for a loss. The handle knows only one callback of this object, which calls them all. */
    private final List<Runnable> lossCallbacks = new CopyOnWriteArrayList<>();

    private volatile boolean listensToHandle;

    /** A lock with one user. */
    public HeldLock(LockHandle handle, LockMode mode, @Nullable ThreadLock ofThread) {
        this.handle = handle;
        this.mode = mode;
        this.ofThread = ofThread;
    }

    public LockHandle handle() {
        return handle;
    }

    /** Whether nobody has released the lock. It may have been lost. */
    boolean isHeld() {
        return ofThread == null ? users.get() > 0 : ofThread.handle().orElse(null) == handle;
    }

    /**
     * Adds a user.
     *
     * @return false if the last user has left, so that the lock is released
     */
    public boolean enter() {
        return users.getAndUpdate(before -> before == 0 ? 0 : before + 1) != 0;
    }

    /**
     * Adds a user, as part of a call that wants the lock.
     *
     * @return false if the last user has left, so that the lock is released
     * @throws IllegalStateException if a method
     *     under a shared lock calls one that wants it exclusively
     */
    public boolean enter(WantedLock inner) {
        LockRequest wanted = inner.request();
        if (isHeld() && mode == LockMode.SHARED && wanted.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException(
                    "@DynamoLocked on " + inner.declaration().description() + " wants the lock "
                            + SafeText.quote(wanted.key())
                            + " in namespace " + SafeText.quote(wanted.namespace())
                            + " for itself alone, but its caller shares it already and"
                            + " would wait for itself. Take the lock exclusively in the outer method, or call this one after"
                            + " it.");
        }
        return enter();
    }

    /** Removes a user. If it was the last, releases the lock and waits for that. */
    public void leave() {
        if (users.decrementAndGet() == 0) {
            try {
                if (ofThread == null) {
                    handle.close();
                } else {
                    ofThread.unlock();
                }
            } catch (LockLostException lost) {
                // The call finds the loss itself, and tells its caller if the annotation says so.
            } catch (RuntimeException e) {
                warn("The release of a lock in namespace {} failed", e);
            }
        }
    }

    /**
     * As {@link #leave()}, without waiting. Completes, never exceptionally, when the lock is released or still has
     * users.
     */
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

    /**
     * Only logs, because the work is done: a failed release, which the registry goes on trying, must not hide the
     * result.
     */
    private void warn(String message, RuntimeException e) {
        LOG.warn(message, SafeText.quote(handle.namespace()), e);
    }

    /**
     * Has the callback called when the lock is lost or if it is lost already, perhaps more than once, until {@link
     * #forget} is called.
     */
    public void onLost(Runnable callback) {
        lossCallbacks.add(callback);
        if (!listensToHandle) {
            listensToHandle = true;
            handle.onLost(() -> lossCallbacks.forEach(this::tell));
        } else if (!handle.isValid()) {
            callback.run();
        }
    }

    /** A callback that fails must not keep the loss from the others. */
    private void tell(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            warn("What was to end with a lost lock in namespace {} failed to", e);
        }
    }

    public void forget(Runnable callback) {
        lossCallbacks.remove(callback);
    }

    /** @throws LockLostException if the lock is lost; not if the method's code has released it, which was meant */
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
