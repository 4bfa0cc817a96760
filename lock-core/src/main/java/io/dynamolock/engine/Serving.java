package io.dynamolock.engine;

/** How callers get the lock when their block holds it, and how it is let go when they are done. Lives on the event loop. */
interface Serving {

    /** The block has got the lock. Its item is written in time, so that the table's TTL does not take it. */
    void begin(Block block);

    /** Grants the lock to those whose turn it is. */
    void serve();

    /** Releases the lock when nobody in the block waits, and nobody is about to join it. */
    void finish();
}
