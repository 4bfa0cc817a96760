package io.dynamolock.store.dynamodb;

import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** By the blocking client, on DynamoDB Local inside this JVM. */
class BlockingDynamoLockStoreTest extends DynamoLockStoreContract {

    @Override
    LockStore storeOn(DynamoTableSettings settings) {
        return new DynamoLockStore(EmbeddedDynamoDb.blockingClient(), settings, 8);
    }

    @Override
    DynamoDbAsyncClient client() {
        return EmbeddedDynamoDb.client();
    }
}
