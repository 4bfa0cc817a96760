package io.dynamolock.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * The memory and the threads of this JVM.
 *
 * @param heapBytes used heap after a collection
 * @param threads live platform threads
 */
public record Footprint(long heapBytes, int threads) {

    private static final int COLLECTIONS = 3;
    private static final int LONGEST_SETTLING_SECONDS = 60;
    private static final int CALM_SECONDS = 3;

    public static Footprint now() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return new Footprint(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /**
     * As {@link #now()}, after the threads that earlier work has left behind have ended, and what they held is free.
     */
    public static Footprint settled() throws InterruptedException {
        int threads = Integer.MAX_VALUE;
        int calm = 0;
        for (int i = 0; i < LONGEST_SETTLING_SECONDS && calm < CALM_SECONDS; i++) {
            int live = ManagementFactory.getThreadMXBean().getThreadCount();
            calm = live < threads ? 0 : calm + 1;
            threads = live;
            TimeUnit.SECONDS.sleep(1);
        }
        return now();
    }

    public double heapKbMoreThan(Footprint before) {
        return (heapBytes - before.heapBytes) / 1024.0;
    }

    public int threadsMoreThan(Footprint before) {
        return threads - before.threads;
    }
}
