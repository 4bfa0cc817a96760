package io.dynamolock;

/**
 * The DynamoDB table the locks live in. Thread-safe; every method but {@link #name()} blocks, and needs permissions that locking
 * itself does not. All throw {@link LockTableException} with the {@linkplain LockTableException#problem() problem} if they fail.
 */
public interface LockTable {

    /** The name of the table, or its ARN if that is what the builder was given. */
    String name();

    /**
     * Creates the table, on-demand and with TTL, and waits until it is active. If it exists already, leaves it as it is
     * and just waits until it is active; one that is being deleted is made anew. Safe to call from several processes at
     * once. If a process dies, or DynamoDB's answer is lost, between the creation and TTL, the table is left without TTL:
     * {@link #check()} tells how to turn it on.
     *
     * @throws LockTableException saying what is wrong and what to do
     */
    void create();

    /**
     * As {@link #create()}, but with provisioned capacity. It costs nothing per call; calls beyond it are throttled, and
     * locks wait for them.
     *
     * @param readUnits how many units reads may take in each second, at least 1
     * @param writeUnits how many units writes may take in each second, at least 1
     * @throws IllegalArgumentException if one of them is less than 1
     * @throws LockTableException saying what is wrong and what to do
     */
    void createProvisioned(long readUnits, long writeUnits);

    /**
     * Creates the table if it does not exist, then checks it.
     *
     * @throws LockTableException saying what is wrong and what to do
     */
    default void createIfMissing() {
        create();
        check();
    }

    /**
     * Checks that the table exists, that its key schema is the one the locks need, that TTL is on for the right
     * attribute, and that it has no replica in another region which hears of a write only later (unless
     * {@linkplain LockRegistryBuilder#singleRegion one region} is said to be all that is used). A global table with
     * multi-Region strong consistency passes, and has no TTL. One of the legacy version 2017.11.29 is not recognised.
     * Changes nothing.
     *
     * @throws LockTableException saying what is wrong and what to do
     */
    void check();

    /**
     * Deletes the table and every lock in it, also locks that are held, and waits until it is gone. Does nothing if
     * there is none.
     *
     * @throws LockTableException saying what is wrong and what to do
     */
    void delete();
}
