package io.dynamolock;

/** The table the locks live in. Thread-safe; every method blocks. */
public interface LockTable {

    String name();

    /** Creates the table, on-demand and with TTL, and waits until it is active; does nothing if it exists. */
    void create();

    /** Creates the table if it does not exist, then checks it. */
    default void createIfMissing() {
        create();
        check();
    }

    /**
     * Checks that the table exists, has the right key schema and TTL.
     *
     * @throws LockTableException saying what is wrong and what to do
     */
    void check();

    /** Deletes the table and every lock in it. */
    void delete();
}
