package io.dynamolock.engine;

/** Why a session was lost. */
enum SessionEnd {
    NO_BEAT("no heartbeat got through for a lease"),
    BURIED("another process found it without a heartbeat for a lease and buried it"),
    WALL_CLOCK_AHEAD(
            "the wall clock of this machine was set ahead by as much as a lease, or the machine was suspended"),
    WALL_CLOCK_BACK("the wall clock of this machine was set back by more than half of maxClockSkew");

    private final String inWords;

    SessionEnd(String inWords) {
        this.inWords = inWords;
    }

    String inWords() {
        return inWords;
    }
}
