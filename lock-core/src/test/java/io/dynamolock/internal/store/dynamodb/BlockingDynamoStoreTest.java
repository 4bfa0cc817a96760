package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** By the blocking client, on DynamoDB Local inside this JVM. */
class BlockingDynamoStoreTest extends DynamoStoreContract {

    @Override
    DynamoStore storeOn(DynamoTableSettings settings) {
        return new DynamoStore(new BlockingClient(EmbeddedDynamoDb.blockingClient()), settings, 8, CallThreads.pool());
    }

    @Override
    DynamoDbAsyncClient client() {
        return EmbeddedDynamoDb.client();
    }
}
