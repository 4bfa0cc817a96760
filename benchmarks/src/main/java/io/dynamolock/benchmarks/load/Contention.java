package io.dynamolock.benchmarks.load;

import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Threads of several processes that contend for locks.
 *
 * @param processes how many instances, each with clients of its own
 * @param threadsPerProcess how many threads of each process use the lock all the time
 * @param keys the lock of each thread, threads counted from 0 over all processes
 * @param section how long each turn with the lock takes
 * @param spread over how long the threads start
 * @param warmUp how long they work before it counts
 * @param measured how long it counts
 */
public record Contention(
        int processes,
        int threadsPerProcess,
        IntFunction<String> keys,
        Duration section,
        Duration spread,
        Duration warmUp,
        Duration measured) {

    public static Contention onOneKey(
            String key, int processes, int threadsPerProcess, Duration section, Duration warmUp, Duration measured) {
        return new Contention(processes, threadsPerProcess, thread -> key, section, Duration.ZERO, warmUp, measured);
    }

    int threads() {
        return processes * threadsPerProcess;
    }
}
