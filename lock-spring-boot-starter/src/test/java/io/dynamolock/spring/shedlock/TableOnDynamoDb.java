package io.dynamolock.spring.shedlock;

import io.dynamolock.DynamoLocks;
import io.dynamolock.DynamoLocksBuilder;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.util.UUID;

/** A lock table of a test's own on DynamoDB Local; it is not there until it is made. */
final class TableOnDynamoDb {

    private final String name = "shedlock-" + UUID.randomUUID();

    DynamoLocksBuilder locks() {
        return DynamoLocks.builder(EmbeddedDynamoDb.blockingClient()).tableName(name);
    }

    void make() {
        locks().table().create();
    }

    void delete() {
        EmbeddedDynamoDb.blockingClient().deleteTable(table -> table.tableName(name));
    }
}
