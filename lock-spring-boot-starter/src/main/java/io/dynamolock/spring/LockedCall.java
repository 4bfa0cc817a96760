package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * One call of a locked method: what it wants, and how it goes on. Holds nothing itself.
 *
 * @param wanted none if the call runs without a lock
 * @param untilTransactionEnds whether the locks are held until a transaction has ended that was active at the start
 * @param ofGrantsAtOnce runs what waits for a lock that is granted while the caller still asks
 */
record LockedCall(
        LocksOfMethod method,
        LockRegistry registry,
        List<WantedLock> wanted,
        MethodInvocation invocation,
        boolean untilTransactionEnds,
        Executor ofGrantsAtOnce) {

    /** @throws LockKeyException if the arguments give no usable key */
    static LockedCall of(
            LocksOfMethod method,
            LockRegistry registry,
            MethodInvocation invocation,
            boolean untilTransactionEnds,
            Executor ofGrantsAtOnce) {
        List<WantedLock> wanted = method.wanted(invocation.getThis(), invocation.getArguments());
        if (wanted.size() > 1 && method.handleParameter() >= 0) {
            throw new IllegalStateException("@DynamoLocked on " + method.description()
                    + ": it has a parameter of type LockHandle, but this call wants " + wanted.size()
                    + " locks. Use CurrentLock.all() in the method instead.");
        }
        return new LockedCall(method, registry, wanted, invocation, untilTransactionEnds, ofGrantsAtOnce);
    }

    /** Blocks. All of them, or none. */
    Acquired acquire(List<WantedLock> missing) {
        WantedLock first = missing.get(0);
        if (missing.size() == 1 && first.method().onTimeout() == OnTimeout.SKIP) {
            return answered(registry.tryAcquire(first.request()))
                    .map(handle -> new Acquired(List.of(handle), null))
                    .orElseGet(() -> new Acquired(List.of(), new Timeout(first.method(), null)));
        }
        try {
            List<LockHandle> handles = missing.size() == 1
                    ? List.of(answered(registry.acquire(first.request())))
                    : answered(registry.acquireAll(requests(missing)));
            return new Acquired(handles, null);
        } catch (LockTimeoutException e) {
            return new Acquired(List.of(), timeout(missing, e));
        }
    }

    /**
     * All of them, or none.
     *
     * @param who waits for the method's result: which thread has asked for it says little
     */
    Asked acquireAsync(List<WantedLock> missing, String who) {
        String caller = who + " of " + missing.get(0).method().shortName();
        if (missing.size() == 1) {
            CompletableFuture<LockHandle> one =
                    answered(registry.acquireAsync(missing.get(0).request().caller(caller)));
            return new Asked(one, one.thenApply(List::of));
        }
        List<LockRequest> requests = requests(missing).stream()
                .map(request -> request.caller(caller))
                .toList();
        CompletableFuture<List<LockHandle>> all = answered(registry.acquireAllAsync(requests));
        return new Asked(all, all);
    }

    /** Calls back with all of them, or with what went wrong, but never within this call. */
    void whenAnswered(Asked asked, BiConsumer<@Nullable List<LockHandle>, @Nullable Throwable> callback) {
        Granted granted = new Granted(ofGrantsAtOnce);
        asked.handles().whenCompleteAsync(callback, granted);
        granted.asked();
    }

    private static List<LockRequest> requests(List<WantedLock> locks) {
        return locks.stream().map(WantedLock::request).toList();
    }

    <T> T answered(@Nullable T answer) {
        return Answers.of(answer, method.description(), registry);
    }

    /** What it means that the wait for one of these is over. */
    static Timeout timeout(List<WantedLock> missing, LockTimeoutException e) {
        LockedMethod late = missing.stream()
                .filter(lock -> lock.isOn(e.key(), e.namespace()))
                .findFirst()
                .orElse(missing.get(0))
                .method();
        return new Timeout(late, e);
    }

    /** Runs what lies under the locks: the aspects inside them, and the method itself. */
    @Nullable
    Object proceed(List<CurrentLock> locks) throws Throwable {
        return proceed(locks, arguments -> {});
    }

    /** @param preparing may change the arguments for this run */
    @Nullable
    Object proceed(List<CurrentLock> locks, Consumer<@Nullable Object[]> preparing) throws Throwable {
        boolean isLater = method.result().kind() != MethodResult.Kind.PLAIN;
        // It counts how far it has come, and each subscription begins anew.
        MethodInvocation rest =
                isLater && invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        if (method.handleParameter() >= 0) {
            rest.getArguments()[method.handleParameter()] =
                    locks.isEmpty() ? null : locks.get(0).handle();
        }
        preparing.accept(rest.getArguments());
        // Aspects of AspectJ find it by the thread, which may be another one now.
        return CurrentLock.during(
                locks, isLater ? () -> ExposeInvocationInterceptor.INSTANCE.invoke(rest) : rest::proceed);
    }

    /** @return the result, if nothing in it goes on */
    @Nullable
    Object finished(@Nullable Object result) {
        if (result != null
                && !wanted.isEmpty()
                && method.result().mayHideUnfinishedWork()
                && UnfinishedWork.isIn(result)) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": it returned a "
                    + result.getClass().getSimpleName() + " whose work goes on, but its lock is released."
                    + " Lock a method that returns when its work is done, or use LockRegistry.acquireAsync.");
        }
        return result;
    }

    /** What went wrong, without the wrapping of a future that depends on another. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
