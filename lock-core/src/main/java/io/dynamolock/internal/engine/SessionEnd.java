package io.dynamolock.internal.engine;

/** Why a session is over. */
enum SessionEnd {
    NO_HEARTBEAT("no heartbeat got through for a lease"),
    EXPIRED("another process found it without a heartbeat for a lease and expired it"),
    CLOCK_AHEAD("the wall clock of this machine was set ahead by as much as a lease, or the machine was suspended"),
    CLOCK_BACK("the wall clock of this machine was set back by more than half of maxClockSkew"),
    CLOCK_WRONG("the wall clock of this machine and the store's have moved apart by more than half of maxClockSkew");

    final String inWords;

    SessionEnd(String inWords) {
        this.inWords = inWords;
    }
}
