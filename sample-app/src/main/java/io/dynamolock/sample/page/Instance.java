package io.dynamolock.sample.page;

import io.dynamolock.LockHandle;
import io.dynamolock.LockListener;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * One of the two instances: a lock registry with its own session and its own client. To the table it is a process like
 * any other. Thread-safe.
 */
final class Instance implements AutoCloseable {

    static final String KEY = "page";

    private static final Duration WAIT = Duration.ofMinutes(2);

    private final InstanceName name;
    private final String owner;
    private final Ice ice = new Ice();
    private final LockRegistry locks;

    /** The hold, or the wait for it, that a person has asked for; null if there is none. */
    private @Nullable CompletableFuture<LockHandle> hold;

    Instance(
            InstanceName name,
            DynamoDbClient client,
            String tableName,
            Duration lease,
            long process,
            LockListener listener) {
        this.name = name;
        this.owner = name + " of process " + process;
        this.locks = LockRegistry.builder(ice.over(client))
                .tableName(tableName)
                .lease(lease)
                // The emulator shares the processors with everything else here, so the timeout is as long as the lease
                // allows.
                .callTimeout(lease.dividedBy(3))
                .owner(owner)
                .listener(listener)
                .build();
    }

    InstanceName name() {
        return name;
    }

    /** The name by which the table shows this instance. */
    String owner() {
        return owner;
    }

    Ice ice() {
        return ice;
    }

    int waiting() {
        return locks.admin().waiting();
    }

    /** Asks for the lock; cancelling the future leaves the queue. */
    CompletableFuture<LockHandle> ask(String what) {
        return locks.acquireAsync(LockRequest.of(KEY).name(what).waitTime(WAIT));
    }

    /**
     * Asks for the lock, to be held until a person releases it.
     *
     * @return null if a person has this instance hold the lock, or wait for it, already
     */
    synchronized @Nullable CompletableFuture<LockHandle> hold() {
        if (hold != null) {
            return null;
        }
        hold = ask("page.hold");
        return hold;
    }

    /** The hold, or the wait for it. */
    synchronized @Nullable CompletableFuture<LockHandle> held() {
        return hold;
    }

    /** Forgets this hold; false if the instance has another hold by now, or none. */
    synchronized boolean forget(CompletableFuture<LockHandle> asked) {
        if (hold != asked) {
            return false;
        }
        hold = null;
        return true;
    }

    @Override
    public void close() {
        ice.thaw();
        locks.close();
    }
}
