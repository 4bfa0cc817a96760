package io.dynamolock.internal;

import io.dynamolock.LockHandle;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends fenced transactions until they are through. Immutable and thread-safe.
 *
 * @param blocking makes a call and waits for its answer
 * @param async makes a call; {@code null} if the client blocks
 * @param random for jitter, from 0 to 1
 */
public record FencedCalls(
        Function<TransactWriteItemsRequest, TransactWriteItemsResponse> blocking,
        @Nullable Function<TransactWriteItemsRequest, CompletableFuture<TransactWriteItemsResponse>> async,
        FencedTransaction.Timer timer,
        DoubleSupplier random) {

    public static FencedCalls by(DynamoDbClient client) {
        return by(client, FencedTransaction.Timer.SYSTEM, FencedTransaction.anyRandom());
    }

    static FencedCalls by(DynamoDbClient client, FencedTransaction.Timer timer, DoubleSupplier random) {
        Objects.requireNonNull(client, "client");
        return new FencedCalls(client::transactWriteItems, null, timer, random);
    }

    public static FencedCalls by(DynamoDbAsyncClient client) {
        return by(client, FencedTransaction.Timer.SYSTEM, FencedTransaction.anyRandom());
    }

    static FencedCalls by(DynamoDbAsyncClient client, FencedTransaction.Timer timer, DoubleSupplier random) {
        Objects.requireNonNull(client, "client");
        return new FencedCalls(
                request -> Waiting.forAnswer(
                        client.transactWriteItems(request),
                        interrupt -> AbortedException.create(
                                "Interrupted while a fenced transaction was under way; it may be written.", interrupt)),
                client::transactWriteItems,
                timer,
                random);
    }

    public TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItemsRequest request) {
        FencedTransaction transaction = new FencedTransaction(handle, request, random);
        while (true) {
            try {
                return blocking.apply(transaction.nextAttempt());
            } catch (TransactionCanceledException refusal) {
                Waiting.forAnswer(timer.after(transaction.pauseAfter(refusal)), interrupt -> refusal);
            }
        }
    }

    public CompletableFuture<TransactWriteItemsResponse> transactAsync(
            LockHandle handle, TransactWriteItemsRequest request) {
        if (async == null) {
            throw new UnsupportedOperationException("The client of these fenced writes blocks. Give"
                    + " FencedWrites.with(...) a DynamoDbAsyncClient for calls that do not.");
        }
        return attempt(async, new FencedTransaction(handle, request, random));
    }

    private CompletableFuture<TransactWriteItemsResponse> attempt(
            Function<TransactWriteItemsRequest, CompletableFuture<TransactWriteItemsResponse>> calls,
            FencedTransaction transaction) {
        CompletableFuture<TransactWriteItemsResponse> answer;
        try {
            answer = calls.apply(transaction.nextAttempt());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return answer.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof TransactionCanceledException refusal
                    ? timer.after(transaction.pauseAfter(refusal)).thenCompose(waited -> attempt(calls, transaction))
                    : CompletableFuture.failedFuture(failure);
        });
    }
}
