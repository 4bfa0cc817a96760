package io.dynamolock.benchmarks.load;

import java.lang.management.ManagementFactory;

/**
 * What this JVM is made of.
 *
 * @param heapBytes what is left after a collection
 * @param threads platform threads, live
 */
public record Footprint(long heapBytes, int threads) {

    private static final int COLLECTIONS = 3;

    public static Footprint now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new Footprint(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    public double heapKbMoreThan(Footprint before) {
        return (heapBytes - before.heapBytes) / 1024.0;
    }

    public int threadsMoreThan(Footprint before) {
        return threads - before.threads;
    }
}
