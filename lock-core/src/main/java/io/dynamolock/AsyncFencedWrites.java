package io.dynamolock;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.DoubleSupplier;
import software.amazon.awssdk.enhanced.dynamodb.model.TransactWriteItemsEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * {@link FencedWrites} by a client that does not block. What those methods throw, the futures complete with, except for an
 * {@link IllegalArgumentException}, which is thrown at once. Cancelling a future changes nothing. Its continuations run
 * where the client completes its futures.
 */
public final class AsyncFencedWrites {

    private final DynamoDbAsyncClient client;
    private final FencedTransaction.Timer timer;
    private final DoubleSupplier random;

    AsyncFencedWrites(DynamoDbAsyncClient client, FencedTransaction.Timer timer, DoubleSupplier random) {
        this.client = Objects.requireNonNull(client, "client");
        this.timer = timer;
        this.random = random;
    }

    /** @param client for the account and region of the lock's table; its retries may be what you like */
    public static AsyncFencedWrites with(DynamoDbAsyncClient client) {
        return new AsyncFencedWrites(client, FencedTransaction.Timer.SYSTEM, FencedTransaction.anyRandom());
    }

    /** As {@link FencedWrites#transact(LockHandle, TransactWriteItem...)}. */
    public CompletableFuture<TransactWriteItemsResponse> transact(LockHandle handle, TransactWriteItem... items) {
        return transact(handle, FencedTransaction.request(items));
    }

    /** As {@link FencedWrites#transact(LockHandle, TransactWriteItemsEnhancedRequest)}. */
    public CompletableFuture<TransactWriteItemsResponse> transact(
            LockHandle handle, TransactWriteItemsEnhancedRequest request) {
        return transact(handle, FencedTransaction.request(request));
    }

    /**
     * As {@link FencedWrites#transact(LockHandle, TransactWriteItemsRequest)}.
     *
     * @throws IllegalArgumentException if there is no item, or more than 99
     */
    public CompletableFuture<TransactWriteItemsResponse> transact(
            LockHandle handle, TransactWriteItemsRequest request) {
        return attempt(new FencedTransaction(handle, request, random));
    }

    private CompletableFuture<TransactWriteItemsResponse> attempt(FencedTransaction transaction) {
        CompletableFuture<TransactWriteItemsResponse> answer;
        try {
            answer = client.transactWriteItems(transaction.nextAttempt());
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
        return answer.exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof TransactionCanceledException refusal
                    ? timer.after(transaction.pauseAfter(refusal)).thenCompose(waited -> attempt(transaction))
                    : CompletableFuture.failedFuture(failure);
        });
    }
}
