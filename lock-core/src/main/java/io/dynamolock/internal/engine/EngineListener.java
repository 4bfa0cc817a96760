package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;

/**
 * Hears what an engine does. Called on the event loop, or on the thread of a release that came when the loop had
 * stopped: it must return at once, throw nothing and be safe for both at once.
 */
public interface EngineListener {

    /** The {@linkplain #storeCallFailed operation} on which all locks depend, and of whose failure no caller hears. */
    String HEARTBEAT = "heartbeat";

    /** The caller was numbered and has {@code ahead} others before it, as far as this process knows. */
    void queued(AcquireSpec spec, long ticket, long ahead);

    /** The caller's wait has ended so; as abandoned if the caller had left before. */
    void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued);

    /** The caller released a lock that was still its own. */
    void released(AcquireSpec spec, long ticket, Duration held);

    /** The caller's lock was lost before it released it. */
    void lost(AcquireSpec spec, long ticket, Duration held, LossReason reason);

    void sessionStarted(SessionId session);

    void sessionLost(SessionId session);

    /** One call to the store failed; it may be repeated. */
    void storeCallFailed(String operation, StoreFailure failure);
}
