package io.dynamolock;

import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.dynamodb.DynamoStore;
import io.dynamolock.internal.store.dynamodb.DynamoTable;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import java.util.Objects;
import java.util.concurrent.Executor;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A user's client of either kind. */
sealed interface DynamoDbConnection {

    /** @param threads where calls may be made that block */
    LockStore store(DynamoTableSettings settings, int maxCallsInFlight, Executor threads);

    DynamoTable table(DynamoTableSettings settings);

    record Blocking(DynamoDbClient client) implements DynamoDbConnection {

        public Blocking {
            Objects.requireNonNull(client, "client");
        }

        @Override
        public LockStore store(DynamoTableSettings settings, int maxCallsInFlight, Executor threads) {
            return new DynamoStore(client, settings, maxCallsInFlight, threads);
        }

        @Override
        public DynamoTable table(DynamoTableSettings settings) {
            return new DynamoTable(client, settings);
        }
    }

    record Async(DynamoDbAsyncClient client) implements DynamoDbConnection {

        public Async {
            Objects.requireNonNull(client, "client");
        }

        @Override
        public LockStore store(DynamoTableSettings settings, int maxCallsInFlight, Executor threads) {
            return new DynamoStore(client, settings, threads);
        }

        @Override
        public DynamoTable table(DynamoTableSettings settings) {
            return new DynamoTable(client, settings);
        }
    }
}
