package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.protocol.LockKey;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Makes calls without ever blocking who asks for them, and answers each in time.
 *
 * <p>The threads that it is given make the calls: a blocking client blocks them, and the SDK resolves credentials on the
 * thread that makes a call, for which some providers go to the network. They also build the requests, which is most of the
 * work of a lock. A call that was given up before its turn is not sent.
 *
 * @param sentOnce how their requests are sent, and how long an answer may take
 * @param threads where they are made
 * @param key the lock that they are for; {@code null} if they are for a session, or for many locks
 */
record DynamoCalls(
        DynamoFailures failures,
        SentOnce sentOnce,
        Executor threads,
        @Nullable LockKey key) {

    /** The same for a lock, which is found in the failure of a call that is throttled. */
    DynamoCalls of(LockKey lock) {
        return new DynamoCalls(failures, sentOnce, threads, lock);
    }

    /**
     * @param request is built on the thread that makes the call
     * @param send makes the call; it may block
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

    /** @param onRefusal what the answer is if the call's condition did not hold */
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
                        failure == null
                                ? failures.unreadable(operation, unexpected)
                                : failures.storeFailure(operation, key, unexpected));
            }
        });
        // The SDK's own timeout starts when the request goes out, which credentials or earlier calls may hold up.
        response.orTimeout(sentOnce.callTimeout().toNanos(), TimeUnit.NANOSECONDS);
        threads.execute(() -> {
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
        });
        return answer;
    }
}
