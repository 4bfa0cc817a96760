package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Processes of this version beside processes of a made-up later one, on DynamoDB Local: the later format is switched on
 * and off again while both are at work. {@link LaterFormatClient} says what the later version does.
 */
class VersionsSideBySideTest {

    private static final String KEY = "customer-42";
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int KEYS = 3;

    /** How many sections are entered between two changes of the switch. */
    private static final int SECTIONS = 40;

    private final DynamoDbClient dynamoDb = EmbeddedDynamoDb.blockingClient();
    private final LockTableFixture table = new LockTableFixture();
    private final LaterFormatClient laterClient = new LaterFormatClient(dynamoDb);
    private final LaterFormatClient anotherLaterClient = new LaterFormatClient(dynamoDb);
    private final List<LockEvent.Unreadable> unreadable = new CopyOnWriteArrayList<>();

    @AutoClose
    private final LockRegistry old =
            table.registry().owner("old").lease(LEASE).listener(this::heard).build();

    @AutoClose
    private final LockRegistry later =
            table.registry(laterClient).owner("later").lease(LEASE).build();

    @AutoClose
    private final LockRegistry anotherLater = table.registry(anotherLaterClient)
            .owner("another-later")
            .lease(LEASE)
            .build();

    private void heard(LockEvent event) {
        if (event instanceof LockEvent.Unreadable item) {
            unreadable.add(item);
        }
    }

    private void switchFormat(boolean on) {
        laterClient.switchFormat(on);
        anotherLaterClient.switchFormat(on);
    }

    @Test
    void anUpgradeAndARollbackLeaveNoLockStuck() {
        // The later version is rolled out, with its format switched off.
        LockHandle held = acquire(old);
        CompletableFuture<LockHandle> waiting = wait(later);
        held.close();
        held = waiting.join();
        assertThat(format()).isNull();

        // The format is switched on. This lock is in use, so it keeps the format that its queue has.
        switchFormat(true);
        waiting = wait(anotherLater);
        held.close();
        held = waiting.join();
        CompletableFuture<LockHandle> oldWaits = wait(old);
        held.close();
        held = oldWaits.join();
        assertThat(format()).isNull();
        held.close();

        // The first caller that finds the queue empty brings the later format.
        held = acquire(later);
        assertThat(format()).isEqualTo("1");
        assertOldIsKeptOut();
        waiting = wait(anotherLater);

        // The format is switched off. The queue keeps it until it is empty.
        switchFormat(false);
        held.close();
        held = waiting.join();
        assertThat(format()).isEqualTo("1");
        assertOldIsKeptOut();
        held.close();
        assertThat(format()).isNull();
        acquire(old).close();
        assertThat(unreadable)
                .hasSize(2)
                .allSatisfy(event -> assertThat(event)
                        .isEqualTo(new LockEvent.Unreadable(KEY, "default", "edit", "lock", "format")));
    }

    private void assertOldIsKeptOut() {
        LockStoreException refused = catchThrowableOfType(LockStoreException.class, () -> acquire(old));
        assertThat(refused.isTransient()).isFalse();
        assertThat(refused)
                .hasMessageContainingAll(KEY, "the lock is not held", "has format 1", "upgrade this process");
        LockRequest other = LockRequest.of("another-key").waitTime(LockTableFixture.LONG);
        old.acquire(other).close();
    }

    @Test
    void whoeverIsInsideCanLeaveALockOfAnotherFormat() {
        LockHandle held = acquire(old);
        // No version does this; only somebody at the table can.
        dynamoDb.updateItem(update -> update.tableName(table.name())
                .key(lock(KEY))
                .updateExpression("SET #format = :later")
                .expressionAttributeNames(Map.of("#format", LaterFormatClient.FORMAT))
                .expressionAttributeValues(Map.of(":later", AttributeValue.fromN("1"))));

        assertThat(held.release()).isTrue();

        assertThat(item(KEY).get("queue").l()).isEmpty();
        assertOldIsKeptOut();
        acquire(later).close();
        acquire(old).close();
    }

