package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.internal.Daemons;
import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.declarations.LockedMethod;
import io.dynamolock.spring.internal.declarations.LockedMethods;
import io.dynamolock.spring.internal.persistence.PersistenceCheck;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Runs the calls of locked methods under their locks. The result type of a method decides whether its calls block or
 * are futures or streams. Thread-safe.
 */
public final class LockInterceptor implements MethodInterceptor {

    /**
     * Runs the work of a future or a stream if its lock is granted while the asking thread is still in the call. This
     * is rare. The pool has no bound, so a task that blocks delays no other.
     */
    public static final Executor IMMEDIATE_GRANT_EXECUTOR =
            Executors.newCachedThreadPool(Daemons.named("dynamolock-granted-"));

    private final LockedMethods methods;
    private final Supplier<LockRegistry> registry;
    private final Executor immediateGrantExecutor;

    /**
     * Whether a lock is held until the transaction of its caller has ended. As a rule, set once, before the first call.
     */
    private volatile boolean untilTransactionEnds = Libraries.TRANSACTIONS;

    private final PersistenceCheck persistenceCheck = new PersistenceCheck();

    /**
     * @param registry asked at every call
     * @param immediateGrantExecutor as a rule {@link #IMMEDIATE_GRANT_EXECUTOR}
     */
    public LockInterceptor(LockedMethods methods, Supplier<LockRegistry> registry, Executor immediateGrantExecutor) {
        this.methods = methods;
        this.registry = registry;
        this.immediateGrantExecutor = immediateGrantExecutor;
    }

    /** When locks are released from now on; {@link ReleaseTime#TRANSACTION_END} if this is never called. */
    public void setRelease(ReleaseTime release) {
        untilTransactionEnds = Libraries.TRANSACTIONS && release == ReleaseTime.TRANSACTION_END;
    }

    /** Says what to do about threads that may have read before they had the lock. */
    public PersistenceCheck persistenceCheck() {
        return persistenceCheck;
    }

    /**
     * Runs the call under its locks.
     *
     * @throws IllegalStateException if the method is not locked, which the pointcut rules out
     */
    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        LockedMethod method = find(invocation);
        if (method == null) {
            throw new IllegalStateException("No lock is known for " + invocation);
        }
        return invoke(method, invocation);
    }

    /**
     * Runs a call in woven code, under its locks if the method has any. The aspect is woven into all methods of an
     * annotated class, locked or not.
     */
    public @Nullable Object invokeWoven(MethodInvocation invocation) throws Throwable {
        LockedMethod method = find(invocation);
        return method == null ? invocation.proceed() : invoke(method, invocation);
    }

    /** Looks the method up by the class that the pointcut matched, even if the target is a proxy. */
    private @Nullable LockedMethod find(MethodInvocation invocation) {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        return methods.find(invocation.getMethod(), type);
    }

    private @Nullable Object invoke(LockedMethod method, MethodInvocation invocation) throws Throwable {
        Supplier<LockedCall> call = () -> new LockedCall(
                method,
                registry.get(),
                method.wanted(invocation.getThis(), invocation.getArguments()),
                invocation,
                untilTransactionEnds,
                persistenceCheck,
                immediateGrantExecutor);
        return switch (method.result().kind()) {
            case PLAIN -> BlockingCall.run(call.get());
            case FUTURE -> FutureCall.start(call);
            case STREAM, SUSPENDED -> StreamAnswer.of(method.result(), call);
        };
    }
}
