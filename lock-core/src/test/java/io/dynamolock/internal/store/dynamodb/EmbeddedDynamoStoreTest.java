package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** On DynamoDB Local inside this JVM. */
class EmbeddedDynamoStoreTest extends DynamoStoreContract {

    @Override
    DynamoStore storeOn(DynamoTableSettings settings) {
        return new DynamoStore(client(), settings, DynamoStore.SENDERS, CallThreads.pool());
    }

    @Override
    DynamoDbAsyncClient client() {
        return EmbeddedDynamoDb.client();
    }
}
