package io.dynamolock.internal.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/** Something that a calling thread does for as many callers, sessions or locks as it is told. */
public interface Measured {

    /** Does it, and tells how much work that was. */
    Work workFor(int size);

    /**
     * How much work it was.
     *
     * @param steps how many {@link Steps} of main code were counted: none unless {@link CountedCode} has loaded it
     * @param bytes how many bytes were allocated
     * @param time for how long the processor was busy
     */
    record Work(long steps, long bytes, Duration time) {

        private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        /** All work that the calling thread has done so far, with this count of steps. */
        public static Work soFar(long steps) {
            return new Work(
                    steps,
                    THREADS.getCurrentThreadAllocatedBytes(),
                    Duration.ofNanos(THREADS.getCurrentThreadCpuTime()));
        }

        public Work since(Work before) {
            return new Work(steps - before.steps, bytes - before.bytes, time.minus(before.time));
        }
    }
}
