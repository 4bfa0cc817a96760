package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * The locking read, written by hand: the write that reads the item locks it, and the update of the item releases it.
 */
final class LockingReadPeer implements Peer {

    private static final Duration LOCKED_FOR = Duration.ofSeconds(30);

    @Override
    public String id() {
        return "locking-read";
    }

    @Override
    public String title() {
        return "Locking read (from its article)";
    }

    @Override
    public String setUp() {
        return "Written from the article. Locked for 30 s by the wall clock, not renewed. The article leaves the waiting"
                + " open: each waiter tries every 100 ms. A clean stop releases what is held.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("id");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        return new Instance(database.client(meter), table, ConcurrentHashMap.newKeySet());
    }

    private record Instance(DynamoDbClient client, String table, Set<HeldLock> held) implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) throws InterruptedException {
            return Poll.until(() -> attempt(key), Poll.USUAL, wait);
        }

        private @Nullable HeldLock attempt(String key) {
            // Each section has an owner of its own, so that two threads of one process exclude each other.
            AttributeValue locker = AttributeValue.fromS(UUID.randomUUID().toString());
            Instant now = Instant.now();
            try {
                client.updateItem(update -> update.tableName(table)
                        .key(Map.of("id", AttributeValue.fromS(key)))
                        .updateExpression("SET lockTime = :end, lockedBy = :locker")
                        .conditionExpression("attribute_not_exists(lockTime) OR lockTime < :now")
                        .expressionAttributeValues(
                                Map.of(":end", seconds(now.plus(LOCKED_FOR)), ":now", seconds(now), ":locker", locker))
                        .returnValues(ReturnValue.ALL_NEW));
            } catch (ConditionalCheckFailedException taken) {
                return null;
            }
            HeldLock lock = new HeldLock() {
                @Override
                public boolean release() {
                    return held.remove(this) && updateAndRelease(key, locker);
                }
            };
            held.add(lock);
            return lock;
        }

        private boolean updateAndRelease(String key, AttributeValue locker) {
            try {
                client.updateItem(update -> update.tableName(table)
                        .key(Map.of("id", AttributeValue.fromS(key)))
                        .updateExpression("SET #data = :data REMOVE lockTime, lockedBy")
                        .conditionExpression("lockedBy = :locker AND lockTime > :now")
                        .expressionAttributeNames(Map.of("#data", "data"))
                        .expressionAttributeValues(Map.of(
                                ":data", AttributeValue.fromS("done"),
                                ":locker", locker,
                                ":now", seconds(Instant.now()))));
                return true;
            } catch (ConditionalCheckFailedException lost) {
                return false;
            }
        }

        private static AttributeValue seconds(Instant time) {
            return AttributeValue.fromN(Long.toString(time.getEpochSecond()));
        }

        @Override
        public void close() {
            held.forEach(HeldLock::release);
            client.close();
        }
    }
}
