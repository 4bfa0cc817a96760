package io.dynamolock.store.dynamodb;

import io.dynamolock.store.LockStore;
import io.dynamolock.store.testing.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** On DynamoDB Local inside this JVM. */
class EmbeddedDynamoLockStoreTest extends DynamoLockStoreContract {

    @Override
    LockStore storeOn(DynamoTableSettings settings) {
        return new DynamoLockStore(client(), settings);
    }

    @Override
    DynamoDbAsyncClient client() {
        return EmbeddedDynamoDb.client();
    }
}
