package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;

/**
 * A listener that ignores everything: for a process of which nobody wants to hear, and as a base for listeners that
 * want to hear a part.
 */
public class NoOpEngineListener implements EngineListener {

    @Override
    public void queued(AcquireSpec spec, long number, long ahead) {}

    @Override
    public void foundFull(AcquireSpec spec, long ahead) {}

    @Override
    public void ended(AcquireSpec spec, AcquireOutcome outcome, Duration waited, boolean wasQueued) {}

    @Override
    public void released(AcquireSpec spec, long number, Duration held) {}

    @Override
    public void lost(AcquireSpec spec, long number, Duration held, LossReason reason) {}

    @Override
    public void stayEnded(AcquireSpec leftBy, StayEnd how) {}

    @Override
    public void sessionStarted(SessionId session) {}

    @Override
    public void sessionLost(SessionId session) {}

    @Override
    public void storeCallAnswered(String operation) {}

    @Override
    public void storeCallFailed(String operation, StoreFailure failure) {}
}
