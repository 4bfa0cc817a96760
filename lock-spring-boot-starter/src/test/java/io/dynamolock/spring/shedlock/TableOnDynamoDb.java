package io.dynamolock.spring.shedlock;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.util.UUID;

/** A lock table of a test's own on DynamoDB Local; it is not there until it is made. */
final class TableOnDynamoDb {

    private final String name = "shedlock-" + UUID.randomUUID();

    LockRegistryBuilder locks() {
        return LockRegistry.builder(EmbeddedDynamoDb.blockingClient()).tableName(name);
    }

    void make() {
        locks().table().create();
    }

    void delete() {
        EmbeddedDynamoDb.blockingClient().deleteTable(table -> table.tableName(name));
    }
}
