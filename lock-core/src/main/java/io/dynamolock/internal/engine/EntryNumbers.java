package io.dynamolock.internal.engine;

/**
 * The numbers of a session's entries, from 1. Each is used for one entry, whichever of the process's locks that is for.
 * Lives on the event loop.
 */
final class EntryNumbers {

    /** The greatest number that was used; 0 if none was. */
    private long last;

    /** The first number that was not used yet. */
    long next() {
        return last + 1;
    }

    /** An edit was sent that uses the next numbers, so many of them. */
    void use(int count) {
        last += count;
    }
}
