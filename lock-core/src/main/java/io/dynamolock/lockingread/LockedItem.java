package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A locked item, as it was read when it was locked. {@link #updateAndRelease} or {@link #release} ends the lock.
 * Closing an item whose lock has already ended makes no call, so {@code try} with resources costs nothing. Thread-safe
 * if the object of the user's class is.
 *
 * @param <T> the class of the items
 */
public final class LockedItem<T> implements AutoCloseable {

    private final AsyncLockedItem<T> locked;

    LockedItem(AsyncLockedItem<T> locked) {
        this.locked = locked;
    }

    /** The attributes of the item's key. */
    public Map<String, AttributeValue> key() {
        return locked.key();
    }

    /**
     * The item as it was when it was locked. Each call returns the same object.
     *
     * @throws IllegalStateException if there was no item: see {@link #isNew}
     */
    public T item() {
        return locked.item();
    }

    /**
     * Whether there was no item before the lock. The table now has an item with nothing but the key and the lock.
     * Always {@code false} unless the table was built with {@link LockingTableBuilder#lockAbsentItems}. In such a
     * table, an item with no attributes besides its key also counts as new, because a crashed process may have left it.
     */
    public boolean isNew() {
        return locked.isNew();
    }

    /**
     * Whether the lock is certainly still held: there is time {@link #remaining}, and no call on this object has ended
     * the lock, or may have ended it although it failed. Makes no call. Even if the answer is {@code false}, {@link
     * #updateAndRelease} succeeds as long as no other caller has taken the lock.
     */
    public boolean isValid() {
        return locked.isValid();
    }

    /**
     * How much of the lease is left by the clocks of this machine, less a twelfth of the lease, because clocks may run
     * at different rates; zero if a call on this object has ended the lock or may have done so.
     */
    public Duration remaining() {
        return locked.remaining();
    }

    /**
     * Writes the attributes that differ in this object and unlocks the item, in one conditional call. Attributes that
     * are {@code null} now are removed. Attributes that have not changed since they were read, or that the class does
     * not know, are left alone. Each attribute is compared as a whole, so a changed map is written as the class knows
     * it. The table's extensions (version, timestamps, counters) take part as in the table's own {@code updateItem},
     * even if nothing else is different.
     *
     * <p>The call succeeds only if the item still contains this lock, and each attribute to change still has the value
     * that was read. So it never overwrites what another caller wrote, with the lock or without it. It does not depend
     * on the lease: after the end of the lease the call still succeeds if nobody else has taken the lock.
     *
     * <p>If the SDK sent the call more than once because an answer was lost, and an earlier sending has taken effect,
     * the call succeeds as long as the lease lasts. After that it fails with an {@link ItemLockLostException}, whose
     * {@link ItemLockLostException#mayHaveWritten} is {@code true}.
     *
     * @param item any object of the class with the key of this item, not only the object of {@link #item}
     * @return the item in the table, unlocked
     * @throws ItemLockLostException if the lock was lost; nothing was written, unless the exception says otherwise
     * @throws ItemChangedException if somebody without the lock has written an attribute that this call changes;
     *     nothing was written, and the lock is still held
     * @throws IllegalArgumentException if the object has another key; the lock is still held
     * @throws IllegalStateException if the lock was ended by an earlier call on this object
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails. If there was no answer, the write
     *     may still have taken effect. The call may be repeated
     */
    public T updateAndRelease(T item) {
        return Futures.result(locked.updateAndRelease(item));
    }

    /**
     * Starts a new lease of this length, which counts from the sending of the call. This also works after the end of
     * the lease, as long as no other caller has taken the lock. Makes up to two further calls if DynamoDB's clock shows
     * that the end written into the item was too early.
     *
     * @param lease from 100 milliseconds to a day
     * @throws ItemLockLostException if the lock was lost
     * @throws IllegalStateException if the lock was ended by an earlier call on this object
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; {@link #remaining} tells how long
     *     the lock is certainly held: for the rest of the previous lease, or for the new lease if that is shorter, or
     *     not at all if DynamoDB's clock shows that the end written was too early
     */
    public void extend(Duration lease) {
        Futures.result(locked.extend(lease));
    }

    /**
     * Unlocks the item without writing it. If locking created the item, and the item still has no attribute of the
     * class but its key, it is deleted, together with any attributes that the class does not have. The item stays, with
     * nothing but its key, if the class has more than 100 attributes, or if the SDK sent the call that locked the item
     * more than once because an answer was lost. An interrupt does not prevent this call, and the thread's flag is
     * kept.
     *
     * @return whether this call freed the item; {@code false} if the lock was lost or ended before
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; the lock may still be held, at most
     *     until the end of its lease
     */
    public boolean release() {
        return Futures.result(locked.release());
    }

    /** Like {@link #release}, but a failure is logged instead of thrown; the lock then ends with its lease. */
    @Override
    public void close() {
        Futures.result(locked.close());
    }
}
