package io.dynamolock.scale;

import io.dynamolock.simulation.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * What all simulated locks have in common: calls take time as on DynamoDB, and each partition key has the throughput of
 * one partition. What the items are is the caller's business. A call takes effect half-way between sending and answer.
 */
final class VirtualTable {

    /** DynamoDB's limit for one partition. */
    static final int PARTITION_WRITES_PER_SECOND = 1_000;

    /** DynamoDB's limit for one partition. */
    static final int PARTITION_READS_PER_SECOND = 3_000;

    /** What a call is for. */
    enum Purpose {
        /** Locks and queues. */
        LOCK,
        /** Who is alive: sessions and heartbeats. */
        LIFE
    }

    private final VirtualTime time;
    private final SplittableRandom random;
    private final Map<Object, Partition> partitions = new HashMap<>();
    private long lockReads;
    private long lockWrites;
    private long lifeReads;
    private long lifeWrites;
    private long throttled;

    VirtualTable(VirtualTime time, long seed) {
        this.time = time;
        this.random = new SplittableRandom(seed);
    }

    VirtualTime time() {
        return time;
    }

    Usage usage() {
        return new Usage(lockReads, lockWrites, lifeReads, lifeWrites, throttled);
    }

    /** A conditional write of at most 1 KB; costs the same when its condition fails. */
    <T> void write(Purpose purpose, Object key, Supplier<T> effect, Consumer<T> answered, Runnable turnedAway) {
        call(purpose, true, key, () -> 1, effect, answered, turnedAway);
    }

    /** A strongly consistent read. */
    <T> void read(
            Purpose purpose,
            Object key,
            IntSupplier units,
            Supplier<T> effect,
            Consumer<T> answered,
            Runnable turnedAway) {
        call(purpose, false, key, units, effect, answered, turnedAway);
    }

    private <T> void call(
            Purpose purpose,
            boolean write,
            Object key,
            IntSupplier units,
            Supplier<T> effect,
            Consumer<T> answered,
            Runnable turnedAway) {
        Duration way = (write ? Latency.WRITE : Latency.READ).sample(random).dividedBy(2);
        time.schedule(
                () -> {
                    Partition partition = partitions.computeIfAbsent(key, absent -> new Partition());
                    int used = units.getAsInt();
                    if ((write ? partition.writes : partition.reads).take(used, time.nanos())) {
                        count(purpose, write, used);
                        T answer = effect.get();
                        time.schedule(() -> answered.accept(answer), way);
                    } else {
                        throttled++;
                        time.schedule(turnedAway, way);
                    }
                },
                way);
    }

    private void count(Purpose purpose, boolean write, int units) {
        if (purpose == Purpose.LOCK) {
            if (write) {
                lockWrites += units;
            } else {
                lockReads += units;
            }
        } else if (write) {
            lifeWrites += units;
        } else {
            lifeReads += units;
        }
    }

    private static final class Partition {
        private final Bucket writes = new Bucket(PARTITION_WRITES_PER_SECOND);
        private final Bucket reads = new Bucket(PARTITION_READS_PER_SECOND);
    }

    /** Holds what was not used within the last second. */
    private static final class Bucket {

        private final double perSecond;
        private double units;
        private long filledAt;

        Bucket(int perSecond) {
            this.perSecond = perSecond;
            this.units = perSecond;
        }

        boolean take(int wanted, long nanos) {
            units = Math.min(perSecond, units + (nanos - filledAt) * perSecond / 1e9);
            filledAt = nanos;
            if (units < wanted) {
                return false;
            }
            units -= wanted;
            return true;
        }
    }
}
