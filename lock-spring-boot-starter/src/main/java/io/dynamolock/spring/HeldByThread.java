package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One lock that the current thread holds, and the methods that run under it. Confined to that thread, but for its end: a
 * transaction may be completed by another one.
 */
final class HeldByThread {

    private final LockHandle handle;
    private @Nullable LossInterrupt lossInterrupt;

    /** Whether any of the methods minds a loss. */
    private boolean lossMatters;

    private volatile boolean ended;

    HeldByThread(LockHandle handle) {
        this.handle = handle;
    }

    LockHandle handle() {
        return handle;
    }

    void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    /** @throws LockLostException if the lock is lost, and a method under it minds */
    void ensureCommitIsSafe() {
        if (lossMatters) {
            handle.ensureValid();
        }
    }

    @Nullable
    Object run(MethodInvocation invocation, OnLost onLost) throws Throwable {
        lossMatters |= onLost != OnLost.IGNORE;
        return switch (onLost) {
            case IGNORE -> invocation.proceed();
            case INTERRUPT -> runInterruptibly(invocation);
            case THROW, DEFAULT -> runToTheEnd(invocation);
        };
    }

    private @Nullable Object runToTheEnd(MethodInvocation invocation) throws Throwable {
        handle.ensureValid();
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable failure) {
            LockLostException loss = loss();
            if (loss != null && loss != failure) {
                failure.addSuppressed(loss);
            }
            throw failure;
        }
        handle.ensureValid();
        return result;
    }

    private @Nullable Object runInterruptibly(MethodInvocation invocation) throws Throwable {
        handle.ensureValid();
        LossInterrupt interrupt = lossInterrupt();
        interrupt.enter();
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable failure) {
            LockLostException loss = loss();
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
            handle.onLost(lossInterrupt::lockLost);
        }
        return lossInterrupt;
    }

    private @Nullable LockLostException loss() {
        try {
            handle.ensureValid();
            return null;
        } catch (LockLostException loss) {
            return loss;
        }
    }
}
