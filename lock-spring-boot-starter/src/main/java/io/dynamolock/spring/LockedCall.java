package io.dynamolock.spring;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One call of a method whose work goes on after it has returned.
 *
 * @param untilTransactionEnds whether the lock is held until a transaction has ended that was active at the start
 */
record LockedCall(
        LockedMethod method, LockRegistry locks, LockRequest request, MethodBody body, boolean untilTransactionEnds) {

    /** Blocks. @return null if the method is to be skipped */
    @Nullable
    LockHandle acquire() {
        return method.onTimeout() == OnTimeout.SKIP
                ? answered(locks.tryAcquire(request)).orElse(null)
                : answered(locks.acquire(request));
    }

    CompletableFuture<LockHandle> acquireAsync() {
        return answered(locks.acquireAsync(request));
    }

    /** A mock answers with null, which must not pass for a lock that is not free. */
    private <T> T answered(@Nullable T answer) {
        if (answer == null) {
            throw new IllegalStateException("@DynamoLocked on " + method.description() + ": the LockRegistry, a "
                    + locks.getClass().getName() + ", answered null, so nothing is locked and the method was not"
                    + " entered. If it is a mock, take io.dynamolock.spring.test.UnlockedRegistry.create() instead.");
        }
        return answer;
    }

    /** Whether an acquisition that ended so means that the method is to be skipped. */
    boolean skipsAfter(Throwable failure) {
        return failure instanceof LockTimeoutException && method.onTimeout() == OnTimeout.SKIP;
    }

    boolean mindsLoss() {
        return method.onLost() != OnLost.IGNORE;
    }

    /** @return the result, if nothing in it goes on */
    @Nullable
    Object finished(@Nullable Object result) {
        if (result != null && method.result().mayHideUnfinishedWork() && UnfinishedWork.isIn(result)) {
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
