package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** A caller that waits for a lock. Waiters are not bound to entries: a slot serves whoever is next. Lives on the event loop. */
final class Waiter {

    private static final Duration LONGEST_GATHERING = Duration.ofMillis(50);

    /** Nobody is held back for others longer than one part in so many of its wait. */
    private static final int PART_OF_WAIT = 4;

    final AcquireSpec spec;
    final long arrival;

    /** Until when it is held back for others that may come, by the monotonic clock; not at all if it does not wait. */
    final long gathersUntil;

    private final long arrivedNanos;

    /** Whether the store has answered a call about the lock that was sent after it came, be it with an old item or by a conflict. */
    boolean isAnswered;

    /** The same, with the item as it was then. */
    boolean isHeard;

    /** Whether its time is over. It may still get its one answer. */
    boolean isOverdue;

    /** Whether it was told that it has got a slot. */
    boolean isQueued;

    /**
     * @param arrival counts the waiters of a process, so that of two the one with the smaller number came first
     * @param arrivedNanos when it came, by the monotonic clock
     */
    Waiter(AcquireSpec spec, long arrival, long arrivedNanos) {
        this.spec = spec;
        this.arrival = arrival;
        this.arrivedNanos = arrivedNanos;
        this.gathersUntil = arrivedNanos
                + Collections.min(List.of(LONGEST_GATHERING, spec.waitLimit().dividedBy(PART_OF_WAIT)))
                        .toNanos();
    }

    Mode mode() {
        return spec.kind().mode();
    }

    /** Whether it does not wait: it has the lock at once, or not at all. */
    boolean isTry() {
        return spec.waitLimit().isZero();
    }

    /** Whether it may be told that it does not get the lock, without having waited for its time. */
    boolean isRefusable() {
        return isTry() || spec.onlyIfExists() || spec.permits() > 0;
    }

    Duration waited(long nowNanos) {
        return Duration.ofNanos(nowNanos - arrivedNanos);
    }

    void hear(long sentNanos, boolean isConsistent) {
        boolean isAfter = sentNanos - arrivedNanos >= 0;
        isAnswered |= isAfter;
        isHeard |= isAfter && isConsistent;
    }
}
