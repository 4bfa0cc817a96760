package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockTable;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.dynamodb.DynamoStore;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.awaitility.Awaitility;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A lock table of its own on DynamoDB Local, and registries on it. */
final class LockTableFixture {

    static final Duration LONG = Duration.ofSeconds(60);

    private final String name = "locks-" + UUID.randomUUID();
    private long firstTail;

    LockTableFixture() {
        table().create();
    }

    LockTable table() {
        return LockRegistry.builder(EmbeddedDynamoDb.client()).tableName(name).table();
    }

    /** A store on the table, to be wrapped. */
    LockStore store() {
        return new DynamoStore(
                EmbeddedDynamoDb.client(),
                new DynamoTableSettings(
                        name, "", "pk", "sk", "expiresAt", "data", Duration.ofDays(7), Duration.ofSeconds(4)),
                DynamoStore.SENDERS,
                ForkJoinPool.commonPool());
    }

    LockRegistryBuilder registry() {
        return registry(EmbeddedDynamoDb.blockingClient());
    }

    LockRegistryBuilder registry(DynamoDbClient client) {
        return LockRegistry.builder(client).tableName(name);
    }

    /** How many tickets of a lock's item have been taken since its first. */
    long ticketsTaken(String key) {
        Map<String, AttributeValue> item = lockItem(key);
        long tail = item.containsKey("tail") ? Long.parseLong(item.get("tail").n()) : 0;
        if (firstTail == 0) {
            firstTail = tail - 1;
        }
        return tail == 0 ? 0 : tail - firstTail;
    }

    /** How many blocks stand in a lock's queue, the one that holds the lock included. */
    int placesTaken(String key) {
        return places(lockItem(key));
    }

    /** Sooner or later nobody stands in a queue any more. */
    void allQueuesBecomeEmpty() {
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(items())
                        .allSatisfy(item -> assertThat(places(item)).isZero()));
    }

    /** Sooner or later all that is left are lock items in whose queues nobody stands. */
    void onlyFreeLockItemsAreLeft() {
        allQueuesBecomeEmpty();
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(items())
                        .extracting(item -> item.get("sk").s())
                        .containsOnly("default/"));
    }

    private static int places(Map<String, AttributeValue> item) {
        return item.containsKey("queue") ? item.get("queue").l().size() : 0;
    }

    /** Writes what no lock would. */
    void put(Map<String, AttributeValue> item) {
        EmbeddedDynamoDb.client().putItem(put -> put.tableName(name).item(item)).join();
    }

    private Map<String, AttributeValue> lockItem(String key) {
        return EmbeddedDynamoDb.client()
                .getItem(get -> get.tableName(name)
                        .consistentRead(true)
                        .key(Map.of("pk", AttributeValue.fromS(key), "sk", AttributeValue.fromS("default/"))))
                .join()
                .item();
    }

    private List<Map<String, AttributeValue>> items() {
        return EmbeddedDynamoDb.client()
                .scan(scan -> scan.tableName(name).consistentRead(true))
                .join()
                .items();
    }
}
