package io.dynamolock;

/**
 * The DynamoDB table that the locks live in. Thread-safe. Every method but {@link #name()} blocks, and needs
 * permissions that locking itself does not need. Each of them throws {@link LockTableException} if it fails; the
 * message says what is wrong and what to do, and {@link LockTableException#problem()} says it for programs.
 */
public interface LockTable {

    /** The name of the table, or its ARN if that is what the builder was given. */
    String name();

    /**
     * Creates the table, on-demand, with TTL and without deletion protection, and waits until it is active. A table
     * that exists already stays as it is; this method just waits until it is active. A table that is being deleted is
     * created again. Safe to call from several processes at once. If the process dies, or DynamoDB's answer is lost,
     * after the creation and before TTL is turned on, the table has no TTL: {@link #check()} says how to turn it on.
     */
    void create();

    /**
     * As {@link #create()}, but with provisioned capacity. Calls cost nothing then; calls beyond the capacity are
     * throttled, and locks wait for them.
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
     * attribute, and that it has no replica in another region that hears of a write only later (unless the builder was
     * told that {@linkplain LockRegistryBuilder#singleRegion only one region} is used). A global table with
     * multi-Region strong consistency passes, and has no TTL. A global table of the legacy version 2017.11.29 is not
     * recognised. Changes nothing.
     */
    void check();

    /**
     * Deletes the table with every lock in it, also locks that are held, and waits until it is gone. Does nothing if
     * there is no table. Fails if the table has deletion protection.
     */
    void delete();
}
