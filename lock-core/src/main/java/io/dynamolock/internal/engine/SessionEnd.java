package io.dynamolock.internal.engine;

/** Why a session is over. */
enum SessionEnd {
    NO_HEARTBEAT("no heartbeat got through for a lease"),
    EXPIRED("another process found it without a heartbeat for a lease and expired it"),
    CLOCK_AHEAD("the wall clock of this machine was set ahead by as much as a lease, or the machine was suspended"),
    STORE_CLOCK(
            "by the store's clock a lease has passed since the last heartbeat: the clocks of this machine stood still");

    final String inWords;

    SessionEnd(String inWords) {
        this.inWords = inWords;
    }
}
