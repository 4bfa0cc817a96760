package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Makes calls to DynamoDB. A call never blocks the thread that asks for it, and always ends within the call timeout.
 *
 * <p>The calls are made on threads of their own: a blocking client blocks them, and the SDK resolves credentials on the
 * thread that makes a call, for which some providers use the network. These threads also build the requests, which is
 * most of the processor time that a lock takes. If a call times out before a thread takes it up, it is not sent. A
 * thread that hangs, in a credentials provider for example, stays with its call beyond the timeout, so their number is
 * bounded.
 *
 * @param failures turns failed calls into exceptions
 * @param sentOnce makes the client send each request once and end it in time
 * @param threads where the calls are made
 * @param key the lock that the calls are for; {@code null} if they are for a session or for several locks
 */
record DynamoCalls(
        DynamoFailures failures,
        SentOnce sentOnce,
        Bounded threads,
        @Nullable LockKey key) {

    /** The same for the calls of one lock. If such a call is throttled, its failure names the lock. */
    DynamoCalls of(LockKey lock) {
        return new DynamoCalls(failures, sentOnce, threads, lock);
    }

    /**
     * Makes a call that has no condition.
     *
     * @param request builds the request, on the thread that makes the call
     * @param send makes the call; may block
     * @param onSuccess reads the answer
     */
    <Q, R, T> CompletionStage<T> call(
            DynamoOperation operation,
            Supplier<Q> request,
            Function<Q, CompletableFuture<R>> send,
            Function<R, T> onSuccess) {
        return call(operation, request, send, onSuccess, refusal -> {
            throw refusal;
        });
    }

    /**
     * Makes a call that may have a condition.
     *
     * @param onRefusal the result if the condition did not hold
     */
    <Q, R, T> CompletionStage<T> call(
            DynamoOperation operation,
            Supplier<Q> request,
            Function<Q, CompletableFuture<R>> send,
            Function<R, T> onSuccess,
            Function<ConditionalCheckFailedException, T> onRefusal) {
        CompletableFuture<R> response = new CompletableFuture<>();
        CompletableFuture<T> answer = new CompletableFuture<>();
        response.whenComplete((result, failure) -> {
            try {
                answer.complete(
                        failure == null ? onSuccess.apply(result) : onRefusal.apply(DynamoFailures.refusal(failure)));
            } catch (Throwable unexpected) {
                answer.completeExceptionally(
                        failure == null || unexpected instanceof UnreadableItemException
                                ? failures.unreadable(operation, key, failure == null, unexpected)
                                : failures.storeFailure(operation, key, unexpected));
            }
        });
        Runnable sending = () -> {
            if (!response.isDone()) {
                CompletableFuture.completedFuture(operation)
                        .thenCompose(begun -> send.apply(failures.built(begun, request)))
                        .whenComplete((result, failure) -> {
                            if (failure == null) {
                                response.complete(result);
                            } else {
                                response.completeExceptionally(failure);
                            }
                        });
            }
        };
        // The SDK's own timeout begins only when the request is sent. Credentials or earlier calls may delay that.
        response.orTimeout(sentOnce.callTimeout().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((result, failure) -> {
                    if (failure instanceof TimeoutException) {
                        // Otherwise calls would pile up behind threads that hang.
                        threads.withdraw(sending);
                    }
                });
        threads.execute(sending);
        return answer;
    }
}
