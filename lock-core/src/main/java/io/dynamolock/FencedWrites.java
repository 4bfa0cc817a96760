package io.dynamolock;

import io.dynamolock.internal.Internals;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Writes to DynamoDB that take effect only while the caller holds its lock: transactions that contain the {@linkplain
 * LockHandle#fence() check of the lock}. If a process was frozen and has lost its lock, such a write cannot do harm
 * when the process wakes up.
 *
 * <pre>{@code
 * FencedWrites writes = FencedWrites.with(client);
 * try (LockHandle lock = locks.acquire("customer:42", Duration.ofSeconds(10))) {
 *     writes.transact(lock, TransactWriteItem.builder().put(order).build());
 * }
 * }</pre>
 *
 * <p>All methods take up to 99 items, of any tables in the account and region of the lock's table, except the item of
 * the lock itself. The check is the last item of the transaction: the reasons of a {@link TransactionCanceledException}
 * stand in the order of the given items, followed by the reason of the check.
 *
 * <p>DynamoDB rejects a transaction if another write of one of its items is under way. If the lock's item is among
 * these, and such conflicts are the only reason, the transaction is sent again, up to 50 times in all, after pauses
 * that grow from 5 to 10 ms to 80 to 160 ms. Concurrent transactions under one lock conflict with each other; send them
 * one after the other.
 *
 * <p>Immutable and thread-safe. The caller closes the client.
 */
public interface FencedWrites {

    /**
     * By a client that blocks; {@code transactAsync} is refused.
     *
     * @param client for the account and region of the lock's table; it may have any retry settings
     */
    static FencedWrites with(DynamoDbClient client) {
        return Internals.fencedWrites(client);
    }

    /** By a client that does not block; otherwise as {@link #with(DynamoDbClient)}. */
    static FencedWrites with(DynamoDbAsyncClient client) {
        return Internals.fencedWrites(client);
    }

    /** As {@link #transact(LockHandle, TransactWriteItemsRequest)}. */
    TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItem... items);

    /**
     * Writes all items, or none if the handle does not hold the lock any more. Blocks until DynamoDB has answered.
     *
     * <p>An interrupt during a pause ends the repetitions: the interrupt flag is kept, and the last refusal is thrown.
     *
     * @param request if it has a client request token, every attempt has the same; otherwise each attempt has its own,
     *     which the client's retries of that attempt share
     * @throws LockLostException if the handle is not valid, or DynamoDB found that the lock was passed on; nothing is
     *     written. Another caller may hold the lock
     * @throws TransactionCanceledException if anything else is wrong with the transaction, as the client threw it;
     *     nothing is written, and the lock is held as before
     * @throws software.amazon.awssdk.core.exception.SdkException if the call failed otherwise, or was interrupted. If
     *     there was no answer, the items may have been written, or may be written later, but never after the lock was
     *     passed on
     * @throws IllegalArgumentException if there is no item, or more than 99; no call is made
     * @throws UnsupportedOperationException if the handle's lock is not in DynamoDB, is shared or is a permit; no call
     *     is made
     */
    TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItemsRequest request);

    /** As {@link #transactAsync(LockHandle, TransactWriteItemsRequest)}. */
    CompletableFuture<TransactWriteItemsResponse> transactAsync(LockHandle handle, TransactWriteItem... items);

    /**
     * As {@link #transact(LockHandle, TransactWriteItemsRequest)}, without blocking. The future completes exceptionally
     * with what that method throws. Cancelling it changes nothing. Its continuations run where the client completes its
     * futures.
     *
     * @throws IllegalArgumentException if there is no item, or more than 99; no call is made
     * @throws UnsupportedOperationException if the client blocks; no call is made
     */
    CompletableFuture<TransactWriteItemsResponse> transactAsync(LockHandle handle, TransactWriteItemsRequest request);
}
