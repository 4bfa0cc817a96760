package io.dynamolock.engine;

import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before a failed call to the store is repeated: exponential, capped, with jitter. */
final class Backoff {

    private static final Duration FIRST = Duration.ofMillis(50);
    private static final int MAX_DOUBLINGS = 5;

    /** A throttled call had no effect, and room for it may be there at once; a transaction is over soon. */
    private static final Duration QUICK = Duration.ofMillis(20);

    private static final int MAX_DOUBLINGS_IN_CONFLICT = 2;

    private final RandomGenerator random;

    Backoff(RandomGenerator random) {
        this.random = random;
    }

    /** @param failures how often the call has failed in a row, at least 1 */
    Duration delay(int failures) {
        return jittered(FIRST.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS)));
    }

    /** As above. A call that met a transaction need not wait for better times. */
    Duration delay(int failures, StoreFailure last) {
        return last.kind() == StoreFailure.Kind.CONFLICTED
                ? jittered(QUICK.multipliedBy(1L << Math.min(failures - 1, MAX_DOUBLINGS_IN_CONFLICT)))
                : delay(failures);
    }

    /** For a call that everybody waits for. */
    Duration urgentDelay(int failures, StoreFailure last) {
        return switch (last.kind()) {
            case THROTTLED, CONFLICTED -> jittered(QUICK);
            default -> delay(failures);
        };
    }

    /** Anything from three quarters of the delay to the whole, so that processes do not march in step. */
    Duration jittered(Duration delay) {
        long nanos = delay.toNanos();
        return Duration.ofNanos(nanos - (long) (nanos * 0.25 * random.nextDouble()));
    }
}
