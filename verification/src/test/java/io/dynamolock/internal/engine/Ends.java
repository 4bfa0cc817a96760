package io.dynamolock.internal.engine;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the ends of holds and waits. Thread-safe. */
final class Ends extends NoOpEngineListener {

    final AtomicInteger waits = new AtomicInteger();
    final AtomicInteger released = new AtomicInteger();
    final AtomicInteger lost = new AtomicInteger();

    void forget() {
        waits.set(0);
        released.set(0);
        lost.set(0);
    }

    @Override
    public void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued) {
        waits.incrementAndGet();
    }

    @Override
    public void released(AcquireSpec spec, long ticket, Duration held) {
        released.incrementAndGet();
    }

    @Override
    public void lost(AcquireSpec spec, long ticket, Duration held, LossReason reason) {
        lost.incrementAndGet();
    }
}
