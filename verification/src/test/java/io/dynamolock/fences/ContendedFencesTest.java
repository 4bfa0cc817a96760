package io.dynamolock.fences;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.FencedWrites;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.internal.store.testing.ItemTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Processes that contend for one lock and write under it by fenced transactions, which conflict with the appends of the
 * others on the lock's item.
 */
class ContendedFencesTest {

    private static final int PROCESSES = 4;
    private static final int CALLERS = 3;
    private static final int SECTIONS = 5;
    private static final int WRITES = 3;
    private static final Duration TRANSACTION = Duration.ofMillis(20);
    private static final String KEY = "busy";

    private final DynamoDbClient local = EmbeddedDynamoDb.blockingClient();
    private final ConflictingDynamoDb conflicts = new ConflictingDynamoDb(local, TRANSACTION);
    private final DynamoDbClient client = conflicts.client();
    private final FencedWrites writes = FencedWrites.with(client);
    private final String lockTable = "locks-" + UUID.randomUUID();
    private final String counters = "counters-" + UUID.randomUUID();

    @Test
    void lockCallsAndFencedTransactionsDoNotStarveEachOther() throws Exception {
        LockRegistry.builder(local).tableName(lockTable).table().create();
        local.createTable(ItemTables.byId(counters));
        List<LockRegistry> processes = new ArrayList<>();
        ExecutorService callers = Executors.newFixedThreadPool(PROCESSES * CALLERS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < PROCESSES; i++) {
                LockRegistry locks =
                        LockRegistry.builder(client).tableName(lockTable).build();
                processes.add(locks);
                for (int j = 0; j < CALLERS; j++) {
                    running.add(callers.submit(() -> sections(locks)));
                }
            }
            for (Future<?> caller : running) {
                caller.get(5, TimeUnit.MINUTES);
            }
        } finally {
            callers.shutdownNow();
            processes.forEach(LockRegistry::close);
        }
        int sections = PROCESSES * CALLERS * SECTIONS;
        int landed = sections * WRITES;

        assertThat(counter()).isEqualTo(landed);
        assertThat(conflicts.writesInConflict)
                .as("writes that met a transaction")
                .hasPositiveValue();
        assertThat(conflicts.transactions.get()).as("attempts").isLessThan(2 * landed);
        assertThat(conflicts.writesInConflict.get())
                .as("writes that met a transaction")
                .isLessThan(10 * sections);
    }

    private void sections(LockRegistry locks) {
        for (int i = 0; i < SECTIONS; i++) {
            try (LockHandle lock = locks.acquire(LockRequest.of(KEY).waitForever())) {
                for (int j = 0; j < WRITES; j++) {
                    writes.transact(lock, countedUp());
                }
            }
        }
    }

    private TransactWriteItem countedUp() {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(counters)
                        .key(Map.of("id", AttributeValue.fromS(KEY)))
                        .updateExpression("ADD written :one")
                        .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))))
                .build();
    }

    private long counter() {
        return Long.parseLong(local.getItem(get ->
                        get.tableName(counters).consistentRead(true).key(Map.of("id", AttributeValue.fromS(KEY))))
                .item()
                .get("written")
                .n());
    }
}
