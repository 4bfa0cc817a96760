package io.dynamolock.benchmarks.peer;

import com.amazonaws.services.dynamodbv2.AcquireLockOptions;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClient;
import com.amazonaws.services.dynamodbv2.AmazonDynamoDBLockClientOptions;
import com.amazonaws.services.dynamodbv2.LockItem;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The lock client from AWS Labs. */
final class AwsLockClientPeer implements Peer {

    private static final Duration LEASE = Duration.ofSeconds(20);

    @Override
    public String id() {
        return "aws-lock-client";
    }

    @Override
    public String title() {
        return "AWS lock client 1.4.0";
    }

    @Override
    public String setUp() {
        return "Defaults: lease 20 s, a heartbeat thread with a period of 5 s, a waiter reads every second. A waiter that"
                + " finds the lock taken waits at least one lease; shorter waits are not offered.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("key");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.client(meter);
        AmazonDynamoDBLockClientOptions options = AmazonDynamoDBLockClientOptions.builder(client, table)
                .withOwnerName(name)
                .withLeaseDuration(LEASE.toSeconds())
                .withHeartbeatPeriod(5L)
                .withTimeUnit(TimeUnit.SECONDS)
                .withCreateHeartbeatBackgroundThread(true)
                .build();
        return new Instance(client, new AmazonDynamoDBLockClient(options));
    }

    private record Held(AmazonDynamoDBLockClient locks, LockItem item) implements LockProcess.HeldLock {

        @Override
        public Optional<Boolean> saysHeld() {
            return Optional.of(!item.isExpired());
        }

        @Override
        public boolean release() {
            return locks.releaseLock(item);
        }
    }

    private record Instance(DynamoDbClient client, AmazonDynamoDBLockClient locks) implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) throws InterruptedException {
            Duration beyondLease = wait.minus(LEASE);
            AcquireLockOptions request = AcquireLockOptions.builder(key)
                    .withShouldSkipBlockingWait(wait.isZero())
                    .withAdditionalTimeToWaitForLock(Math.max(0, beyondLease.toMillis()))
                    .withTimeUnit(TimeUnit.MILLISECONDS)
                    .build();
            LockItem item = locks.tryAcquireLock(request).orElse(null);
            return item == null ? null : new Held(locks, item);
        }

        @Override
        public void close() {
            try {
                locks.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            client.close();
        }
    }
}
