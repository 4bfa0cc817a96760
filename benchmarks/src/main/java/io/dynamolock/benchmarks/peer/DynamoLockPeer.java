package io.dynamolock.benchmarks.peer;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The lock of this project. */
final class DynamoLockPeer implements Peer {

    private static final int ALONE = 1;

    @Override
    public String id() {
        return "dynamolock";
    }

    @Override
    public String title() {
        return "DynamoLock";
    }

    @Override
    public String setUp() {
        return "Defaults: lease 20 s, a heartbeat every 5 s, a waiter reads every 5 to 250 ms. The client sends each call once.";
    }

    @Override
    public List<String> keyAttributes() {
        return List.of("pk", "sk");
    }

    @Override
    public LockProcess start(Database database, String table, String name, CallMeter meter) {
        DynamoDbClient client = database.clientWithoutRetries(meter);
        LockRegistry registry =
                LockRegistry.builder(client).tableName(table).owner(name).build();
        return new Instance(client, registry);
    }

    record Held(LockHandle handle, int allowedTogether) implements LockProcess.HeldLock {

        @Override
        public Optional<Boolean> saysHeld() {
            return Optional.of(handle.isValid());
        }

        @Override
        public boolean release() {
            return handle.release();
        }
    }

    private record Instance(DynamoDbClient client, LockRegistry registry) implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) {
            try {
                return new Held(registry.acquire(key, wait), ALONE);
            } catch (LockTimeoutException notInTime) {
                return null;
            }
        }

        @Override
        public CompletableFuture<@Nullable HeldLock> acquireInBackground(String key, Duration wait) {
            CompletableFuture<@Nullable HeldLock> acquired = new CompletableFuture<>();
            registry.acquireAsync(LockRequest.of(key).waitTime(wait)).whenComplete((handle, failure) -> {
                if (failure == null) {
                    acquired.complete(new Held(handle, ALONE));
                } else if (isTimeout(failure)) {
                    acquired.complete(null);
                } else {
                    acquired.completeExceptionally(failure);
                }
            });
            return acquired;
        }

        private static boolean isTimeout(Throwable failure) {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return cause instanceof LockTimeoutException;
        }

        @Override
        public void close() {
            registry.close();
            client.close();
        }
    }
}
