package io.dynamolock.chaos;

/**
 * One caller's attempt to get a lock and what came of it, put together from its lines. All times are nanoseconds of the
 * clock that all processes share.
 */
final class Attempt {

    /** Not known, or not come to it. */
    static final long NONE = Long.MIN_VALUE;

    final String id;
    final String process;
    String key = "";
    HoldMode mode = HoldMode.EXCLUSIVE;
    /** Before it asked. */
    long asked = NONE;
    /** It had asked, and so had its place among the callers of its process. */
    long arrived = NONE;
    /** It had heard that it stood in the queue. */
    long queued = NONE;
    /** The number that it would have got in the queue when it was first told. */
    long queuedToken = NONE;
    /** How many sessions its process had lost by then. */
    int lossesWhenQueued;
    /** It stood in the queue from then on until it was granted the lock: its process lost no session meanwhile. */
    boolean keptItsPlace;
    /** When it knew of its grant. */
    long granted = NONE;

    long token = NONE;
    /** Until when it could count on the lock, by its own judgment: the latest of all its observations. */
    long validUntil = NONE;
    /** Before it asked to go on as a reader. */
    long sharedSince = NONE;
    /** The first observation that found the lock lost. */
    long foundLost = NONE;
    /** Before it released, or its registry was closed. */
    long ended = NONE;
    /** When the release had returned. */
    long released = NONE;
    /** What the release said. */
    boolean stillHeld;
    /** It was told of the loss, by the listener or the handle. */
    boolean toldOfLoss;

    Attempt(String id, String process) {
        this.id = id;
        this.process = process;
    }

    boolean isGranted() {
        return granted != NONE;
    }

    /** The end of the time in which it was the holder for sure; not after the grant if there is no such time. */
    long heldUntil() {
        return ended == NONE ? validUntil : Math.min(validUntil, ended);
    }

    /** Whether it knew itself to be the holder when it heard of the grant. */
    boolean wasHolder() {
        return isGranted() && heldUntil() > granted;
    }

    @Override
    public String toString() {
        return id + " (" + mode + ", token " + token + ", granted at " + granted + ", held until " + heldUntil() + ")";
    }
}
