package io.dynamolock.internal.testing;

import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.stream.Collectors;

/** What this JVM uses. */
public final class Footprint {

    private Footprint() {}

    /** The numbers of its threads. */
    public static Set<Long> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getId).collect(Collectors.toSet());
    }

    /** After as many collections as it takes for the figure to settle. */
    public static long usedHeap() {
        long used = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            System.gc();
            long now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            if (now >= used - 64 * 1024) {
                return Math.min(now, used);
            }
            used = now;
        }
        return used;
    }
}
