package io.dynamolock.internal;

import io.dynamolock.internal.store.dynamodb.BlockingClient;
import io.dynamolock.internal.store.dynamodb.DynamoStore;
import io.dynamolock.internal.store.dynamodb.DynamoTable;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import java.util.Objects;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A user's client of either kind, in the shape of the one that does not block. */
record DynamoDbConnection(DynamoDbAsyncClient client, boolean blocks) {

    static DynamoDbConnection of(DynamoDbClient client) {
        return new DynamoDbConnection(new BlockingClient(client), true);
    }

    static DynamoDbConnection of(DynamoDbAsyncClient client) {
        return new DynamoDbConnection(Objects.requireNonNull(client, "client"), false);
    }

    /** @param threads where calls are built and made; as many of them as there are calls, if those block */
    DynamoStore store(DynamoTableSettings settings, int maxCallsInFlight, Executor threads) {
        return new DynamoStore(client, settings, blocks ? maxCallsInFlight : DynamoStore.SENDERS, threads);
    }

    DynamoTable table(DynamoTableSettings settings) {
        return new DynamoTable(client, settings);
    }
}
