package io.dynamolock.spring.aspect;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.internal.AdoptableLock;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.internal.EnteredLock;
import org.jspecify.annotations.Nullable;

/**
 * One lock that the current thread holds, and the methods that run under it. Confined to that thread, but for its end: a
 * transaction may be completed by another one.
 */
final class HeldByThread {

    private final LockId id;
    private final UsedLock lock;

    /** The same lock as the registry knows it by this thread. */
    private final AdoptableLock ofThread;

    private @Nullable LossInterrupt lossInterrupt;
    private volatile boolean ended;

    HeldByThread(LockId id, UsedLock lock, AdoptableLock ofThread) {
        this.id = id;
        this.lock = lock;
        this.ofThread = ofThread;
    }

    LockId id() {
        return id;
    }

    UsedLock lock() {
        return lock;
    }

    /** From now on this thread enters the lock also through the registry. */
    void begin() {
        if (ofThread.handle().isEmpty()) {
            try {
                ofThread.adopt(lock.handle());
            } catch (LockLostException released) {
                // By the method's code itself: whether this one still runs is said by its annotation.
            }
        }
    }

    void end() {
        ended = true;
        if (isOfThisThread()) {
            ofThread.disown();
            if (isOfThisThread()) {
                // The method's code keeps it through the registry, so it is another user, which leaves there.
                lock.enter();
            }
        }
    }

    private boolean isOfThisThread() {
        return ofThread.handle().orElse(null) == lock.handle();
    }

    /** Whether this thread has it now, be it by a method or by the registry. */
    boolean isStillHeld() {
        return !ended && isOfThisThread();
    }

    boolean hasEnded() {
        return ended;
    }

    @Nullable
    Object run(EnteredLock.Body body, OnLost onLost) throws Throwable {
        lock.work(onLost);
        return onLost == OnLost.IGNORE ? body.run() : run(body, onLost == OnLost.INTERRUPT ? lossInterrupt() : null);
    }

    /** @param interrupt none if the body runs to its end whatever happens */
    private @Nullable Object run(EnteredLock.Body body, @Nullable LossInterrupt interrupt) throws Throwable {
        LockHandle handle = lock.handle();
        handle.ensureValid();
        Object result;
        try {
            result = interrupt == null ? body.run() : interrupt.during(body);
        } catch (Throwable failure) {
            LockLostException loss = lock.loss();
            if (loss == null || loss == failure) {
                throw failure;
            }
            Throwable told = interrupt == null ? failure : loss;
            told.addSuppressed(interrupt == null ? loss : failure);
            throw told;
        }
        handle.ensureValid();
        return result;
    }

    private LossInterrupt lossInterrupt() {
        if (lossInterrupt == null) {
            lossInterrupt = new LossInterrupt();
            lock.handle().onLost(lossInterrupt::lockLost);
        }
        return lossInterrupt;
    }
}
