package io.dynamolock;

import io.dynamolock.store.LockStore;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Where locks begin. */
public final class DynamoLocks {

    private DynamoLocks() {}

    /** A registry on a DynamoDB table. The client stays the caller's to close. */
    public static DynamoLocksBuilder builder(DynamoDbAsyncClient client) {
        return new DynamoLocksBuilder();
    }

    /** A registry on any store. */
    public static DynamoLocksBuilder builder(LockStore store) {
        return new DynamoLocksBuilder();
    }
}
