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
import io.dynamolock.spring.internal.persistence.PersistenceCheck;
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
 * One call of a locked method: the locks it wants, how it acquires them, and how it enters the method. Holds no lock
 * itself.
 *
 * @param wanted empty if the call runs without a lock
 * @param untilTransactionEnds whether locks taken inside a transaction are held until its end; has no effect on a call
 *     that returns a future
 * @param persistenceCheck asked before and after a wait that blocks
 * @param immediateGrantExecutor see {@link LockInterceptor#IMMEDIATE_GRANT_EXECUTOR}
 */
record LockedCall(
        LockedMethod method,
        LockRegistry registry,
        List<WantedLock> wanted,
        MethodInvocation invocation,
        boolean untilTransactionEnds,
        PersistenceCheck persistenceCheck,
        Executor immediateGrantExecutor) {

    /**
     * Acquires the missing locks, all or none, on the thread that will run the method. Blocks unless the list is empty.
     *
     * @throws io.dynamolock.spring.annotation.PersistenceContextException if this thread may have read before, and such
     *     calls are refused
     */
    WaitResult acquire(List<WantedLock> missing) {
        if (missing.isEmpty()) {
            return new WaitResult(List.of(), null);
        }
        NonBlockingThreads.refuse(method);
        persistenceCheck.beforeWait(method, invocation, missing);
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
     * Logs the call, if this thread may have read before it had the locks. To be called on the thread that runs the
     * method, when the call has taken the locks.
     *
     * @param granted the locks that {@link #acquire} has acquired
     */
    void tellOfEarlierReads(List<WantedLock> granted) {
        persistenceCheck.afterGrant(method, invocation, granted);
    }

    /**
     * Acquires the missing locks, all or none, without blocking.
     *
     * @param who what waits for the method's result, {@code future} or {@code subscriber}: operators who look at the
     *     queue see this word with the method's name, because the name of the asking thread would tell them little
     */
    PendingLocks acquireAsync(List<WantedLock> missing, String who) {
        String caller = who + " of " + missing.get(0).declaration().shortName();
        List<LockRequest> requests =
                missing.stream().map(lock -> lock.request().caller(caller)).toList();
        if (requests.size() == 1) {
            CompletableFuture<LockHandle> handle = answered(registry.acquireAsync(requests.get(0)));
            return new PendingLocks(handle, handle.thenApply(List::of));
        }
        CompletableFuture<List<LockHandle>> handles = answered(registry.acquireAllAsync(requests));
        return new PendingLocks(handles, handles);
    }

    /**
     * Calls back with all handles or with the failure. If the answer is there at once, the callback runs on another
     * thread, because the calling thread may be in a transaction that the work must not join, and its caller waits for
     * it to return. If no thread can be had, it runs here.
     */
    void whenAnswered(PendingLocks pending, BiConsumer<@Nullable List<LockHandle>, @Nullable Throwable> callback) {
        Thread asking = Thread.currentThread();
        AtomicBoolean isAsking = new AtomicBoolean(true);
        pending.handles().whenCompleteAsync(callback, work -> {
            if (isAsking.get() && Thread.currentThread() == asking) {
                handOver(work);
            } else {
                work.run();
            }
        });
        isAsking.set(false);
    }

    private void handOver(Runnable work) {
        try {
            immediateGrantExecutor.execute(work);
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            // If the work did not run at all, nobody would ever release the granted locks.
            work.run();
        }
    }

    /**
     * Refuses null, which a mocked registry returns: a mistake in a test must not look like a lock that is not free.
     */
    <T> T answered(@Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": the LockRegistry, a "
                    + registry.getClass().getName() + ", answered null, so nothing is locked and the method was not"
                    + " entered. If it is a mock, take io.dynamolock.spring.test.UnlockedRegistry.create() instead.");
        }
        return answer;
    }

    /**
     * The result of a wait that blocked no thread.
     *
     * @throws CompletionException if the wait failed otherwise than by a timeout
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

    /** The timeout, with the declaration of the lock that was not free. */
    private static WaitTimeout timeout(List<WantedLock> missing, LockTimeoutException e) {
        LockDeclaration declaration = missing.stream()
                .filter(lock -> lock.request().key().equals(e.key())
                        && lock.request().namespace().equals(e.namespace()))
                .findFirst()
                .orElse(missing.get(0))
                .declaration();
        return new WaitTimeout(declaration, e);
    }

    /**
     * Runs the aspects inside the locks, and the method itself.
     *
     * @param prepareArguments may change the arguments for this run
     */
    @Nullable
    Object proceed(List<CurrentHandle> locks, Consumer<@Nullable Object[]> prepareArguments) throws Throwable {
        boolean runsLater = method.result().kind() != MethodResult.Kind.PLAIN;
        // An invocation remembers its position in the chain of aspects. Work that runs later, perhaps once for each
        // subscription, needs a copy whose position is still that of the lock.
        MethodInvocation rest = runsLater && invocation instanceof ProxyMethodInvocation proxied
                ? proxied.invocableClone()
                : invocation;
        prepareArguments.accept(rest.getArguments());
        // Aspects in AspectJ's style look the invocation up by the thread, and this may be another thread than at the
        // start of the call.
        return CurrentHandle.during(
                method.entered(locks),
                runsLater ? () -> ExposeInvocationInterceptor.INSTANCE.invoke(rest) : rest::proceed);
    }

    /** The failure, without the {@link CompletionException} that a dependent future wraps around it. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : null;
        return cause == null ? failure : cause;
    }
}
