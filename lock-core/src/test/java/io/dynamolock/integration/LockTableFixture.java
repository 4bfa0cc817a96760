package io.dynamolock.integration;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.dynamodb.DynamoStore;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A lock table of its own on DynamoDB Local, and registries on it. */
final class LockTableFixture {

    static final Duration LONG = Duration.ofSeconds(60);

    private final String name = "locks-" + UUID.randomUUID();

    LockTableFixture() {
        registry().table().create();
    }

    String name() {
        return name;
    }

    /** A store on the table, to be wrapped. */
    LockStore store() {
        return new DynamoStore(
                EmbeddedDynamoDb.client(),
                new DynamoTableSettings(
                        name,
                        "",
                        "pk",
                        "sk",
                        "expiresAt",
                        "data",
                        "dynamolock:format",
                        Duration.ofDays(7),
                        Duration.ofSeconds(4)),
                DynamoStore.SENDERS,
                ForkJoinPool.commonPool());
    }

    LockRegistryBuilder registry() {
        return registry(EmbeddedDynamoDb.blockingClient());
    }

    LockRegistryBuilder registry(DynamoDbClient client) {
        return LockRegistry.builder(client).tableName(name);
    }
}
