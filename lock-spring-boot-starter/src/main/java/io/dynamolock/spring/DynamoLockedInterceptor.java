package io.dynamolock.spring;

import io.dynamolock.LockRegistry;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Runs a method under its lock. Thread-safe. */
final class DynamoLockedInterceptor implements MethodInterceptor {

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
        LocksOfMethod method = methods.find(invocation.getMethod(), beanClass);
        if (method == null) {
            throw new IllegalStateException("No lock is known for " + invocation.getMethod() + " of " + beanClass);
        }
        return new BlockingCall(registry.get(), method, invocation, awaitsTransactions).run();
    }
}
