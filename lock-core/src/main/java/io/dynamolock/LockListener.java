package io.dynamolock;

/** Hears what a registry does. Calls come one at a time, in order, on a thread of the registry's. */
public interface LockListener {

    default void queued(LockEvent.Queued event) {}

    default void acquired(LockEvent.Acquired event) {}

    default void timedOut(LockEvent.TimedOut event) {}

    default void abandoned(LockEvent.Abandoned event) {}

    default void released(LockEvent.Released event) {}

    default void lost(LockEvent.Lost event) {}

    default void sessionStarted(LockEvent.SessionStarted event) {}

    default void sessionLost(LockEvent.SessionLost event) {}

    default void storeCallFailed(LockEvent.StoreCallFailed event) {}
}
