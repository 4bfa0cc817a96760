package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/** Runs a method under its lock. Thread-safe. */
final class DynamoLockedInterceptor implements MethodInterceptor {

    private static final Logger LOG = LoggerFactory.getLogger(DynamoLockedInterceptor.class);

    private static final boolean TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            DynamoLockedInterceptor.class.getClassLoader());

    private final LockedMethods methods;
    private final Supplier<LockRegistry> registry;
    private final LocksOfThread locks = new LocksOfThread();
    private volatile boolean awaitsTransactions = TRANSACTIONS;

    DynamoLockedInterceptor(LockedMethods methods, Supplier<LockRegistry> registry) {
        this.methods = methods;
        this.registry = registry;
    }

    void releaseAt(ReleaseTime time) {
        awaitsTransactions = TRANSACTIONS && time == ReleaseTime.TRANSACTION_END;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        // The class by which the pointcut matched, even if the target is a proxy of something else.
        Class<?> beanClass = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        LockedMethod method = methods.find(invocation.getMethod(), beanClass);
        if (method == null) {
            throw new IllegalStateException("No lock is known for " + invocation.getMethod() + " of " + beanClass);
        }
        LockRequest request = method.request(target, invocation.getArguments());
        HeldByThread outer = locks.find(request);
        if (outer != null) {
            return finished(method, outer.run(invocation, method.onLost()));
        }
        LockHandle handle = acquire(method, request);
        return handle == null
                ? SkippedResult.of(invocation.getMethod().getReturnType())
                : finished(method, runUnder(handle, request, invocation, method.onLost()));
    }

    private @Nullable LockHandle acquire(LockedMethod method, LockRequest request) {
        return method.onTimeout() == OnTimeout.SKIP
                ? registry.get().tryAcquire(request).orElse(null)
                : registry.get().acquire(request);
    }

    private @Nullable Object runUnder(
            LockHandle handle, LockRequest request, MethodInvocation invocation, OnLost onLost) throws Throwable {
        HeldByThread lock = new HeldByThread(handle);
        boolean heldForTransaction = false;
        try {
            locks.add(request, lock);
            heldForTransaction = awaitsTransactions && TransactionEnd.await(lock, () -> end(request, lock));
            return lock.run(invocation, onLost);
        } finally {
            if (!heldForTransaction) {
                end(request, lock);
            }
        }
    }

    private void end(LockRequest request, HeldByThread lock) {
        locks.remove(request, lock);
        release(lock.handle());
    }

    /** The work is done, and the registry goes on trying: a release that fails must not hide the result. */
    private static void release(LockHandle handle) {
        try {
            handle.close();
        } catch (RuntimeException e) {
            LOG.warn("The release of a lock in namespace '{}' failed", handle.namespace(), e);
        }
    }

    private static @Nullable Object finished(LockedMethod method, @Nullable Object result) {
        if (result != null && method.method().getReturnType() == Object.class && UnfinishedWork.isIn(result)) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": it returned a "
                    + result.getClass().getSimpleName() + " whose work goes on, but its lock is released."
                    + " Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.");
        }
        return result;
    }
}
