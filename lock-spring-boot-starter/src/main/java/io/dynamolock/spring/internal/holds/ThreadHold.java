package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockLostException;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.CurrentHandle;
import org.jspecify.annotations.Nullable;

/**
 * The current thread as the holder of a lock, while it runs a body or until its transaction ends.
 *
 * @param threadLock the registry's view of the same lock for this thread
 */
public record ThreadHold(LockId id, HeldLock heldLock, ThreadLock threadLock) {

    /** Runs the body while this thread holds the lock, and reacts to a loss of the lock. */
    public @Nullable Object run(OnLost onLost, CurrentHandle.Body body) throws Throwable {
        boolean isBoundHere = bindToThread();
        try {
            return onLost == OnLost.IGNORE ? body.run() : runUnlessLost(onLost, body);
        } finally {
            if (isBoundHere) {
                unbind();
            }
        }
    }

    private @Nullable Object runUnlessLost(OnLost onLost, CurrentHandle.Body body) throws Throwable {
        heldLock.handle().ensureValid();
        Object result;
        try {
            result = onLost == OnLost.INTERRUPT ? LossInterrupt.during(body, heldLock) : body.run();
        } catch (Throwable failure) {
            LockLostException loss = heldLock.loss();
            if (loss == null || loss == failure) {
                throw failure;
            }
            if (onLost == OnLost.INTERRUPT) {
                loss.addSuppressed(failure);
                throw loss;
            }
            failure.addSuppressed(loss);
            throw failure;
        }
        heldLock.handle().ensureValid();
        return result;
    }

    /**
     * From now on, other locked methods on this thread enter the lock without acquiring it. So does {@code
     * registry.lock} on this thread, if the registry belongs to this library.
     *
     * @return false if the thread was already the holder
     */
    public boolean bindToThread() {
        if (isOfThisThread() || !HeldByThread.add(id, heldLock)) {
            return false;
        }
        if (threadLock instanceof AdoptableLock adoptable && threadLock.handle().isEmpty()) {
            try {
                adoptable.adopt(heldLock.handle());
            } catch (LockLostException | IllegalArgumentException notAdopted) {
                // The code of the method has released the lock, or the handle comes from the application's own
                // registry.
            }
        }
        return true;
    }

    /** Undoes {@link #bindToThread}. The thread that completes a transaction may be another one. */
    public void unbind() {
        HeldByThread.remove(id, heldLock);
        if (threadLock instanceof AdoptableLock adoptable && isOfThisThread()) {
            adoptable.disown();
            if (isOfThisThread()) {
                // The code of the method has locked through the registry and not unlocked yet. This extra user never
                // leaves, so the locked method does not release the lock; the thread's last unlock() does.
                heldLock.enter();
            }
        }
    }

    private boolean isOfThisThread() {
        return threadLock.handle().orElse(null) == heldLock.handle();
    }
}
