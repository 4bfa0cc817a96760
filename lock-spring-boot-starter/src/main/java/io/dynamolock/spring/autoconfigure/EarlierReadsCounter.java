package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.internal.persistence.EarlierReadsListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts the locks that calls got, or were refused, on threads that may have read before. Thread-safe. */
final class EarlierReadsCounter implements EarlierReadsListener {

    private final MeterRegistry meters;

    EarlierReadsCounter(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Registers the counter of this name, so that alerts on it work before the first such call. */
    void register(String lockName) {
        counter(lockName);
    }

    @Override
    public void mayHaveRead(String lockName) {
        counter(lockName).increment();
    }

    private Counter counter(String lockName) {
        return Counter.builder("dynamolock.persistence.context")
                .description("Calls that took a lock, or were refused it, on a thread that may have read before")
                .tags("name", lockName)
                .register(meters);
    }
}
