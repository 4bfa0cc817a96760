package io.dynamolock.benchmarks.peer;

import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.dynamodb2.DynamoDBLockProvider;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** ShedLock. It never waits, so it is tried again and again. */
final class ShedLockPeer implements Peer {

    private static final Duration AT_MOST = Duration.ofSeconds(60);

    @Override
    public String id() {
        return "shedlock";
    }

    @Override
    public String title() {
        return "ShedLock 4.42.0";
    }

    @Override
    public String setUp() {
        return "lockAtMostFor 60 s, lockAtLeastFor 0. ShedLock does not wait: each waiter tries every 100 ms. A clean"
                + " stop releases what is held. The newest sources (7.9) make the same two calls.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("_id");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.client(meter);
        return new Instance(client, new DynamoDBLockProvider(client, table), ConcurrentHashMap.newKeySet());
    }

    private record Instance(DynamoDbClient client, LockProvider locks, Set<SimpleLock> held) implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) throws InterruptedException {
            return Poll.until(() -> attempt(key), Poll.USUAL, wait);
        }

        private @Nullable HeldLock attempt(String key) {
            SimpleLock lock = locks.lock(new LockConfiguration(Instant.now(), key, AT_MOST, Duration.ZERO))
                    .orElse(null);
            if (lock == null) {
                return null;
            }
            held.add(lock);
            return () -> {
                if (held.remove(lock)) {
                    lock.unlock();
                }
                return true;
            };
        }

        @Override
        public void close() {
            held.forEach(SimpleLock::unlock);
            client.close();
        }
    }
}
