package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.scale.VirtualTable.Call;
import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A client that repeats what was throttled, as the AWS SDKs do for DynamoDB: up to eight times, after a random part of
 * 25 ms, 50 ms, and so on up to 20 s. Our own lock repeats by itself.
 */
final class RetryingClient {

    private static final Duration FIRST = Duration.ofMillis(25);
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final int RETRIES = 8;

    private final VirtualTable table;
    private final SplittableRandom random;

    RetryingClient(VirtualTable table, long seed) {
        this.table = table;
        this.random = new SplittableRandom(seed);
    }

    VirtualTime time() {
        return table.time();
    }

    /** A write of at most 1 KB. */
    <T> void write(Purpose purpose, Object key, Supplier<T> effect, Consumer<T> answered, Runnable failed) {
        write(purpose, key, effect, answered, failed, 0);
    }

    private <T> void write(
            Purpose purpose, Object key, Supplier<T> effect, Consumer<T> answered, Runnable failed, int retries) {
        table.write(
                new Call(purpose, key, () -> 1),
                effect,
                answered,
                () -> retry(retries, () -> write(purpose, key, effect, answered, failed, retries + 1), failed));
    }

    /** A strongly consistent read. */
    <T> void read(Object key, IntSupplier units, Supplier<T> effect, Consumer<T> answered, Runnable failed) {
        read(key, units, effect, answered, failed, 0);
    }

    private <T> void read(
            Object key, IntSupplier units, Supplier<T> effect, Consumer<T> answered, Runnable failed, int retries) {
        table.read(
                new Call(Purpose.LOCK, key, units::getAsInt),
                effect,
                answered,
                () -> retry(retries, () -> read(key, units, effect, answered, failed, retries + 1), failed));
    }

    private void retry(int retries, Runnable again, Runnable failed) {
        if (retries >= RETRIES) {
            failed.run();
            return;
        }
        Duration most = FIRST.multipliedBy(1L << retries);
        long nanos = Math.min(most.toNanos(), LONGEST.toNanos());
        table.time().in(Duration.ofNanos((long) (nanos * random.nextDouble())), again);
    }
}
