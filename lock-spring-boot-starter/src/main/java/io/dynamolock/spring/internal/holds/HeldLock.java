package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.Internals;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A granted lock with the number of its users: calls under the lock, on any threads. The last user to leave releases
 * the lock. The release costs that user no time: {@link GrantHandle#endSection()} says when it is awaited nevertheless.
 * Handles of other implementations than this library's are released and waited for. Thread-safe.
 */
public final class HeldLock {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    private final LockHandle handle;
    private final LockMode mode;

    /**
     * The lock that the thread had taken from the registry before the first locked method entered it: the last user
     * unlocks it once. Null if a locked method has acquired the lock: the last user releases the handle.
     */
    private final @Nullable ThreadLock threadLock;

    private final AtomicInteger users = new AtomicInteger(1);

    /**
     * Callbacks for a loss. Normally one callback of this object at the handle calls every callback in this list. Two
     * threads that call {@link #onLost} first at the same time may register two, so a callback can run more than once.
     */
    private final List<Runnable> lossCallbacks = new CopyOnWriteArrayList<>();

    /** Whether the handle knows the callback of this object. Set by the first {@link #onLost}, never cleared. */
    private volatile boolean listensToHandle;

    /** A lock with one user. */
    public HeldLock(LockHandle handle, LockMode mode, @Nullable ThreadLock threadLock) {
        this.handle = handle;
        this.mode = mode;
        this.threadLock = threadLock;
    }

    public LockHandle handle() {
        return handle;
    }

    /** Whether the lock has not been released yet. It may have been lost. */
    boolean isHeld() {
        return threadLock == null ? users.get() > 0 : threadLock.handle().orElse(null) == handle;
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
     * Adds an inner call as a user, if the held mode is enough for it.
     *
     * @return false if the last user has left, so that the lock is released
     * @throws IllegalStateException if a method under a shared lock calls one that wants it exclusively
     */
    public boolean enter(WantedLock inner) {
        LockRequest wanted = inner.request();
        // Nobody waits for a lock that is lost: the call enters it, and hears of the loss.
        if (isHeld() && handle.isValid() && mode == LockMode.SHARED && wanted.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException(
                    "@DynamoLocked on " + inner.declaration().description() + " wants the "
                            + Internals.describe(wanted)
                            + " for itself alone, but its caller shares it already and"
                            + " would wait for itself. Take the lock exclusively in the outer method, or call this one after"
                            + " it.");
        }
        return enter();
    }

    /** Removes a user. If it was the last, releases the lock, and waits for the release if it is to be awaited. */
    public void leave() {
        beginToLeave().run();
    }

    /**
     * Removes a user. If it was the last, begins the release, so that a call with several locks can begin all releases
     * before it waits for the first.
     *
     * @return waits for the release if it is to be awaited; to be run once, by the thread that leaves
     */
    public Runnable beginToLeave() {
        if (users.decrementAndGet() == 0) {
            boolean wasValid = handle.isValid();
            try {
                BooleanSupplier release = beginRelease();
                return () -> endRelease(release, wasValid);
            } catch (RuntimeException e) {
                warnOfFailedRelease(e);
            }
        }
        return () -> {};
    }

    /** @return whether the lock was still held, as far as that is known */
    private BooleanSupplier beginRelease() {
        if (threadLock != null) {
            return () -> unlock(threadLock);
        }
        return handle instanceof GrantHandle granted ? granted.beginEndOfSection() : handle::release;
    }

    /** @return false if the lock is lost, and nobody else hears of that by its own {@code unlock()} */
    private boolean unlock(ThreadLock entered) {
        try {
            entered.unlock();
            return true;
        } catch (LockLostException lost) {
            return isHeld();
        }
    }

    private void endRelease(BooleanSupplier release, boolean wasValid) {
        try {
            tellOfLoss(release.getAsBoolean(), wasValid);
        } catch (RuntimeException e) {
            warnOfFailedRelease(e);
        }
    }

    /**
     * Tells of a loss that only the release has shown. The call has looked for a loss before, and throws no exception
     * for a later loss, whether its release is awaited or not.
     *
     * @param wasValid whether the lock was held when the release was begun
     */
    private void tellOfLoss(boolean stillOurs, boolean wasValid) {
        if (wasValid && !stillOurs) {
            GrantHandle.warnOfLoss(handle);
        }
    }

    /**
     * As {@link #leave()}, without blocking; only for a lock that a locked method has acquired. The future completes,
     * never exceptionally, when the user may go on: at once if the lock still has users or the release is not to be
     * awaited, else when the lock is released.
     */
    public CompletableFuture<Void> leaveAsync() {
        if (users.decrementAndGet() == 0) {
            boolean wasValid = handle.isValid();
            try {
                CompletableFuture<Boolean> release =
                        handle instanceof GrantHandle granted ? granted.endSectionAsync() : handle.releaseAsync();
                return release.thenAccept(stillOurs -> tellOfLoss(stillOurs, wasValid));
            } catch (RuntimeException e) {
                warnOfFailedRelease(e);
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private void warnOfFailedRelease(RuntimeException e) {
        warn("The release of a lock in namespace {} failed", e);
    }

    /**
     * Only logs, because the work is done: a failed release must not hide the result, and the registry goes on trying.
     */
    private void warn(String message, RuntimeException e) {
        LOG.warn(message, SafeText.quote(handle.namespace()), SafeFailure.of(e));
    }

    /**
     * Has the callback called when the lock is lost or if it is lost already, perhaps more than once, until {@link
     * #forget} is called.
     */
    public void onLost(Runnable callback) {
        lossCallbacks.add(callback);
        if (!listensToHandle) {
            listensToHandle = true;
            handle.onLost(() -> lossCallbacks.forEach(this::call));
        } else if (!handle.isValid()) {
            callback.run();
        }
    }

    /** A failure of one callback must not keep the other callbacks from being called. */
    private void call(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException e) {
            warn("A callback for a lost lock in namespace {} failed", e);
        }
    }

    public void forget(Runnable callback) {
        lossCallbacks.remove(callback);
    }

    /**
     * Checks the lock before a commit. Checks nothing once the lock has been released properly: by its last user, or by
     * {@code unlock()} of the thread that had taken it from the registry.
     *
     * @throws LockLostException if the lock is lost, or the code of a method has released its handle
     */
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
