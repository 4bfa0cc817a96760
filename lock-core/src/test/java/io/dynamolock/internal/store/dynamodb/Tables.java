package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.testing.ItemTables;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Tables for tests of the store. They stay. */
final class Tables {

    static final Duration RETENTION = Duration.ofDays(7);

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final Set<String> CREATED = ConcurrentHashMap.newKeySet();

    private Tables() {}

    static DynamoTableSettings settings(String keyPrefix) {
        return new DynamoTableSettings(
                "locks", keyPrefix, "pk", "sk", "expiresAt", "data", "dynamolock:format", RETENTION, CALL_TIMEOUT);
    }

    static DynamoTableSettings withOtherNames() {
        return new DynamoTableSettings(
                "locks-other-names", "", "PK", "sort-key", "ttl", "note", "version", RETENTION, CALL_TIMEOUT);
    }

    /** @param database tells the databases of this test run apart */
    static synchronized void createOnce(String database, DynamoDbAsyncClient client, DynamoTableSettings settings) {
        if (!CREATED.add(database + settings.tableName())) {
            return;
        }
        client.createTable(ItemTables.byKeys(
                        settings.tableName(),
                        ItemTables.key(settings.partitionKeyAttribute(), ScalarAttributeType.S),
                        ItemTables.key(settings.sortKeyAttribute(), ScalarAttributeType.S)))
                .handle((created, failure) -> {
                    if (failure != null && !(failure.getCause() instanceof ResourceInUseException)) {
                        throw new AssertionError(failure);
                    }
                    return created;
                })
                .join();
    }
}
