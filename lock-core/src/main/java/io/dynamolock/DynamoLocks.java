package io.dynamolock;

import io.dynamolock.internal.store.LockStore;
import java.util.Objects;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Where locks begin.
 *
 * <pre>{@code
 * try (LockRegistry locks = DynamoLocks.builder(client).tableName("dynamo-locks").build();
 *         LockHandle lock = locks.acquire("customer:42", Duration.ofSeconds(10))) {
 *     save(order, lock.fencingToken());
 * }
 * }</pre>
 */
public final class DynamoLocks {

    private DynamoLocks() {}

    /**
     * A registry on a DynamoDB table, by a client that blocks. It takes less of the processor than the other kind; its
     * calls are made on daemon threads, as many as there are calls in flight.
     *
     * @param client stays the caller's to close, after the registry. It should allow a quarter more connections
     *     than {@link DynamoLocksBuilder#maxCallsInFlight}, and eight. Retries are the registry's business: it is cheaper to give a
     *     client that has none than to have them switched off for each call
     */
    public static DynamoLocksBuilder builder(DynamoDbClient client) {
        return new DynamoLocksBuilder(DynamoDbConnection.of(client), null);
    }

    /** A registry on a DynamoDB table, by a client that does not block; else as {@link #builder(DynamoDbClient)}. */
    public static DynamoLocksBuilder builder(DynamoDbAsyncClient client) {
        return new DynamoLocksBuilder(DynamoDbConnection.of(client), null);
    }

    /**
     * A registry on any store, for example on an {@link io.dynamolock.internal.store.memory.InMemoryLockStore} in tests. The
     * builder's settings of the DynamoDB table have no effect then.
     *
     * @param store stays the caller's
     */
    public static DynamoLocksBuilder builder(LockStore store) {
        return new DynamoLocksBuilder(null, Objects.requireNonNull(store, "store"));
    }
}
