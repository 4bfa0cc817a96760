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
 * @param ofThread the registry's view of the same lock for this thread
 */
public record ThreadHold(LockId id, HeldLock lock, ThreadLock ofThread) {

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
        lock.handle().ensureValid();
        Object result;
        try {
            result = onLost == OnLost.INTERRUPT ? LossInterrupt.during(body, lock) : body.run();
        } catch (Throwable failure) {
            LockLostException loss = lock.loss();
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
        lock.handle().ensureValid();
        return result;
    }

    /**
     * From now on, other locked methods on this thread enter the lock without acquiring it. So does {@code
     * registry.lock} on this thread, if the registry belongs to this library.
     *
     * @return false if the thread was already the holder
     */
    public boolean bindToThread() {
        if (isOfThisThread() || !HeldByThread.add(id, lock)) {
            return false;
        }
        if (ofThread instanceof AdoptableLock adoptable && ofThread.handle().isEmpty()) {
            try {
                adoptable.adopt(lock.handle());
            } catch (LockLostException | IllegalArgumentException notAdopted) {
                // The code of the method has released the lock, or the handle comes from the application's own
                // registry.
            }
        }
        return true;
    }

    /** Undoes {@link #bindToThread}. The thread that completes a transaction may be another one. */
    public void unbind() {
        HeldByThread.remove(id, lock);
        if (ofThread instanceof AdoptableLock adoptable && isOfThisThread()) {
            adoptable.disown();
            if (isOfThisThread()) {
                // The code of the method has locked through the registry and not unlocked yet. This extra user never
                // leaves, so the locked method does not release the lock; the thread's last unlock() does.
                lock.enter();
            }
        }
    }

    private boolean isOfThisThread() {
        return ofThread.handle().orElse(null) == lock.handle();
    }
}
