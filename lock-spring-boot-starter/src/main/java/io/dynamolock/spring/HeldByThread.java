package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.internal.AdoptableLock;
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

    private @Nullable HeldByThread outer;
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

    /** What this thread has held before, and holds still. */
    @Nullable
    HeldByThread outer() {
        return outer;
    }

    void setOuter(@Nullable HeldByThread outer) {
        this.outer = outer;
    }

    UsedLock lock() {
        return lock;
    }

    /** From now on this thread enters the lock also through the registry. */
    void begin(@Nullable HeldByThread outer) {
        this.outer = outer;
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
    Object run(MethodBody body, OnLost onLost) throws Throwable {
        lock.work(onLost);
        return switch (onLost) {
            case IGNORE -> body.run();
            case INTERRUPT -> runInterruptibly(body);
            case THROW, DEFAULT -> runToTheEnd(body);
        };
    }

    private @Nullable Object runToTheEnd(MethodBody body) throws Throwable {
        LockHandle handle = lock.handle();
        handle.ensureValid();
        Object result;
        try {
            result = body.run();
        } catch (Throwable failure) {
            LockLostException loss = lock.loss();
            if (loss != null && loss != failure) {
                failure.addSuppressed(loss);
            }
            throw failure;
        }
        handle.ensureValid();
        return result;
    }

    private @Nullable Object runInterruptibly(MethodBody body) throws Throwable {
        LockHandle handle = lock.handle();
        handle.ensureValid();
        LossInterrupt interrupt = lossInterrupt();
        interrupt.enter();
        Object result;
        try {
            result = body.run();
        } catch (Throwable failure) {
            LockLostException loss = lock.loss();
            if (loss == null) {
                throw failure;
            }
            loss.addSuppressed(failure);
            throw loss;
        } finally {
            interrupt.exit();
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
