package io.dynamolock.chaos;

import io.dynamolock.LockRegistryBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * The settings of a worker process.
 *
 * @param process the name of the process: that of the worker, and how often it has been started
 * @param keys how many locks are for one holder at a time, see {@link Keys#of}
 * @param discipline how the worker locks
 */
record WorkerSettings(String process, URI endpoint, int keys, long seed, Discipline discipline, Path history) {

    /** The longest lease of a worker. */
    static final Duration LEASE = Duration.ofSeconds(4);

    /** How the workers lock: correctly, or in wrong ways that the checker must notice. */
    enum Discipline {
        LOCKED,
        /** Nobody locks anything. */
        UNLOCKED,
        /** Workers take lost locks for valid. */
        DEAF
    }

    /** Sets what each process has different from the others. Half of the processes have the longest lease. */
    LockRegistryBuilder apply(LockRegistryBuilder builder) {
        SplittableRandom random = new SplittableRandom(seed);
        Duration lease = LEASE.minusMillis(random.nextBoolean() ? 0 : random.nextLong(1_000));
        return builder.lease(lease)
                .heartbeat(lease.dividedBy(random.nextLong(4, 7)))
                .callTimeout(lease.dividedBy(random.nextLong(4, 6)))
                .lockDelay(Duration.ofMillis(random.nextBoolean() ? 0 : random.nextLong(1_000)))
                .pollInterval(Duration.ofMillis(random.nextLong(5, 50)), Duration.ofMillis(random.nextLong(500, 2_000)))
                .retention(Duration.ofDays(random.nextLong(1, 30)))
                .maxQueue(random.nextBoolean() ? 200 : random.nextInt(5, 20));
    }

    Object[] arguments() {
        return new Object[] {process, endpoint, keys, seed, discipline, history.toAbsolutePath()};
    }

    static WorkerSettings of(String[] arguments) {
        return new WorkerSettings(
                arguments[0],
                URI.create(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]),
                Discipline.valueOf(arguments[4]),
                Path.of(arguments[5]));
    }
}
