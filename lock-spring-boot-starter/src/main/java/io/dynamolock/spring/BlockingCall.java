package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call of a locked method whose work is done when it returns: takes its locks, all or none, and runs it. */
final class BlockingCall {

    /**
     * A wait is over: nothing is held.
     *
     * @param exception none where the method is to be skipped
     */
    private record Timeout(LockedMethod method, @Nullable LockTimeoutException exception) {

        @Nullable
        Object answer(MethodInvocation invocation) throws Throwable {
            return exception == null || method.onTimeout() == OnTimeout.SKIP
                    ? SkippedResult.of(invocation.getMethod().getReturnType())
                    : method.whenOver().answer(invocation, exception);
        }
    }

    private final LockRegistry registry;
    private final LocksOfMethod method;
    private final MethodInvocation invocation;
    private final boolean awaitsTransactions;
    private final List<CallLock> locks;

    /** @throws LockKeyException if the arguments give no usable key */
    BlockingCall(LockRegistry registry, LocksOfMethod method, MethodInvocation invocation, boolean awaitsTransactions) {
        this.registry = registry;
        this.method = method;
        this.invocation = invocation;
        this.awaitsTransactions = awaitsTransactions;
        this.locks = method.of(registry, invocation.getThis(), invocation.getArguments());
    }

    @Nullable
    Object run() throws Throwable {
        refuseSeveralForOneHandle();
        Timeout timeout;
        boolean heldForTransaction = false;
        try {
            timeout = acquire(locks.stream().filter(lock -> !lock.enterAgain()).toList());
            if (timeout == null) {
                heldForTransaction = awaitsTransactions && stayForTransaction();
                return finished(runUnder(0));
            }
        } finally {
            if (!heldForTransaction) {
                locks.forEach(CallLock::leave);
            }
        }
        return timeout.answer(invocation);
    }

    private void refuseSeveralForOneHandle() {
        if (locks.size() > 1 && method.handleParameter() >= 0) {
            throw new IllegalStateException("@DynamoLocked on " + method.description()
                    + ": it has a parameter of type LockHandle, but this call wants " + locks.size()
                    + " locks. Use CurrentLock.all() in the method instead.");
        }
    }

    private @Nullable Timeout acquire(List<CallLock> missing) {
        if (missing.isEmpty()) {
            return null;
        }
        return missing.size() == 1 ? acquire(missing.get(0)) : acquireAll(missing);
    }

    private @Nullable Timeout acquire(CallLock lock) {
        LockRequest request = lock.request();
        if (lock.method().onTimeout() == OnTimeout.SKIP) {
            LockHandle handle = answered(registry.tryAcquire(request)).orElse(null);
            if (handle == null) {
                return new Timeout(lock.method(), null);
            }
            lock.take(handle);
            return null;
        }
        try {
            lock.take(answered(registry.acquire(request)));
            return null;
        } catch (LockTimeoutException e) {
            return new Timeout(lock.method(), e);
        }
    }

    private @Nullable Timeout acquireAll(List<CallLock> missing) {
        try {
            List<LockHandle> handles = answered(
                    registry.acquireAll(missing.stream().map(CallLock::request).toList()));
            for (int i = 0; i < missing.size(); i++) {
                missing.get(i).take(handles.get(i));
            }
            return null;
        } catch (LockTimeoutException e) {
            LockedMethod late = missing.stream()
                    .filter(lock -> lock.isOn(e.key(), e.namespace()))
                    .findFirst()
                    .orElse(missing.get(0))
                    .method();
            return new Timeout(late, e);
        }
    }

    private <T> T answered(@Nullable T answer) {
        return Answers.of(answer, method.description(), registry);
    }

    /** All of them, or none. */
    private boolean stayForTransaction() {
        boolean stays = false;
        for (CallLock lock : locks) {
            stays |= lock.staysForTransaction();
        }
        return stays;
    }

    /** One after the other, so that each loss is dealt with as its annotation says. */
    private @Nullable Object runUnder(int next) throws Throwable {
        return next < locks.size() ? locks.get(next).run(() -> runUnder(next + 1)) : runMethod();
    }

    private @Nullable Object runMethod() throws Throwable {
        if (method.handleParameter() >= 0) {
            invocation.getArguments()[method.handleParameter()] =
                    locks.isEmpty() ? null : locks.get(0).held().handle();
        }
        return CurrentLock.during(locks.stream().map(CallLock::current).toList(), invocation::proceed);
    }

    private @Nullable Object finished(@Nullable Object result) {
        if (result != null && !locks.isEmpty() && method.mayHideUnfinishedWork() && UnfinishedWork.isIn(result)) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": it returned a "
                    + result.getClass().getSimpleName() + " whose work goes on, but its lock is released."
                    + " Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.");
        }
        return result;
    }
}
