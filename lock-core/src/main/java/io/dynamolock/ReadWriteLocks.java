package io.dynamolock;

/**
 * The two sides of one lock: any number of readers hold it together, a writer holds it alone. First come, first served
 * holds for both: a writer waits for the readers before it in the queue, and no reader behind it in the queue passes it.
 * Immutable and thread-safe; no call is made, and nothing kept, until a side is used.
 *
 * <p>The fencing token of a writer is greater than those of all readers and writers before it. That of a reader is greater
 * than those of all writers before it, and smaller than those of all writers after it; readers who hold the lock together
 * may have the same.
 *
 * <p>A reader cannot become a writer while it holds the lock: it would wait for itself. It releases the lock and acquires
 * the other side, and reads again what it has read. A writer can go on as a reader by {@link LockHandle#downgrade()}.
 */
public final class ReadWriteLocks {

    private final LockView read;
    private final LockView write;

    ReadWriteLocks(LockView read, LockView write) {
        this.read = read;
        this.write = write;
    }

    /** The lock to be shared with other readers. Those of one registry who come together share an entry in the queue. */
    public LockView read() {
        return read;
    }

    /** The lock for one writer alone. Each writer has an entry of its own in the queue. */
    public LockView write() {
        return write;
    }

    @Override
    public String toString() {
        return "ReadWriteLocks[" + read + ", " + write + "]";
    }
}
