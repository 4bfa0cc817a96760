package io.dynamolock.spring.metrics;

import io.dynamolock.LeaderElection;
import io.dynamolock.LockAdmin;
import io.dynamolock.LockRegistry;
import io.micrometer.core.instrument.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The longest hold and the longest wait that are going on now, of each name of locks. Leaves elections out: a leader
 * holds its lock for as long as it lives, and candidates wait for ever. Thread-safe.
 */
final class LongestNow {

    /** A scrape asks for each name, but looks through the locks once. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /**
     * @param madeAt by the monotonic clock, in nanoseconds
     * @param held since when the longest held lock of each name is held
     * @param waiting since when the longest waiting caller of each name waits
     */
    private record Snapshot(long madeAt, Map<String, Instant> held, Map<String, Instant> waiting) {}

    private final LockRegistry locks;
    private final Clock clock;

    /** The last snapshot; null before the first. Guarded by this. */
    private @Nullable Snapshot last;

    LongestNow(LockRegistry locks, Clock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    /** In seconds; 0 if no lock of this name is held. */
    double hold(String name) {
        return secondsSince(snapshot().held().get(name));
    }

    /** In seconds; 0 if nobody waits for a lock of this name. */
    double waiting(String name) {
        return secondsSince(snapshot().waiting().get(name));
    }

    private double secondsSince(@Nullable Instant since) {
        return since == null
                ? 0
                : Math.max(0, clock.wallTime() - since.toEpochMilli()) / (double) TimeUnit.SECONDS.toMillis(1);
    }

    private synchronized Snapshot snapshot() {
        long now = clock.monotonicTime();
        if (last == null || now - last.madeAt() > FRESH.toNanos()) {
            Map<String, Instant> held = new HashMap<>();
            for (LockAdmin.Held lock : locks.admin().held()) {
                add(held, lock.namespace(), lock.name(), lock.since());
            }
            Map<String, Instant> waiting = new HashMap<>();
            for (LockAdmin.Waiter caller : locks.admin().waiters()) {
                add(waiting, caller.namespace(), caller.name(), caller.since());
            }
            last = new Snapshot(now, held, waiting);
        }
        return last;
    }

    private static void add(Map<String, Instant> longest, String namespace, String name, Instant since) {
        if (!namespace.equals(LeaderElection.NAMESPACE)) {
            longest.merge(name, since, (one, other) -> one.isBefore(other) ? one : other);
        }
    }
}
