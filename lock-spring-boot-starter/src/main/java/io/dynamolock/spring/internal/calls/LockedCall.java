package io.dynamolock.spring.internal.calls;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.internal.CurrentHandle;
import io.dynamolock.spring.internal.declarations.LockDeclaration;
import io.dynamolock.spring.internal.declarations.LockedMethod;
import io.dynamolock.spring.internal.declarations.MethodResult;
import io.dynamolock.spring.internal.declarations.WantedLock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
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
        LockedMethod method,
        LockRegistry registry,
        List<WantedLock> wanted,
        MethodInvocation invocation,
        boolean untilTransactionEnds,
        Executor ofGrantsAtOnce) {

    /** Blocks, if something is missing. All of it, or none. */
    WaitResult acquire(List<WantedLock> missing) {
        if (missing.isEmpty()) {
            return new WaitResult(List.of(), null);
        }
        NonBlockingThreads.refuse(method);
        try {
            List<LockHandle> handles = missing.size() == 1
                    ? List.of(answered(registry.acquire(missing.get(0).request())))
                    : answered(registry.acquireAll(
                            missing.stream().map(WantedLock::request).toList()));
            return new WaitResult(handles, null);
        } catch (LockTimeoutException e) {
            return new WaitResult(List.of(), timeout(missing, e));
        }
    }

    /**
     * All of them, or none.
     *
     * @param who waits for the method's result: which thread has asked for it says little
     */
    PendingLocks acquireAsync(List<WantedLock> missing, String who) {
        String caller = who + " of " + missing.get(0).method().shortName();
        List<LockRequest> requests =
                missing.stream().map(lock -> lock.request().caller(caller)).toList();
        if (requests.size() == 1) {
            CompletableFuture<LockHandle> one = answered(registry.acquireAsync(requests.get(0)));
            return new PendingLocks(one, one.thenApply(List::of));
        }
        CompletableFuture<List<LockHandle>> all = answered(registry.acquireAllAsync(requests));
        return new PendingLocks(all, all);
    }

    /**
     * Calls back with all of them, or with what went wrong, but never within this call: its thread may be in a transaction, in which
     * the work has no part, and does not want to be kept.
     */
    void whenAnswered(PendingLocks pending, BiConsumer<@Nullable List<LockHandle>, @Nullable Throwable> callback) {
        Thread asking = Thread.currentThread();
        AtomicBoolean asks = new AtomicBoolean(true);
        pending.handles().whenCompleteAsync(callback, work -> {
            if (asks.get() && Thread.currentThread() == asking) {
                handOver(work);
            } else {
                work.run();
            }
        });
        asks.set(false);
    }

    private void handOver(Runnable work) {
        try {
            ofGrantsAtOnce.execute(work);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            // A grant that nobody takes would be held for ever.
            work.run();
        }
    }

    /** A mock answers with null, which must not pass for a lock that is not free. */
    <T> T answered(@Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": the LockRegistry, a "
                    + registry.getClass().getName() + ", answered null, so nothing is locked and the method was not"
                    + " entered. If it is a mock, take io.dynamolock.spring.test.UnlockedRegistry.create() instead.");
        }
        return answer;
    }

    /**
     * What became of a wait that blocks nobody.
     *
     * @throws CompletionException with whatever else went wrong
     */
    static WaitResult result(
            List<WantedLock> missing, @Nullable List<LockHandle> handles, @Nullable Throwable failure) {
        if (handles != null) {
            return new WaitResult(handles, null);
        }
        Throwable cause = cause(Objects.requireNonNull(failure));
        if (cause instanceof LockTimeoutException timeout) {
            return new WaitResult(List.of(), timeout(missing, timeout));
        }
        throw new CompletionException(cause);
    }

    /** What it means that the wait for one of these is over. */
    private static WaitTimeout timeout(List<WantedLock> missing, LockTimeoutException e) {
        LockDeclaration late = missing.stream()
                .filter(lock -> lock.request().key().equals(e.key())
                        && lock.request().namespace().equals(e.namespace()))
                .findFirst()
                .orElse(missing.get(0))
                .method();
        return new WaitTimeout(late, e);
    }

    /**
     * Runs what lies under the locks: the aspects inside them, and the method itself.
     *
     * @param preparing may change the arguments for this run
     */
    @Nullable
    Object proceed(List<CurrentHandle> locks, Consumer<@Nullable Object[]> preparing) throws Throwable {
        boolean isLater = method.result().kind() != MethodResult.Kind.PLAIN;
        // It counts how far it has come, and each subscription begins anew.
        MethodInvocation rest =
                isLater && invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
        preparing.accept(rest.getArguments());
        // Aspects of AspectJ find it by the thread, which may be another one now.
        return CurrentHandle.during(
                locks, isLater ? () -> ExposeInvocationInterceptor.INSTANCE.invoke(rest) : rest::proceed);
    }

    /** What went wrong, without the wrapping of a future that depends on another. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
