package io.dynamolock.engine;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how holds and waits ended. Thread-safe. */
public final class Ends implements EngineListener {

    private final AtomicInteger released = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    int released() {
        return released.get();
    }

    int lost() {
        return lost.get();
    }

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {}

    @Override
    public void acquired(AcquireSpec spec, long number, Duration waited, boolean wasQueued) {}

    @Override
    public void timedOut(AcquireSpec spec, Duration waited) {}

    @Override
    public void evicted(AcquireSpec spec, Duration waited) {}

    @Override
    public void abandoned(AcquireSpec spec, Duration waited) {}

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {
        released.incrementAndGet();
    }

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {
        lost.incrementAndGet();
    }

    @Override
    public void sessionStarted(SessionId session) {}

    @Override
    public void sessionLost(SessionId session) {}

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {}
}
