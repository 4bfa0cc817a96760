package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;

/**
 * Hears what an engine does. Usually called on the event loop. {@link #lost} and {@link #ended} may also be called on
 * other threads, at the same time. Every method must return at once and throw nothing.
 */
public interface EngineListener {

    /**
     * The {@linkplain #storeCallFailed operation} of heartbeats. All locks depend on them, and no caller waits for
     * them.
     */
    String HEARTBEAT = "heartbeat";

    /** The {@linkplain #storeCallFailed operation} that begins a session. Without a session, every caller waits. */
    String BEGINNING = "begin session";

    /**
     * The caller has a slot in the queue.
     *
     * @param ticket the ticket that the caller will have if nobody ahead gives up
     * @param ahead how many callers are ahead, as far as this process knows
     */
    void queued(AcquireSpec spec, long ticket, long ahead);

    /**
     * The caller has found the queue full, and waits outside. {@link #queued} may follow.
     *
     * @param ahead how many callers are ahead, as far as this process knows
     */
    void foundFull(AcquireSpec spec, long ahead);

    /**
     * The caller's wait has ended.
     *
     * @param how how it ended; as abandoned if the caller has abandoned it before it could end otherwise
     * @param wasQueued whether {@link #queued} or {@link #foundFull} was called for the caller
     */
    void ended(AcquireSpec spec, AcquireOutcome how, Duration waited, boolean wasQueued);

    /** The caller has released a lock that it still held. */
    void released(AcquireSpec spec, long ticket, Duration held);

    /** The caller has lost its lock before it released it. */
    void lost(AcquireSpec spec, long ticket, Duration held, LossReason reason);

    /**
     * The entry of a released lock has stayed in the queue for a moment.
     *
     * @param leftBy the caller that had released the lock
     */
    void stayEnded(AcquireSpec leftBy, StayEnd how);

    void sessionStarted(SessionId session);

    void sessionLost(SessionId session);

    /** A call to the store was answered. */
    void storeCallAnswered(String operation);

    /** A call to the store has failed. The engine may repeat it. */
    void storeCallFailed(String operation, StoreFailure failure);
}
