package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
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

    final VirtualTime time;
    private final SplittableRandom random;
    private final Map<Object, Partition> partitions = new HashMap<>();
    private Usage used = Usage.NONE;
    private long sent;
    private boolean isSilent;

    VirtualTable(VirtualTime time, long seed) {
        this.time = time;
        this.random = new SplittableRandom(seed);
    }

    Usage usage() {
        return used;
    }

    void forgetUsage() {
        used = Usage.NONE;
    }

    /** How many calls were sent, whatever became of them. */
    long sent() {
        return sent;
    }

    /** From now on no call lands or is answered, or all are again. */
    void setSilent(boolean silent) {
        isSilent = silent;
    }

    /**
     * What a call asks of one partition.
     *
     * @param units how much it uses, asked when it takes effect
     */
    record Call(Purpose purpose, Object key, DoubleSupplier units) {}

    /** A conditional write; costs the same when its condition fails. */
    <T> void write(Call call, Supplier<T> effect, Consumer<T> answered, Runnable turnedAway) {
        send(List.of(call), Kind.WRITE, effect, answered, turnedAway);
    }

    /** Many items in one read. If one of the partitions turns it away, what the others gave is used for nothing. */
    <T> void read(List<Call> calls, Supplier<T> effect, Consumer<T> answered, Runnable turnedAway) {
        send(calls, Kind.READ, effect, answered, turnedAway);
    }

    private enum Kind {
        READ,
        WRITE
    }

    private <T> void send(List<Call> calls, Kind kind, Supplier<T> effect, Consumer<T> answered, Runnable turnedAway) {
        Duration way = (kind == Kind.WRITE ? Latency.WRITE : Latency.READ)
                .sample(random)
                .dividedBy(2);
        sent++;
        time.in(way, () -> {
            if (isSilent) {
                return;
            }
            boolean served = true;
            for (Call call : calls) {
                served &= serves(call, kind);
            }
            if (served) {
                T answer = effect.get();
                time.in(way, () -> answered.accept(answer));
            } else {
                used = used.plus(new Usage(0, 0, 0, 0, 1));
                time.in(way, turnedAway);
            }
        });
    }

    private boolean serves(Call call, Kind kind) {
        Partition partition = partitions.computeIfAbsent(call.key(), absent -> new Partition());
        double units = call.units().getAsDouble();
        if (!(kind == Kind.WRITE ? partition.writes : partition.reads).take(units, time.nanos())) {
            return false;
        }
        boolean isWrite = kind == Kind.WRITE;
        used = used.plus(
                call.purpose() == Purpose.LOCK
                        ? new Usage(isWrite ? 0 : units, isWrite ? units : 0, 0, 0, 0)
                        : new Usage(0, 0, isWrite ? 0 : units, isWrite ? units : 0, 0));
        return true;
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

        boolean take(double wanted, long nanos) {
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
