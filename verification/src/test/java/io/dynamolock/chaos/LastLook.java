package io.dynamolock.chaos;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Writes down the content of the tables after all workers have ended: first what they have left for the next waiter to
 * clear away, then what is left after every lock had a next waiter.
 */
record LastLook(DynamoDbAsyncClient client, int keys, HistoryFile history) {

    private static final int ROUNDS = 10;

    void take() throws InterruptedException {
        queued().forEach(item -> reportQueue("left-to-next", item));
        for (int round = 0; round < ROUNDS && !queued().isEmpty(); round++) {
            useEveryLock();
        }
        queued().forEach(item -> reportQueue("left", item));
        items().stream().filter(LastLook::isSession).forEach(this::reportSession);
        Registers registers = new Registers(client);
        for (String key : Keys.withRegisters(keys)) {
            for (String register : List.of(Registers.PLAIN + key, Registers.FENCED + key)) {
                Registers.State state = registers.read(register);
                history.add("register target=%s value=%s landed=%s", register, state.value(), state.landed());
            }
        }
    }

    /** One caller holds the lock while another waits, and so looks at the queue. */
    private void useEveryLock() throws InterruptedException {
        try (LockRegistry one = registry();
                LockRegistry other = registry()) {
            for (String key : Keys.of(keys)) {
                CompletableFuture<LockHandle> waiting;
                try (LockHandle held = one.acquire(key, Duration.ofMinutes(1))) {
                    waiting = other.acquireAsync(LockRequest.of(key).waitTime(Duration.ofMinutes(1)));
                    Thread.sleep(500);
                    held.ensureValid();
                }
                waiting.join().close();
            }
        }
    }

    private LockRegistry registry() {
        return LockRegistry.builder(client)
                .tableName(Registers.LOCKS)
                .owner("last-look")
                .lease(WorkerSettings.LEASE)
                .build();
    }

    private List<Map<String, AttributeValue>> items() {
        // One page is enough: it holds thousands of items.
        return client.scan(scan -> scan.tableName(Registers.LOCKS).consistentRead(true))
                .join()
                .items();
    }

    /** The locks in whose queues somebody stands. */
    private List<Map<String, AttributeValue>> queued() {
        return items().stream().filter(item -> !Registers.queue(item).isEmpty()).toList();
    }

    private static boolean isSession(Map<String, AttributeValue> item) {
        return item.get("sk").s().equals("session");
    }

    private void reportQueue(String what, Map<String, AttributeValue> lock) {
        for (Entry entry : Registers.queue(lock)) {
            history.add(
                    what + " target=%s kind=entry session=%s", lock.get("pk").s(), entry.session());
        }
    }

    private void reportSession(Map<String, AttributeValue> item) {
        String key = item.get("pk").s();
        String session = key.substring(key.indexOf('#') + 1);
        Object heartbeat = item.get("heartbeat").n();
        history.add(
                "left target=%s kind=session session=%s owner=%s heartbeat=%s",
                key, session, item.get("owner").s(), heartbeat);
    }
}
