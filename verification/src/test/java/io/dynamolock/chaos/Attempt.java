package io.dynamolock.chaos;

/**
 * One caller's attempt to get a lock and its outcome, put together from the lines of a history. All times are
 * nanoseconds of the clock that all processes share.
 */
final class Attempt {

    /** The moment is not known, or was never reached. */
    static final long NONE = Long.MIN_VALUE;

    final String id;
    final String process;
    String key = "";
    HoldMode mode = HoldMode.EXCLUSIVE;
    /** A moment before the caller asked. */
    long asked = NONE;
    /** A moment after the caller had asked, and so had its place among the callers of its process. */
    long arrived = NONE;
    /** When the caller had heard that it stood in the queue. */
    long queued = NONE;
    /** The token that the queue promised when the caller was first told. */
    long queuedToken = NONE;
    /** How many sessions the process had lost when the caller was told of its place. */
    int lossesWhenQueued;
    /** Whether the caller stood in the queue from then until its grant: its process lost no session meanwhile. */
    boolean keptItsPlace;
    /** When the caller knew of its grant. */
    long granted = NONE;

    long token = NONE;
    /** Until when the caller could count on the lock, by the latest of its own observations. */
    long validUntil = NONE;
    /** A moment before the caller asked to go on as a reader. */
    long sharedSince = NONE;
    /** The first observation that found the lock lost. */
    long foundLost = NONE;
    /** A moment before the caller released the lock, or its registry was closed. */
    long ended = NONE;
    /** When the release had returned. */
    long released = NONE;
    /** The answer of the release. */
    boolean stillHeld;
    /** Whether the listener or the handle told of the loss. */
    boolean toldOfLoss;

    Attempt(String id, String process) {
        this.id = id;
        this.process = process;
    }

    boolean isGranted() {
        return granted != NONE;
    }

    /**
     * The end of the time in which the caller was the holder for sure; at or before the grant if there is no such time.
     */
    long heldUntil() {
        return ended == NONE ? validUntil : Math.min(validUntil, ended);
    }

    /** Whether the caller was the holder for sure when it heard of the grant. */
    boolean wasHolder() {
        return isGranted() && heldUntil() > granted;
    }

    @Override
    public String toString() {
        return id + " (" + mode + ", token " + token + ", granted at " + granted + ", held until " + heldUntil() + ")";
    }
}
