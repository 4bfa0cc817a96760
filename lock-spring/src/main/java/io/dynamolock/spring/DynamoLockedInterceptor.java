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
        LockRegistry locks = registry.get();
        HeldByThread outer = LocksOfThread.find(locks, request);
        if (outer != null) {
            outer.ensureCovers(request, method.description());
            return finished(method, outer.run(invocation, method.onLost()));
        }
        LockHandle handle = acquire(locks, method, request);
        return handle == null
                ? SkippedResult.of(invocation.getMethod().getReturnType())
                : finished(method, runUnder(locks, handle, request, invocation, method.onLost()));
    }

    private static @Nullable LockHandle acquire(LockRegistry locks, LockedMethod method, LockRequest request) {
        if (method.onTimeout() == OnTimeout.SKIP) {
            return answered(locks.tryAcquire(request), method, locks).orElse(null);
        }
        return answered(locks.acquire(request), method, locks);
    }

    /** A mock answers with null, which must not pass for a lock that is not free. */
    private static <T> T answered(@Nullable T answer, LockedMethod method, LockRegistry locks) {
        if (answer == null) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": the LockRegistry, a "
                    + locks.getClass().getName() + ", answered null, so nothing is locked and the method was not"
                    + " entered. If it is a mock, take io.dynamolock.spring.test.UnlockedRegistry.create() instead.");
        }
        return answer;
    }

    private @Nullable Object runUnder(
            LockRegistry locks, LockHandle handle, LockRequest request, MethodInvocation invocation, OnLost onLost)
            throws Throwable {
        HeldByThread lock = new HeldByThread(handle, request.mode());
        boolean heldForTransaction = false;
        try {
            LocksOfThread.add(locks, request, lock);
            heldForTransaction = awaitsTransactions && TransactionEnd.await(lock, () -> end(locks, request, lock));
            return lock.run(invocation, onLost);
        } finally {
            if (!heldForTransaction) {
                end(locks, request, lock);
            }
        }
    }

    private static void end(LockRegistry locks, LockRequest request, HeldByThread lock) {
        LocksOfThread.remove(locks, request, lock);
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
        if (result != null && method.mayHideUnfinishedWork() && UnfinishedWork.isIn(result)) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": it returned a "
                    + result.getClass().getSimpleName() + " whose work goes on, but its lock is released."
                    + " Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.");
        }
        return result;
    }
}
