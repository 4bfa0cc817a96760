package io.dynamolock.spring.metrics;

import io.dynamolock.LockRegistry;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** How many locks this process holds and waits for. */
public final class LockGauges implements MeterBinder {

    private final LockRegistry locks;

    /** @param locks asked whenever the gauges are read; that costs no call */
    public LockGauges(LockRegistry locks) {
        this.locks = locks;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        Gauge.builder("dynamo.lock.waiting", locks, registry -> registry.admin().waiting())
                .description("Callers of this process that wait for a lock now")
                .register(meters);
        Gauge.builder(
                        "dynamo.lock.held",
                        locks,
                        registry -> registry.admin().held().size())
                .description("Locks that this process holds now")
                .register(meters);
    }
}
