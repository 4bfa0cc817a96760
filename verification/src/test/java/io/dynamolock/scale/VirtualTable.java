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
 * The table of all simulated locks. Calls take time as on DynamoDB, and each partition key has the throughput of one
 * partition. The caller keeps the items. A call takes effect half-way between sending and answer.
 */
final class VirtualTable {

    /** DynamoDB's limit for one partition: write units a second. */
    static final int PARTITION_WRITES_PER_SECOND = 1_000;

    /** DynamoDB's limit for one partition: read units a second. */
    static final int PARTITION_READS_PER_SECOND = 3_000;

    /** The purpose of a call. */
    enum Purpose {
        /** Locks and queues. */
        LOCK,
        /** Sessions and heartbeats. */
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

    /** The number of calls sent, successful or not. */
    long sent() {
        return sent;
    }

    /** From now on calls are lost, or get through again: a lost call neither lands nor is answered. */
    void setSilent(boolean silent) {
        isSilent = silent;
    }

    /**
     * The capacity that a call needs of one partition.
     *
     * @param units the units it uses, computed when the call takes effect
     */
    record Call(Purpose purpose, Object key, DoubleSupplier units) {}

    /** A conditional write; costs the same when its condition fails. */
    <T> void write(Call call, Supplier<T> effect, Consumer<T> answered, Runnable turnedAway) {
        send(List.of(call), Kind.WRITE, effect, answered, turnedAway);
    }

    /** A read of many items. If one partition throttles it, the capacity of the others is used in vain. */
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

    /** A bucket of the capacity that was not used within the last second. */
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
