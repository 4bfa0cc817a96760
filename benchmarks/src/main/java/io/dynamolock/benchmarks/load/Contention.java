package io.dynamolock.benchmarks.load;

import java.time.Duration;
import java.util.Optional;

/**
 * Threads of several processes that take locks.
 *
 * @param processes how many instances, each with clients of its own
 * @param threadsPerProcess how many threads of each process use the lock all the time
 * @param keys the lock of each section
 * @param section how long each turn with the lock takes
 * @param spread over how long the threads start
 * @param warmUp how long they work before it counts
 * @param measured how long it counts
 * @param pace the time from the start of one section to the start of the next, counted over all threads. Whichever
 *     thread is free takes the next start, and a section that begins late counts from its start. Empty: each thread
 *     begins its next section as soon as it has ended the last
 */
public record Contention(
        int processes,
        int threadsPerProcess,
        Keys keys,
        Duration section,
        Duration spread,
        Duration warmUp,
        Duration measured,
        Optional<Duration> pace) {

    /** Chooses the lock of each section. */
    @FunctionalInterface
    public interface Keys {

        /**
         * @param thread from 0 on, over all processes
         * @param turn how many sections this thread has had
         */
        String of(int thread, int turn);
    }

    /** Threads of several processes that want one lock, as fast as they get it. */
    public static Contention onOneKey(
            String key, int processes, int threadsPerProcess, Duration section, Duration warmUp, Duration measured) {
        return new Contention(
                processes,
                threadsPerProcess,
                (thread, turn) -> key,
                section,
                Duration.ZERO,
                warmUp,
                measured,
                Optional.empty());
    }

    /** Threads of one process with empty sections under locks that nobody else wants, as fast as they can. */
    public static Contention onFreeLocks(int threads, Keys keys, Duration warmUp, Duration measured) {
        return new Contention(1, threads, keys, Duration.ZERO, Duration.ZERO, warmUp, measured, Optional.empty());
    }

    /** The same threads, which start one after the other. */
    public Contention withSpread(Duration spread) {
        return new Contention(processes, threadsPerProcess, keys, section, spread, warmUp, measured, pace);
    }

    /** The same work at a fixed rate. */
    public Contention withPace(Duration pace) {
        return new Contention(processes, threadsPerProcess, keys, section, spread, warmUp, measured, Optional.of(pace));
    }

    int threads() {
        return processes * threadsPerProcess;
    }
}
