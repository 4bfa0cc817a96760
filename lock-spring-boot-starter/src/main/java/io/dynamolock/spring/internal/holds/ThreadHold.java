package io.dynamolock.spring.internal.holds;

import io.dynamolock.LockLostException;
import io.dynamolock.ThreadLock;
import io.dynamolock.internal.registry.AdoptableLock;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.CurrentHandle;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the current thread.
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
            Throwable told = onLost == OnLost.INTERRUPT ? loss : failure;
            told.addSuppressed(told == loss ? failure : loss);
            throw told;
        }
        lock.handle().ensureValid();
        return result;
    }

    /**
     * From now on this thread enters the lock by other methods and, if the registry is one of ours, through that.
     *
     * @return false if it did so already
     */
    public boolean begin() {
        if (isOfThisThread() || !HeldByThread.add(id, lock)) {
            return false;
        }
        if (ofThread instanceof AdoptableLock adoptable && ofThread.handle().isEmpty()) {
            try {
                adoptable.adopt(lock.handle());
            } catch (LockLostException | IllegalArgumentException notAdopted) {
                // The method's code has released it, or the handle is an application's own.
            }
        }
        return true;
    }

    /** Another thread may complete a transaction, and ends what that one has begun. */
    public void end() {
        HeldByThread.remove(id, lock);
        if (ofThread instanceof AdoptableLock adoptable && isOfThisThread()) {
            adoptable.disown();
            if (isOfThisThread()) {
                // The method's code keeps it through the registry, so it is another user, which leaves there.
                lock.enter();
            }
        }
    }

    private boolean isOfThisThread() {
        return ofThread.handle().orElse(null) == lock.handle();
    }
}
