package io.dynamolock;

/**
 * The DynamoDB table that the locks live in. Thread-safe. Every method except {@link #name()} blocks, needs permissions
 * that locking itself does not need, and throws {@link LockTableException} if it fails. The message says what is wrong
 * and what to do; {@link LockTableException#problem()} tells programs what is wrong.
 */
public interface LockTable {

    /** The name of the table, or its ARN if that is what the builder was given. */
    String name();

    /**
     * Creates the table, on-demand, with TTL and without deletion protection, and waits until it is active. An existing
     * table stays as it is; this method only waits until it is active. A table that is being deleted is created again.
     * Safe to call from several processes at once. If the process dies, or DynamoDB's answer is lost, after the table
     * is created and before TTL is switched on, the table has no TTL: {@link #check()} says how to switch it on.
     */
    void create();

    /**
     * As {@link #create()}, but with provisioned capacity. Single calls then cost nothing; calls beyond the capacity
     * are throttled, and callers wait.
     *
     * @param readUnits how many units reads may take in each second, at least 1
     * @param writeUnits how many units writes may take in each second, at least 1
     * @throws IllegalArgumentException if one of the two is less than 1
     */
    void createProvisioned(long readUnits, long writeUnits);

    /** Creates the table if it does not exist, then checks it. */
    default void createIfMissing() {
        create();
        check();
    }

    /**
     * Checks that the table exists, that it has the key schema that the locks need, that TTL is on for the right
     * attribute, and that it has no replica in another region that receives writes only later (unless the builder was
     * told that {@linkplain LockRegistryBuilder#singleRegion only one region} is used). A global table with
     * multi-Region strong consistency passes, and has no TTL. A global table of the legacy version 2017.11.29 is not
     * recognised. Changes nothing.
     */
    void check();

    /**
     * Deletes the table with every lock in it, even locks that are held, and waits until it is gone. Does nothing if
     * there is no table. Fails if the table has deletion protection.
     */
    void delete();
}
