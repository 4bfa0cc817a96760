package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockMode;
import io.dynamolock.LockRequest;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * One lock that the current thread holds, and the methods that run under it. Confined to that thread, but for its end: a
 * transaction may be completed by another one.
 */
final class HeldByThread {

    private final LockHandle handle;
    private final LockMode mode;
    private @Nullable LossInterrupt lossInterrupt;

    /** Whether any of the methods minds a loss. */
    private boolean lossMatters;

    private volatile boolean ended;

    HeldByThread(LockHandle handle, LockMode mode) {
        this.handle = handle;
        this.mode = mode;
    }

    /** @throws IllegalStateException if a method under a shared lock calls one that wants it alone */
    void ensureCovers(LockRequest inner, String method) {
        if (mode == LockMode.SHARED && inner.mode() == LockMode.EXCLUSIVE) {
            throw new IllegalStateException("@DynamoLocked on " + method + " wants the lock \"" + inner.key()
                    + "\" in namespace \"" + inner.namespace()
                    + "\" for itself alone, but this thread shares it already and"
                    + " would wait for itself. Take the lock exclusively in the outer method, or call this one after"
                    + " it.");
        }
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
