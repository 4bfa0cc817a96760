package io.dynamolock.chaos;

import java.net.URI;
import java.util.List;

/** The way from one worker to the database, and what can go wrong on it. Thread-safe. */
interface Link extends AutoCloseable {

    /** Which packets, or bytes, do not get through. */
    enum Cut {
        BOTH_WAYS,
        /** What the worker asks does not arrive. */
        REQUESTS,
        /** What the worker asks is done, but it does not hear of it. */
        ANSWERS,
        /** A third of the packets, at random. */
        SOME
    }

    /** What stands before the worker's command. */
    List<String> prefix();

    /** Where the worker finds the database. */
    URI endpoint();

    /** Nothing gets lost: what was under way arrives when the cut is healed, however late. */
    void cut(Cut cut);

    /** Every piece of data takes this much longer, in each direction. */
    void slow(int millis);

    /** Resets every connection. */
    void reset();

    /** Ends cut and slowness. */
    void heal();

    @Override
    void close();
}
