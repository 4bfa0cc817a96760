package io.dynamolock.simulation;

import io.dynamolock.store.testing.StoreOperation;

/** One request of one process to the table, from its sending until its client has an answer or has given up. */
final class StoreCall {

    final SimulatedLink link;
    final StoreOperation operation;
    final long sentByOwnClock;
    /** In virtual time. */
    final long sentAt;

    private final Object[] what;
    private int landings;
    private boolean ended;
    private Runnable atTheEnd = () -> {};

    StoreCall(SimulatedLink link, StoreOperation operation, long sentByOwnClock, long sentAt, Object... what) {
        this.link = link;
        this.operation = operation;
        this.sentByOwnClock = sentByOwnClock;
        this.sentAt = sentAt;
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

    /** The network has delivered it a second time, of which its client cannot know. */
    boolean isTwin() {
        return landings > 1;
    }

    boolean hasEnded() {
        return ended;
    }

    /** What to do when its client has an answer or has given up. */
    void whenEnded(Runnable action) {
        atTheEnd = action;
    }

    void end() {
        if (!ended) {
            ended = true;
            atTheEnd.run();
        }
    }
}
