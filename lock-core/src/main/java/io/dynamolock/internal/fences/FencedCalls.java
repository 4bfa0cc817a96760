package io.dynamolock.internal.fences;

import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.internal.store.dynamodb.BlockingClient;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Sends fenced transactions, and repeats them until they are written or refused for good. Immutable and thread-safe.
 *
 * @param pause completes after this time, without blocking a thread
 * @param random for jitter, from 0 to 1
 */
public record FencedCalls(
        DynamoDbAsyncClient client, Function<Duration, CompletableFuture<Void>> pause, DoubleSupplier random)
        implements FencedWrites {

    public FencedCalls {
        Objects.requireNonNull(client, "client");
    }

    public static FencedCalls with(DynamoDbClient client) {
        return with(new BlockingClient(client));
    }

    public static FencedCalls with(DynamoDbAsyncClient client) {
        return new FencedCalls(
                client, Futures::after, () -> ThreadLocalRandom.current().nextDouble());
    }

    @Override
    public TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItem... items) {
        return transact(handle, request(items));
    }

    @Override
    public CompletableFuture<TransactWriteItemsResponse> transactAsync(LockHandle handle, TransactWriteItem... items) {
        return transactAsync(handle, request(items));
    }

    private static TransactWriteItemsRequest request(TransactWriteItem... items) {
        return TransactWriteItemsRequest.builder().transactItems(items).build();
    }

    @Override
    public TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItemsRequest request) {
        FencedTransaction transaction = new FencedTransaction(handle, request, random);
        while (true) {
            try {
                return Futures.await(
                        client.transactWriteItems(transaction.nextAttempt()),
                        interrupt -> AbortedException.create(
                                "Interrupted while a fenced transaction was under way; it may be written.", interrupt));
            } catch (TransactionCanceledException refusal) {
                Futures.await(pause.apply(transaction.pauseAfter(refusal)), interrupt -> refusal);
            }
        }
    }

    @Override
    public CompletableFuture<TransactWriteItemsResponse> transactAsync(
            LockHandle handle, TransactWriteItemsRequest request) {
        if (client instanceof BlockingClient) {
            throw new UnsupportedOperationException("The client of these fenced writes blocks. Give"
                    + " FencedWrites.with(...) a DynamoDbAsyncClient for calls that do not.");
        }
        FencedTransaction transaction = new FencedTransaction(handle, request, random);
        return Futures.of(() -> attempt(transaction));
    }

    private CompletableFuture<TransactWriteItemsResponse> attempt(FencedTransaction transaction) {
        return Futures.of(() -> client.transactWriteItems(transaction.nextAttempt()))
                .exceptionallyCompose(failure -> failure instanceof TransactionCanceledException refusal
                        ? pause.apply(transaction.pauseAfter(refusal)).thenCompose(waited -> attempt(transaction))
                        : CompletableFuture.failedFuture(failure));
    }
}
