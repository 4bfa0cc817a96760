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
 * Writes to DynamoDB that land only while the caller has its lock: transactions with the {@linkplain LockHandle#fence()
 * check of the lock} in them. A process that was frozen, lost its lock and wakes up cannot do harm by them.
 *
 * <pre>{@code
 * FencedWrites writes = FencedWrites.with(client);
 * try (LockHandle lock = locks.acquire("customer:42", Duration.ofSeconds(10))) {
 *     writes.transact(lock, TransactWriteItem.builder().put(order).build());
 * }
 * }</pre>
 *
 * <p>All methods take up to 99 items, of any tables of the account and region of the lock's table, and none of them may be
 * the lock's own item. The check stands last: the reasons of a {@link TransactionCanceledException} stand in the order
 * of the items given, and one more for the lock.
 *
 * <p>DynamoDB rejects a transaction whose items are just being written by somebody else. If the lock's item is such an
 * item, and nothing but conflicts is wrong, the transaction is sent again, up to 50 times in all, after pauses of 5 to 10
 * ms at first and of 80 to 160 ms in the end. Two transactions at a time under one lock get into each other's way; one
 * after the other they do not.
 *
 * <p>Immutable and thread-safe; the client stays the caller's to close.
 */
public interface FencedWrites {

    /**
     * By a client that blocks; {@code transactAsync} is refused.
     *
     * @param client for the account and region of the lock's table; its retries may be what you like
     */
    static FencedWrites with(DynamoDbClient client) {
        return Internals.fencedWrites(client);
    }

    /** By a client that does not block; else as {@link #with(DynamoDbClient)}. */
    static FencedWrites with(DynamoDbAsyncClient client) {
        return Internals.fencedWrites(client);
    }

    /** As {@link #transact(LockHandle, TransactWriteItemsRequest)}. */
    TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItem... items);

    /**
     * Writes all items, or none if the lock is not this handle's any more. Blocks until DynamoDB has answered.
     *
     * <p>An interrupt during a pause ends the repetitions: the interrupt flag is kept, and the last refusal is thrown.
     *
     * @param request its client request token, if it has one, goes with every attempt; else each attempt has one of its own
     *     that the client's own retries share
     * @throws LockLostException if the handle is not valid, or DynamoDB found that the lock was passed on; nothing is
     *     written. Another caller may hold the lock
     * @throws TransactionCanceledException if anything else was wrong with the transaction, as it came from the client;
     *     nothing is written, and the lock is as it was
     * @throws software.amazon.awssdk.core.exception.SdkException if the call failed otherwise, or was interrupted. If there was
     *     no answer, all of it may have been written, or may be written later, though never after the lock was passed on
     * @throws IllegalArgumentException if there is no item, or more than 99; no call is made
     * @throws UnsupportedOperationException if the handle's lock is not in DynamoDB, is shared or is a permit; no call is made
     */
    TransactWriteItemsResponse transact(LockHandle handle, TransactWriteItemsRequest request);

    /** As {@link #transactAsync(LockHandle, TransactWriteItemsRequest)}. */
    CompletableFuture<TransactWriteItemsResponse> transactAsync(LockHandle handle, TransactWriteItem... items);

    /**
     * As {@link #transact(LockHandle, TransactWriteItemsRequest)}, without blocking. What that throws, the future completes with.
     * Cancelling it changes nothing. Its continuations run where the client completes its futures.
     *
     * @throws IllegalArgumentException if there is no item, or more than 99; no call is made
     * @throws UnsupportedOperationException if the client blocks; no call is made
     */
    CompletableFuture<TransactWriteItemsResponse> transactAsync(LockHandle handle, TransactWriteItemsRequest request);
}
