package io.dynamolock.simulation;

import io.dynamolock.store.testing.StoreOperation;

/** One request of one process to the table, from its sending until its client has an answer or has given up. */
final class StoreCall {

    final SimulatedLink link;
    final StoreOperation operation;
    final long sentByOwnClock;
    /** What its process had seen of the lock when it sent this: when the look began, in virtual time. */
    final long seenSince;

    private final Object[] what;
    private int landings;
    private boolean ended;

    StoreCall(SimulatedLink link, StoreOperation operation, long sentByOwnClock, long seenSince, Object[] what) {
        this.link = link;
        this.operation = operation;
        this.sentByOwnClock = sentByOwnClock;
        this.seenSince = seenSince;
        this.what = what;
    }

    String process() {
        return link.process();
    }

    Object[] what() {
        return what;
    }

    void lands() {
        landings++;
    }

    /** It takes effect when nobody waits for its answer any more, or a second time. */
    boolean isLate() {
        return ended || landings > 1;
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }
}
