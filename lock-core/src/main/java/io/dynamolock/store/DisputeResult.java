package io.dynamolock.store;

/** The answer to filing a dispute. */
public enum DisputeResult {
    /** The holder's process gets it with its next beat. */
    FILED,
    /** The session carries as many disputes as it may; try later. */
    FULL,
    /** The session's item does not exist: it is dead. */
    GONE
}
