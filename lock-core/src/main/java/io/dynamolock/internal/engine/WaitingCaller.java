package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;

/**
 * A caller that waits for a lock, as {@link LockState} sees it; {@link PendingAcquisition} is what the caller has in
 * its hands. Comments and parameters call it a waiter. Waiters are not bound to entries: a slot serves whichever waiter
 * is next. {@link Lane} alone changes a waiter. Lives on the event loop.
 */
final class WaitingCaller {

    private final AcquireSpec spec;
    private final long arrival;
    private final Moment arrivedAt;
    private final Moment gathersUntil;

    /**
     * Whether the store has answered a call about the lock that was sent after this caller came. An old item counts,
     * and so does a conflict. Never cleared.
     */
    private boolean isAnswered;

    /** Whether an answer has shown the item as it was after this caller came. Never cleared. */
    private boolean hasSeenItem;

    /** Whether the caller's time is over. Its wait may go on a little, if it is owed an answer. Never cleared. */
    private boolean isOverdue;

    /** Whether the caller was told that it has a slot. Never cleared. */
    private boolean isQueued;

    /** Whether the caller was told that the queue is full. Never cleared. */
    private boolean hasFoundFull;

    /**
     * @param arrival the number of this waiter among all waiters of the engine, in the order in which they came
     * @param arrivedAt when the caller came
     */
    WaitingCaller(AcquireSpec spec, long arrival, Moment arrivedAt) {
        this.spec = spec;
        this.arrival = arrival;
        this.arrivedAt = arrivedAt;
        this.gathersUntil = Batching.gathersUntil(spec, arrivedAt);
    }

    AcquireSpec spec() {
        return spec;
    }

    Mode mode() {
        return spec.kind().mode();
    }

    long arrival() {
        return arrival;
    }

    Moment arrivedAt() {
        return arrivedAt;
    }

    /** Until when the caller is held back for others that want the lock as well ({@link Batching}). */
    Moment gathersUntil() {
        return gathersUntil;
    }

    /** When the caller's time is over. Meaningless if it waits for ever. */
    Moment timeOverAt() {
        return arrivedAt.plus(spec.waitLimit());
    }

    /** Whether the caller shares its entry with no other caller. */
    boolean needsEntryForItself() {
        return spec.kind().needsEntryForItself();
    }

    /** Whether the caller does not wait: it gets the lock at once, or not at all. */
    boolean isTry() {
        return spec.waitLimit().isZero();
    }

    Duration waited(Moment now) {
        return now.since(arrivedAt);
    }

    boolean isAnswered() {
        return isAnswered;
    }

    boolean hasSeenItem() {
        return hasSeenItem;
    }

    boolean isOverdue() {
        return isOverdue;
    }

    boolean isQueued() {
        return isQueued;
    }

    boolean hasFoundFull() {
        return hasFoundFull;
    }

    /** The store has answered a call about the lock that was sent at this moment. */
    void answered(Moment sentAt) {
        isAnswered |= !sentAt.isBefore(arrivedAt);
    }

    /** The answer to a consistent call that was sent at this moment has shown the item. */
    void itemShown(Moment sentAt) {
        hasSeenItem |= !sentAt.isBefore(arrivedAt);
    }

    void timeIsOver() {
        isOverdue = true;
    }

    void queued() {
        isQueued = true;
    }

    void foundFull() {
        hasFoundFull = true;
    }
}
