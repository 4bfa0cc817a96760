package io.dynamolock.scale;

import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.scale.VirtualTable.Call;
import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
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
        Call call = new Call(purpose, key, () -> 1);
        send(turnedAway -> table.write(call, effect, answered, turnedAway), failed, 0);
    }

    /** A strongly consistent read of at most 4 KB. */
    <T> void read(Object key, Supplier<T> effect, Consumer<T> answered, Runnable failed) {
        Call call = new Call(Purpose.LOCK, key, () -> 1);
        send(turnedAway -> table.read(List.of(call), effect, answered, turnedAway), failed, 0);
    }

    /** @param call makes the call, given what to do when it is throttled */
    private void send(Consumer<Runnable> call, Runnable failed, int retries) {
        call.accept(() -> {
            if (retries >= RETRIES) {
                failed.run();
                return;
            }
            long most = Math.min(FIRST.multipliedBy(1L << retries).toNanos(), LONGEST.toNanos());
            Duration pause = Duration.ofNanos((long) (most * random.nextDouble()));
            table.time().in(pause, () -> send(call, failed, retries + 1));
        });
    }
}
