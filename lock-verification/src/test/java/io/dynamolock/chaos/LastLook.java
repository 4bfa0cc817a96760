package io.dynamolock.chaos;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Writes down what is in the tables when all workers have ended: at first what they left to the next waiter to clear
 * away, then what is left when every lock has had a next waiter.
 */
final class LastLook {

    private static final int ROUNDS = 10;

    private final DynamoDbAsyncClient client;
    private final Worker.Tables tables;
    private final HistoryFile history;

    LastLook(DynamoDbAsyncClient client, Worker.Tables tables, HistoryFile history) {
        this.client = client;
        this.tables = tables;
        this.history = history;
    }

    void take() throws InterruptedException {
        for (Map<String, AttributeValue> item : items()) {
            if (!kind(item).equals("lock") && !kind(item).equals("session")) {
                report("left-to-next", item);
            }
        }
        for (int round = 0; round < ROUNDS && hasRowsOrHolders(); round++) {
            useEveryLock();
        }
        for (Map<String, AttributeValue> item : items()) {
            if (!kind(item).equals("lock")) {
                report("left", item);
            }
        }
        Registers registers = new Registers(client, tables.registers(), tables.locks());
        for (String key : WorkerSettings.keys(tables.keys())) {
            for (String register : List.of(Registers.PLAIN + key, Registers.FENCED + key)) {
                Registers.State state = registers.read(register);
                history.add("register", "target", register, "value", state.value(), "landed", state.landed());
            }
        }
    }

    /** One holds it while the other waits, and so looks at the queue. */
    private void useEveryLock() throws InterruptedException {
        try (LockRegistry one = registry();
                LockRegistry other = registry()) {
            for (String key : WorkerSettings.keys(tables.keys())) {
                CompletableFuture<LockHandle> waiting;
                try (LockHandle held = one.acquire(key, Duration.ofMinutes(1))) {
                    waiting = other.acquireAsync(LockRequest.of(key).wait(Duration.ofMinutes(1)));
                    Thread.sleep(500);
                    held.ensureValid();
                }
                waiting.join().close();
            }
        }
    }

    private LockRegistry registry() {
        return DynamoLocks.builder(client)
                .tableName(tables.locks())
                .owner("last-look")
                .lease(WorkerSettings.LEASE)
                .build();
    }

    private boolean hasRowsOrHolders() {
        return items().stream().map(LastLook::kind).anyMatch(kind -> kind.equals("row") || kind.equals("holder"));
    }

    private List<Map<String, AttributeValue>> items() {
        // A page holds thousands of them.
        return client.scan(scan -> scan.tableName(tables.locks()).consistentRead(true))
                .join()
                .items();
    }

    private static String kind(Map<String, AttributeValue> item) {
        String sortKey = item.get("sk").s();
        if (sortKey.equals("session")) {
            return "session";
        }
        if (!sortKey.endsWith("/")) {
            return "row";
        }
        return item.containsKey("holderBlock") ? "holder" : "lock";
    }

    private void report(String what, Map<String, AttributeValue> item) {
        String kind = kind(item);
        String key = item.get("pk").s();
        history.add(
                what,
                "target",
                kind.equals("session") ? key : key + "|" + item.get("sk").s(),
                "kind",
                kind,
                "session",
                kind.equals("session") ? key.substring(key.indexOf('#') + 1) : text(item, "session", "holderSession"),
                "owner",
                text(item, "owner", "holderOwner"),
                "beat",
                item.containsKey("beat") ? item.get("beat").n() : "-");
    }

    private static String text(Map<String, AttributeValue> item, String attribute, String otherwise) {
        return item.getOrDefault(attribute, item.getOrDefault(otherwise, AttributeValue.fromS("-")))
                .s();
    }
}
