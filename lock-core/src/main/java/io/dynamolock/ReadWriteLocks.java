package io.dynamolock;

/**
 * The two sides of one lock: any number of readers hold it together, and a writer holds it alone. Both are served first
 * come, first served: a writer waits for the readers before it in the queue, and no reader behind the writer overtakes
 * it. Costs no call and no memory until a side is used. Immutable and thread-safe.
 *
 * <p>The fencing token of a writer is greater than the tokens of all readers and writers before it. The token of a
 * reader is greater than the tokens of all writers before it, and smaller than the tokens of all writers after it.
 * Readers that hold the lock together may have the same token.
 *
 * <p>A reader cannot become a writer while it holds the lock: it would block until the wait ends. Release the lock,
 * acquire the other side, and repeat what you have read. A writer can go on as a reader by {@link
 * LockHandle#downgrade()}.
 */
public final class ReadWriteLocks {

    private final LockView read;
    private final LockView write;

    ReadWriteLocks(LockView read, LockView write) {
        this.read = read;
        this.write = write;
    }

    /** The lock, shared with other readers. Readers of one registry that come together share an entry in the queue. */
    public LockView read() {
        return read;
    }

    /** The lock for one writer alone. Each writer has its own entry in the queue. */
    public LockView write() {
        return write;
    }

    @Override
    public String toString() {
        return "ReadWriteLocks[" + read + ", " + write + "]";
    }
}
