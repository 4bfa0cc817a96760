package io.dynamolock.chaos;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a worker process.
 *
 * @param process the name of the process: that of the worker, and how often it has been started
 * @param keys how many locks are for one holder at a time, see {@link Keys#of}
 * @param discipline how the worker locks
 */
record WorkerSettings(String process, URI endpoint, int keys, long seed, Discipline discipline, Path history) {

    static final Duration LEASE = Duration.ofSeconds(4);
    static final Duration HEARTBEAT = Duration.ofSeconds(1);
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(1);

    /** How the workers lock: correctly, or in wrong ways that the checker must notice. */
    enum Discipline {
        LOCKED,
        /** Nobody locks anything. */
        UNLOCKED,
        /** Workers take lost locks for valid. */
        DEAF
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
