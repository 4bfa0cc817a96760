package io.dynamolock.internal.registry;

import io.dynamolock.LockEvent;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * By a real clock: a crowd of callers of one key in one process comes as fast as a thread can ask, and this becomes of
 * it. Meanwhile another caller of the process gets the lock of another key again and again.
 */
public enum FloodedKey {
    /** Each caller's time is over 1.5 s after it has come. */
    TIMES_OUT(Duration.ofMillis(1_500)) {
        @Override
        void goOn(LockHandle taken, List<CompletableFuture<LockHandle>> crowd) {
            // All that happens is that time passes.
        }
    },
    /** All callers give up at once, the last of the line first. */
    IS_CANCELLED(Duration.ofMinutes(10)) {
        @Override
        void goOn(LockHandle taken, List<CompletableFuture<LockHandle>> crowd) {
            for (int i = crowd.size() - 1; i >= 0; i--) {
                crowd.get(i).cancel(true);
            }
        }
    },
    /** Each caller gets the lock and releases it at once. */
    IS_GRANTED(Duration.ofMinutes(10)) {
        @Override
        void goOn(LockHandle taken, List<CompletableFuture<LockHandle>> crowd) {
            taken.close();
        }
    };

    /** Of the process with the crowd. */
    static final Duration LEASE = Duration.ofSeconds(10);

    private final Duration waitTime;

    FloodedKey(Duration waitTime) {
        this.waitTime = waitTime;
    }

    /**
     * What the others have felt.
     *
     * @param longestWait the longest time from asking for the lock of the other key to having released it
     * @param grants how many callers of the crowd have got the lock
     * @param sessionsLost how often the process has lost its session
     * @param took from the first caller until no caller waits any more
     */
    public record Result(Duration longestWait, int grants, int sessionsLost, Duration took) {}

    /** The crowd has come; what happens to it next is made to happen. */
    abstract void goOn(LockHandle taken, List<CompletableFuture<LockHandle>> crowd);

    public Result with(int callers) throws InterruptedException {
        InMemoryLockStore table = new InMemoryLockStore();
        AtomicInteger lost = new AtomicInteger();
        AtomicInteger grants = new AtomicInteger();
        long began = System.nanoTime();
        try (LockRegistry others = RegistryBuilder.of(table).owner("there").build();
                LockRegistry locks = RegistryBuilder.of(table)
                        .owner("here")
                        .lease(LEASE)
                        .listener(event -> {
                            if (event instanceof LockEvent.SessionLost) {
                                lost.incrementAndGet();
                            }
                        })
                        .build();
                LockHandle taken = others.acquire(LockRequest.of("flooded"))) {
            List<CompletableFuture<LockHandle>> crowd = new ArrayList<>();
            Duration longest = Duration.ZERO;
            for (int i = 0; i < callers; i++) {
                CompletableFuture<LockHandle> caller =
                        locks.acquireAsync(LockRequest.of("flooded").waitTime(waitTime));
                crowd.add(caller);
                caller.thenAccept(handle -> {
                    grants.incrementAndGet();
                    handle.releaseAsync();
                });
                if (i % 1_000 == 0) {
                    longest = longer(longest, timeForAnotherKey(locks));
                }
            }
            goOn(taken, crowd);
            do {
                longest = longer(longest, timeForAnotherKey(locks));
                Thread.sleep(5);
            } while (!crowd.stream().allMatch(CompletableFuture::isDone));
            longest = longer(longest, timeForAnotherKey(locks));
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            return new Result(longest, grants.get(), lost.get(), took);
        }
    }

    private static Duration timeForAnotherKey(LockRegistry locks) {
        long before = System.nanoTime();
        locks.acquire(LockRequest.of("another").waitTime(Duration.ofMinutes(1))).close();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }
}
