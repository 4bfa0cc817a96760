package io.dynamolock.internal.engine;

/**
 * Counts the numbers of a session's entries, from 1. All locks of a process share one count, so that no two entries of
 * a session have the same number. Lives on the event loop.
 */
final class EntryNumbers {

    /** The greatest number that is used; 0 if none is. */
    private long last;

    /** The first number that is not used yet. */
    long next() {
        return last + 1;
    }

    /** An edit uses this many of the next numbers. */
    void use(int count) {
        last += count;
    }
}
