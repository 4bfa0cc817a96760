package io.dynamolock.simulation;

/** What can go wrong in a simulation. Each seed enables some of it. */
public enum FaultKind {
    // What happens to one call.
    THROTTLED,
    REFUSED,
    /** The request is lost, and nobody is told. */
    LOST_REQUEST,
    /** The connection breaks before the request has arrived. */
    RESET_BEFORE,
    /** The request takes effect, its answer is lost. */
    LOST_ANSWER,
    /** The request takes effect, then the connection breaks. */
    RESET_AFTER,
    /** The request takes effect late, often after its client has given up. */
    LATE,
    /** The connection breaks, and the request takes effect later. */
    LATE_AFTER_RESET,
    /** The request takes effect and is answered, and takes effect again later. */
    TWICE,
    /** The request takes effect at once, its answer takes long. */
    SLOW_ANSWER,
    /** An eventually consistent look shows an older item than the one before it did. */
    STALE_LOOK,

    // What happens to a link or to the store.
    SLOW_LINK,
    PARTITION,
    /** The requests arrive, the answers do not. */
    DEAF,
    /** Some operations of one process fail, its heartbeats among them or not. */
    BROWNOUT,
    OUTAGE,
    /** Silence for about a lease, then slow links, mostly of those who watch. */
    EDGE_OF_LEASE,
    /** The table removes items that are out of date. */
    EXPIRY,
    /** Somebody deletes the item of a lock. */
    DELETION,

    // What happens to a process.
    FREEZE,
    /** The loop stands still, and other threads of the process go on. */
    LOOP_STALLS,
    MACHINE_PAUSE,
    SLOW_PROCESS,
    WALL_CLOCK_SLIPS,
    WALL_CLOCK_JUMPS,
    CLOCK_RATES,
    CRASH,
    STOP;

    /** Whether it happens to a single call. */
    boolean isOfOneCall() {
        return compareTo(STALE_LOOK) <= 0;
    }

    /** Whether a call may fail, or its answer come late. */
    boolean keepsAnswersFromCallers() {
        return switch (this) {
            case TWICE, STALE_LOOK, EXPIRY, DELETION, WALL_CLOCK_SLIPS, WALL_CLOCK_JUMPS, CLOCK_RATES, CRASH, STOP ->
                false;
            default -> true;
        };
    }
}