    @Test
    void theEntriesOfADeadProcessInALaterFormatGoWithTheLaterVersion() {
        Map<String, AttributeValue> left = new HashMap<>(lock(KEY));
        left.put("tail", AttributeValue.fromN("1793000000000042"));
        left.put("queue", AttributeValue.fromL(List.of(AttributeValue.fromS("0000000007" + "1:1"))));
        left.put(LaterFormatClient.FORMAT, AttributeValue.fromN("1"));
        dynamoDb.putItem(put -> put.tableName(table.name()).item(left));
        assertOldIsKeptOut();

        acquire(later).close();

        assertThat(format()).isNull();
        acquire(old).close();
    }

    @Test
    void noTwoHoldersOfAnyVersionMeetWhileTheFormatGoesOnAndOff() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicInteger keptOut = new AtomicInteger();
        AtomicInteger sections = new AtomicInteger();
        List<AtomicInteger> inside = List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());
        List<Future<?>> workers = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (LockRegistry process : List.of(old, old, later, later, anotherLater, anotherLater)) {
                SplittableRandom random = new SplittableRandom(workers.size());
                workers.add(threads.submit(() -> {
                    while (!isOver.get()) {
                        int key = random.nextInt(KEYS);
                        try (LockHandle handle =
                                process.acquire(LockRequest.of("key-" + key).waitTime(LockTableFixture.LONG))) {
                            assertThat(handle.isValid()).isTrue();
                            assertThat(inside.get(key).incrementAndGet()).isEqualTo(1);
                            sections.incrementAndGet();
                            Thread.sleep(random.nextInt(3));
                            inside.get(key).decrementAndGet();
                        } catch (LockStoreException laterFormat) {
                            assertThat(process).isSameAs(old);
                            assertThat(laterFormat).hasMessageContaining("has format 1");
                            keptOut.incrementAndGet();
                            Thread.sleep(10);
                        }
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 6; i++) {
                switchFormat(i % 2 == 0);
                int before = sections.get();
                Awaitility.await().atMost(LockTableFixture.LONG).until(() -> {
                    for (Future<?> worker : workers) {
                        if (worker.isDone()) {
                            worker.get();
                        }
                    }
                    return sections.get() > before + SECTIONS;
                });
            }
            isOver.set(true);
            for (Future<?> worker : workers) {
                worker.get(30, TimeUnit.SECONDS);
            }
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }

        assertThat(keptOut).as("how often the later format was met").hasPositiveValue();
        for (int key = 0; key < KEYS; key++) {
            String idle = "key-" + key;
            Awaitility.await().until(() -> item(idle).get("queue").l().isEmpty());
            assertThat(item(idle)).doesNotContainKey(LaterFormatClient.FORMAT);
            old.acquire(LockRequest.of(idle).waitTime(LockTableFixture.LONG)).close();
        }
    }

    private static LockRequest request() {
        return LockRequest.of(KEY).waitTime(LockTableFixture.LONG);
    }

    private static LockHandle acquire(LockRegistry process) {
        return process.acquire(request());
    }

    /** Lets a caller wait, and waits until it stands in the queue. */
    private CompletableFuture<LockHandle> wait(LockRegistry process) {
        int before = item(KEY).get("queue").l().size();
        CompletableFuture<LockHandle> waiting = process.acquireAsync(request());
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> item(KEY).get("queue").l().size() > before);
        return waiting;
    }

    private String format() {
        AttributeValue format = item(KEY).get(LaterFormatClient.FORMAT);
        return format == null ? null : format.n();
    }

    private Map<String, AttributeValue> item(String key) {
        return dynamoDb.getItem(
                        get -> get.tableName(table.name()).key(lock(key)).consistentRead(true))
                .item();
    }

    private static Map<String, AttributeValue> lock(String key) {
        return Map.of("pk", AttributeValue.fromS(key), "sk", AttributeValue.fromS("default/"));
    }
}
