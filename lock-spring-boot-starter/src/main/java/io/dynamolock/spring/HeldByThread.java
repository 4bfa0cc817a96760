package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import org.jspecify.annotations.Nullable;

/**
 * One lock that the current thread holds, and the methods that run under it. Confined to that thread, but for its end: a
 * transaction may be completed by another one.
 */
final class HeldByThread {

    private final UsedLock lock;
    private @Nullable LossInterrupt lossInterrupt;
    private volatile boolean ended;

    HeldByThread(UsedLock lock) {
        this.lock = lock;
    }

    UsedLock lock() {
        return lock;
    }

    void end() {
        ended = true;
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
