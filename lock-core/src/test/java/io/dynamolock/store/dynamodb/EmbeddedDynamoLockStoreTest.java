package io.dynamolock.store.dynamodb;

import io.dynamolock.store.testing.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** On DynamoDB Local inside this JVM. */
class EmbeddedDynamoLockStoreTest extends DynamoLockStoreContract {

    @Override
    DynamoDbAsyncClient client() {
        return EmbeddedDynamoDb.client();
    }
}
