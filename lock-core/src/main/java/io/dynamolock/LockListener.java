package io.dynamolock;

/**
 * Hears what a registry does, for metrics, logs and alarms.
 *
 * <p>Calls come one at a time and in the order of events, on a thread of the registry's own. They come after the fact:
 * a listener cannot hold up or change anything. What it throws is logged. If more than 65,536 events gather because it
 * is slow, it misses some, and the log says so.
 *
 * <p>Implement the methods of the events that are wanted, or {@link #heard} for all events alike.
 */
public interface LockListener {

    /** Something happened. Calls the method of the event's type; if this is overridden, it is the only one called. */
    default void heard(LockEvent event) {
        if (event instanceof LockEvent.Queued queued) {
            queued(queued);
        } else if (event instanceof LockEvent.Acquired acquired) {
            acquired(acquired);
        } else if (event instanceof LockEvent.TimedOut timedOut) {
            timedOut(timedOut);
        } else if (event instanceof LockEvent.Abandoned abandoned) {
            abandoned(abandoned);
        } else if (event instanceof LockEvent.Released released) {
            released(released);
        } else if (event instanceof LockEvent.Lost lost) {
            lost(lost);
        } else if (event instanceof LockEvent.SessionStarted started) {
            sessionStarted(started);
        } else if (event instanceof LockEvent.SessionLost ended) {
            sessionLost(ended);
        } else if (event instanceof LockEvent.StoreCallFailed failed) {
            storeCallFailed(failed);
        }
    }

    /** A caller got its place in the queue. */
    default void queued(LockEvent.Queued event) {}

    /** A caller got the lock. */
    default void acquired(LockEvent.Acquired event) {}

    /** A caller's wait was over. */
    default void timedOut(LockEvent.TimedOut event) {}

    /** A caller gave up, or its attempt failed. */
    default void abandoned(LockEvent.Abandoned event) {}

    /** A holder released a lock that was still its own. */
    default void released(LockEvent.Released event) {}

    /** A holder lost its lock before it released it. */
    default void lost(LockEvent.Lost event) {}

    /** This process can hold locks from now on. */
    default void sessionStarted(LockEvent.SessionStarted event) {}

    /** This process lost all its locks. */
    default void sessionLost(LockEvent.SessionLost event) {}

    /** One call to the store failed; it may be repeated. */
    default void storeCallFailed(LockEvent.StoreCallFailed event) {}
}
