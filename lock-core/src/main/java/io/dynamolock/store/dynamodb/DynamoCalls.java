package io.dynamolock.store.dynamodb;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Makes calls without ever blocking who asks for them, and answers each in time.
 *
 * <p>The SDK resolves credentials on the thread that makes a call, and some providers go to the network for them.
 * Therefore threads of this class make the calls, one for each processor up to four, because building and signing a
 * request is most of the work of a lock. They are daemons and end when they are not needed.
 */
final class DynamoCalls {

    private static final Duration THREAD_IDLE = Duration.ofSeconds(30);
    static final int MAX_THREADS = 4;

    private final DynamoFailures failures;
    private final Duration callTimeout;
    private final Executor sender;

    DynamoCalls(DynamoFailures failures, Duration callTimeout) {
        this(failures, callTimeout, senderThreads());
    }

    DynamoCalls(DynamoFailures failures, Duration callTimeout, Executor sender) {
        this.failures = failures;
        this.callTimeout = callTimeout;
        this.sender = sender;
    }

    CompletionStage<Void> call(DynamoOperation operation, Supplier<? extends CompletionStage<?>> send) {
        return call(operation, send, DynamoCalls::nothing);
    }

    <R, T> CompletionStage<T> call(
            DynamoOperation operation,
            Supplier<? extends CompletionStage<? extends R>> send,
            Function<R, T> onSuccess) {
        return call(operation, send, onSuccess, refusal -> {
            throw refusal;
        });
    }

    /** @param onRefusal what the answer is if the call's condition did not hold */
    <R, T> CompletionStage<T> call(
            DynamoOperation operation,
            Supplier<? extends CompletionStage<? extends R>> send,
            Function<R, T> onSuccess,
            Function<ConditionalCheckFailedException, T> onRefusal) {
        CompletableFuture<R> response = new CompletableFuture<>();
        CompletableFuture<T> answer = new CompletableFuture<>();
        response.whenComplete((result, failure) -> {
            try {
                answer.complete(
                        failure == null ? onSuccess.apply(result) : onRefusal.apply(DynamoFailures.refusal(failure)));
            } catch (Throwable unexpected) {
                answer.completeExceptionally(failures.storeFailure(operation, unexpected));
            }
        });
        // The SDK's own timeout starts when the request goes out, which credentials or earlier calls may hold up.
        response.orTimeout(callTimeout.toNanos(), TimeUnit.NANOSECONDS);
        sender.execute(() -> send(send, response));
        return answer;
    }

    /** The answer of a call that has none; {@code Void} has no other value. */
    @SuppressWarnings("NullAway")
    static Void nothing(@Nullable Object response) {
        return null;
    }

    private static <R> void send(Supplier<? extends CompletionStage<? extends R>> send, CompletableFuture<R> response) {
        if (response.isDone()) {
            return;
        }
        try {
            send.get().whenComplete((result, failure) -> {
                if (failure == null) {
                    response.complete(result);
                } else {
                    response.completeExceptionally(failure);
                }
            });
        } catch (Throwable failure) {
            response.completeExceptionally(failure);
        }
    }

    static Executor senderThreads() {
        int threads = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                threads, threads, THREAD_IDLE.toSeconds(), TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "dynamolock-calls");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }
}
