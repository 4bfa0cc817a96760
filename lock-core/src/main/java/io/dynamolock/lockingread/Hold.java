package io.dynamolock.lockingread;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * An item that a caller has locked and read: which calls end or extend the lock, and what their answers mean.
 * Thread-safe: what two threads do with one lock at once, the conditions of the calls sort out.
 */
final class Hold<T> {

    /** DynamoDB takes a condition of 4 KiB: some 120 attributes that must not be there. */
    private static final int MOST_IN_A_CONDITION = 100;

    private final Locking<T> locking;
    private final Grant grant;
    private final boolean isNew;
    private final @Nullable T object;

    /** The object as attributes, before the caller could change it. */
    private final Map<String, AttributeValue> readObject;

    private final Set<String> keyAndLock;

    private volatile Lease lease;
    private volatile Instant until;
    private volatile boolean ended;

    /** A call that ends the lock failed, and may have landed. */
    private volatile boolean unsure;

    Hold(Locking<T> locking, Grant grant) {
        this.locking = locking;
        this.grant = grant;
        this.lease = grant.lease();
        this.until = grant.lock().until();
        this.keyAndLock = new HashSet<>(locking.settings().attributes().names());
        keyAndLock.addAll(grant.item().key().keySet());
        this.isNew = locking.settings().lockAbsent()
                && keyAndLock.containsAll(grant.read().keySet());
        this.object = isNew ? null : locking.mapping().read(grant.read());
        this.readObject = object == null ? Map.of() : locking.mapping().toMap(object);
    }

    ItemId item() {
        return grant.item();
    }

    boolean isNew() {
        return isNew;
    }

    T object() {
        if (object == null) {
            throw new IllegalStateException("The " + item() + " did not exist when it was locked, so nothing was read."
                    + " Ask isNew() first, and make the object to write.");
        }
        return object;
    }

    Duration remaining() {
        return ended ? Duration.ZERO : lease.remaining(locking.time());
    }

    boolean isEnded() {
        return ended;
    }

    Call<T> write(T toWrite) {
        Objects.requireNonNull(toWrite, "item");
        requireNotEnded();
        locking.mapping().requireKeyOf(item(), toWrite);
        ItemChange change = new ItemChange(
                locking.mapping(), grant.read(), readObject, locking.mapping().toMap(toWrite), keyAndLock);
        return new Call<>(
                locking.requests().write(item(), token(), change),
                written -> {
                    ended = true;
                    return locking.mapping().read(written);
                },
                failure -> notWritten(change, failure));
    }

    private T notWritten(ItemChange change, RuntimeException failure) {
        if (!(failure instanceof ConditionalCheckFailedException refusal)) {
            throw noted(failure);
        }
        Map<String, AttributeValue> now = refusal.item();
        if (isMineIn(now)) {
            throw new ItemChangedException(item(), change.staleIn(now));
        }
        boolean repeated = isRepeated(refusal);
        boolean landed = repeated && isLeaseLeft() && !now.isEmpty() && change.isIn(now);
        ended = true;
        if (landed) {
            return locking.mapping().read(now);
        }
        throw new ItemLockLostException(item(), repeated);
    }

    /** Only for {@link #isCreated}. Empty if there is more in the item by now than its lock. */
    Call<Optional<Boolean>> delete() {
        return new Call<>(
                locking.requests().delete(item(), token(), locking.mapping().attributes()),
                deleted -> Optional.of(end(true)),
                failure -> {
                    ConditionalCheckFailedException refusal = refusalOr(failure);
                    return isMineIn(refusal.item()) ? Optional.empty() : Optional.of(released(refusal));
                });
    }

    /** Whether the item is there only because it was locked, and can be deleted with care for what others write. */
    boolean isCreated() {
        return grant.created() && locking.mapping().attributes().size() <= MOST_IN_A_CONDITION;
    }

    /** Answers whether the lock was still held. */
    Call<Boolean> release() {
        return new Call<>(
                locking.requests().release(item(), token()),
                released -> end(true),
                failure -> released(refusalOr(failure)));
    }

    /** The lock is not in the item: lost, or an earlier sending of the release landed. */
    private boolean released(ConditionalCheckFailedException refusal) {
        return end(isRepeated(refusal) && isLeaseLeft());
    }

    private boolean end(boolean wasHeld) {
        ended = true;
        return wasHeld;
    }

    private ConditionalCheckFailedException refusalOr(RuntimeException failure) {
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return refusal;
        }
        throw noted(failure);
    }

    private RuntimeException noted(RuntimeException failure) {
        unsure = unsure || Failures.mayHaveLanded(failure);
        return failure;
    }

    /** @param length has been checked */
    synchronized Call<Boolean> extend(Duration length) {
        requireNotEnded();
        Lease extended = Lease.from(locking.time(), length);
        // Never back, and never the same again: others tell by it that the lock was extended.
        Instant later = until.plusMillis(1);
        until = extended.until().isAfter(later) ? extended.until() : later;
        if (extended.remaining(locking.time()).compareTo(lease.remaining(locking.time())) < 0) {
            // It may land without an answer, and then the lease is the shorter one.
            lease = extended;
        }
        ItemLock lock = new ItemLock(token(), grant.lock().owner(), until, length);
        return new Call<>(
                locking.requests().extend(item(), lock),
                answered -> {
                    lease = extended;
                    return true;
                },
                failure -> {
                    if (failure instanceof ConditionalCheckFailedException) {
                        ended = true;
                        throw new ItemLockLostException(item(), unsure);
                    }
                    throw failure;
                });
    }

    private void requireNotEnded() {
        if (ended) {
            throw new IllegalStateException("The lock of the " + item()
                    + " was released, or found lost, before. Lock and read the item again.");
        }
    }

    private String token() {
        return grant.lock().token();
    }

    private boolean isMineIn(Map<String, AttributeValue> attributes) {
        return ItemLock.isTokenOf(attributes, locking.settings().attributes(), token());
    }

    private boolean isRepeated(ConditionalCheckFailedException refusal) {
        return unsure || Failures.isRepeated(refusal);
    }

    /**
     * As long as there is, nobody takes the lock over: if it is not in the item, it was ended by this hold's own call.
     */
    private boolean isLeaseLeft() {
        return !lease.remaining(locking.time()).isZero();
    }

    @Override
    public String toString() {
        return item() + ", " + (ended ? "not locked any more" : "locked for another " + remaining());
    }
}
