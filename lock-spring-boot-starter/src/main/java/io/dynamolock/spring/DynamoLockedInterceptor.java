package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Runs a method under its lock. Thread-safe. */
final class DynamoLockedInterceptor implements MethodInterceptor {

    private final LockedMethods methods;
    private final Supplier<LockRegistry> registry;
    private volatile boolean awaitsTransactions = Libraries.TRANSACTIONS;

    DynamoLockedInterceptor(LockedMethods methods, Supplier<LockRegistry> registry) {
        this.methods = methods;
        this.registry = registry;
    }

    void releaseAt(ReleaseTime time) {
        awaitsTransactions = Libraries.TRANSACTIONS && time == ReleaseTime.TRANSACTION_END;
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
        return switch (method.result().kind()) {
            case PLAIN ->
                run(
                        call(method, target, invocation, invocation::proceed),
                        invocation.getMethod().getReturnType());
            case FUTURE -> FutureCall.begin(() -> call(method, target, invocation, MethodBody.later(invocation)));
            case STREAM, SUSPENDED ->
                StreamCall.begin(method.result(), () -> call(method, target, invocation, MethodBody.later(invocation)));
        };
    }

    /** @throws LockKeyException if the arguments give no usable key */
    private LockedCall call(
            LockedMethod method, @Nullable Object target, MethodInvocation invocation, MethodBody body) {
        LockRequest request = method.request(target, invocation.getArguments());
        return new LockedCall(method, registry.get(), request, body, awaitsTransactions);
    }

    private static @Nullable Object run(LockedCall call, Class<?> returnType) throws Throwable {
        HeldByThread outer = LocksOfThread.find(call.locks(), call.request());
        if (outer != null) {
            outer.lock().ensureCovers(call.request(), call.method().description());
            return call.finished(outer.run(call.body(), call.method().onLost()));
        }
        if (Libraries.REACTOR) {
            NonBlockingThreads.refuse(call.method());
        }
        LockHandle handle = call.acquire();
        return handle == null ? SkippedResult.of(returnType) : call.finished(runUnder(handle, call));
    }

    private static @Nullable Object runUnder(LockHandle handle, LockedCall call) throws Throwable {
        HeldByThread held = new HeldByThread(new UsedLock(handle, call.request().mode()));
        boolean heldForTransaction = false;
        try {
            LocksOfThread.add(call.locks(), call.request(), held);
            heldForTransaction = call.untilTransactionEnds() && TransactionEnd.await(held, () -> end(call, held));
            return held.run(call.body(), call.method().onLost());
        } finally {
            if (!heldForTransaction) {
                end(call, held);
            }
        }
    }

    private static void end(LockedCall call, HeldByThread held) {
        LocksOfThread.remove(call.locks(), call.request(), held);
        held.lock().leave();
    }
}
