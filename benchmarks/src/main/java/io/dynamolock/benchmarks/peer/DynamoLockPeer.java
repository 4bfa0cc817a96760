package io.dynamolock.benchmarks.peer;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.LockedAction;
import io.dynamolock.benchmarks.database.CallMeter;
import io.dynamolock.benchmarks.database.Database;
import io.dynamolock.benchmarks.peer.LockProcess.Ended;
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

    /** Whether the callers of sections wait until their release is written. */
    private final boolean awaitsRelease;

    private DynamoLockPeer(boolean awaitsRelease) {
        this.awaitsRelease = awaitsRelease;
    }

    static DynamoLockPeer usual() {
        return new DynamoLockPeer(false);
    }

    static DynamoLockPeer awaitingReleases() {
        return new DynamoLockPeer(true);
    }

    boolean awaitsRelease() {
        return awaitsRelease;
    }

    @Override
    public String id() {
        return awaitsRelease ? "dynamolock-awaited" : "dynamolock";
    }

    @Override
    public String title() {
        return awaitsRelease ? "DynamoLock, await-release" : "DynamoLock";
    }

    @Override
    public String setUp() {
        if (awaitsRelease) {
            return "As DynamoLock. The caller waits until its release is written.";
        }
        return "Sections by withLock(...). Defaults: lease 20 s, a heartbeat every 5 s, a waiter reads every 5 to 250 ms. The client sends each call once.";
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
        return new Instance(client, registry, awaitsRelease);
    }

    /** A section of this project's lock. */
    interface Section {

        Ended run() throws InterruptedException;
    }

    static Ended ended(Section section) throws InterruptedException {
        try {
            return section.run();
        } catch (LockTimeoutException notInTime) {
            return Ended.NOT_GRANTED;
        } catch (LockLostException lost) {
            return Ended.LOST;
        }
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

    private record Instance(DynamoDbClient client, LockRegistry registry, boolean awaitsRelease)
            implements LockProcess {

        @Override
        public @Nullable HeldLock acquire(String key, Duration wait) {
            try {
                return new Held(registry.acquire(key, wait), ALONE);
            } catch (LockTimeoutException notInTime) {
                return null;
            }
        }

        @Override
        public Ended section(String key, Duration wait, Work work) throws InterruptedException {
            LockRequest request = LockRequest.of(key).waitTime(wait).awaitRelease(awaitsRelease);
            LockedAction<Ended, InterruptedException> action = lock -> {
                work.run(ALONE);
                return Ended.WELL;
            };
            return ended(() -> registry.withLock(request, action));
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
