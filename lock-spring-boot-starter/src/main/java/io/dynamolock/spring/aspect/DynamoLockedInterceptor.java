package io.dynamolock.spring.aspect;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.ReleaseTime;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs a method under its lock. Thread-safe. */
final class DynamoLockedInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final Supplier<LockRegistry> registry;
    private volatile boolean awaitsTransactions = Libraries.TRANSACTIONS;
    private volatile Executor ofGrantsAtOnce = LockedCall.OF_GRANTS_AT_ONCE;

    DynamoLockedInterceptor(LockedMethods methods, Supplier<LockRegistry> registry) {
        this.methods = methods;
        this.registry = registry;
    }

    void releaseAt(ReleaseTime time) {
        awaitsTransactions = Libraries.TRANSACTIONS && time == ReleaseTime.TRANSACTION_END;
    }

    void runGrantedAtOnceBy(Executor executor) {
        ofGrantsAtOnce = executor;
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
        return switch (method.result().kind()) {
            case PLAIN -> BlockingCall.run(call(method, invocation));
            case FUTURE -> FutureCall.begin(() -> call(method, invocation));
            case STREAM, SUSPENDED -> StreamCall.begin(method.result(), () -> call(method, invocation));
        };
    }

    /** @throws LockKeyException if the arguments give no usable key */
    private LockedCall call(LocksOfMethod method, MethodInvocation invocation) {
        List<WantedLock> wanted = method.wanted(invocation.getThis(), invocation.getArguments());
        return new LockedCall(method, registry.get(), wanted, invocation, awaitsTransactions, ofGrantsAtOnce);
    }
}
