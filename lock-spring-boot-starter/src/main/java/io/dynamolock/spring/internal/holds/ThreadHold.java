package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockLostException;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.CurrentHandle;
import org.jspecify.annotations.Nullable;

/**
 * The current thread as holder of a lock, for as long as it runs a body.
 *
 * @param ofThread the same lock as the registry knows it by this thread
 */
public record ThreadHold(LockId id, HeldLock lock, ThreadLock ofThread) {

    /** Runs the body while this thread holds the lock, and deals with its loss. */
    public @Nullable Object run(OnLost onLost, CurrentHandle.Body body) throws Throwable {
        boolean begins = begin();
        try {
            return onLost == OnLost.IGNORE ? body.run() : runUnlessLost(onLost, body);
        } finally {
            if (begins) {
                end();
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
     * From now on this thread can enter the lock by other locked methods and, if the registry is one of this library's,
     * by {@code registry.lock}.
     *
     * @return false if it could already
     */
    public boolean begin() {
        if (isOfThisThread() || !HeldByThread.add(id, lock)) {
            return false;
        }
        if (ofThread instanceof AdoptableLock adoptable && ofThread.handle().isEmpty()) {
            try {
                adoptable.adopt(lock.handle());
            } catch (LockLostException | IllegalArgumentException notAdopted) {
                // The method's code has released the lock, or an application's own registry has made the handle.
            }
        }
        return true;
    }

    /** Undoes {@link #begin}, perhaps on another thread: that which completes a transaction. */
    public void end() {
        HeldByThread.remove(id, lock);
        if (ofThread instanceof AdoptableLock adoptable && isOfThisThread()) {
            adoptable.disown();
            if (isOfThisThread()) {
                // The method's code has taken the lock through the registry and keeps it, so it is one more user until
                // it unlocks.
                lock.enter();
            }
        }
    }

    private boolean isOfThisThread() {
        return ofThread.handle().orElse(null) == lock.handle();
    }
}
