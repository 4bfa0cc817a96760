package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item that is locked, as it was read when it was locked. {@link #updateAndRelease} or {@link #release} ends the
 * lock; closing an item whose lock has ended makes no call, so {@code try} with resources costs nothing. Thread-safe,
 * as far as the object of the user's class is.
 *
 * @param <T> the class of the items
 */
public final class LockedItem<T> implements AutoCloseable {

    private final AsyncLockedItem<T> locked;

    LockedItem(AsyncLockedItem<T> locked) {
        this.locked = locked;
    }

    /** The key of the item, by attribute. */
    public Map<String, AttributeValue> key() {
        return locked.key();
    }

    /**
     * The item as it was when it was locked: the same object with each call.
     *
     * @throws IllegalStateException if there was none: see {@link #isNew}
     */
    public T item() {
        return locked.item();
    }

    /**
     * Whether there was no item: it stands in the table now with nothing but its key and its lock. Always {@code false}
     * unless the table was built with {@link LockingTableBuilder#lockAbsentItems}. With it, an item that has no
     * attribute besides its key counts as new too, because a process that crashed may have left it.
     */
    public boolean isNew() {
        return locked.isNew();
    }

    /**
     * Whether the lock is still held for certain: the lease has time left by the clocks of this machine, and no call
     * made here has ended the lock, or has failed in a way that it may have. Asks no one. {@link #updateAndRelease} may
     * still succeed afterwards, as long as no other caller has taken the lock.
     */
    public boolean isValid() {
        return locked.isValid();
    }

    /** How much of the lease is left by the clocks of this machine; zero if the lock was or may have been ended here. */
    public Duration remaining() {
        return locked.remaining();
    }

    /**
     * Writes what is different in this object, and unlocks the item, in one conditional call. Attributes that are null
     * now are removed; attributes that are as they were read, or that the class does not know, are left alone. Each
     * attribute is compared as a whole: an attribute that is a map is written as the class knows it. The table's
     * extensions (version, timestamps, counters) take part as with the table's own {@code updateItem}, also if nothing
     * else is different.
     *
     * <p>It succeeds only while the lock in the item is this one, and each attribute that it changes still has the
     * value that was read. So it never overwrites what another caller wrote, with the lock or without it. The lease is
     * not asked: after its end the call still succeeds if nobody else has taken the lock.
     *
     * <p>If the SDK sent the call more than once because an answer was lost, and an earlier sending has landed, it
     * succeeds as long as the lease lasts; after that it is an {@link ItemLockLostException} that {@linkplain
     * ItemLockLostException#mayHaveWritten says so}.
     *
     * @param item must have the key of this item; any object of the class, not only that of {@link #item}
     * @return the item as it stands in the table now, unlocked
     * @throws ItemLockLostException if the lock was lost; nothing was written, unless it says otherwise
     * @throws ItemChangedException if the item was written without the lock in an attribute that this call changes;
     *     nothing was written, and the lock is still held
     * @throws IllegalArgumentException if the object has another key; the lock is still held
     * @throws IllegalStateException if the lock was ended here before
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; the write may have landed all the
     *     same if there was no answer. The call may be made again
     */
    public T updateAndRelease(T item) {
        return Futures.result(locked.updateAndRelease(item));
    }

    /**
     * Lets the lease begin anew with this length, from the sending of the call. Also after the end of the lease, as
     * long as no other caller has taken the lock. The end by wall clock, which only {@link
     * LockingTableBuilder#takeOverByWallClock} looks at, never moves back.
     *
     * @param lease from 100 milliseconds to a day
     * @throws ItemLockLostException if the lock was lost
     * @throws IllegalStateException if the lock was ended here before
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; the lock is held for what was left
     *     of the lease before
     */
    public void extend(Duration lease) {
        Futures.result(locked.extend(lease));
    }

    /**
     * Unlocks the item without writing it. An item that was locked because it was not there, and was not written since,
     * is deleted, with what a writer that does not lock has put into attributes that the class does not have. An item
     * with nothing but its key stays if the class has more than 100 attributes, or if the SDK sent the call that locked
     * it more than once because an answer was lost. An interrupt does not keep this call from being made, and the flag
     * is kept.
     *
     * @return whether this call freed the item; {@code false} if the lock was lost or ended before
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; the lock may still be held, until
     *     the end of its lease at the latest if it is not extended
     */
    public boolean release() {
        return Futures.result(locked.release());
    }

    /** As {@link #release}; a failure is logged, and the lock ends with its lease then. */
    @Override
    public void close() {
        Futures.result(locked.close());
    }
}
