package io.dynamolock.lockingread;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * An item that is locked, as it was read when it was locked: {@link LockedItem} without blocking. What is said there of
 * each method holds here, with failures in the future instead of thrown. The futures complete on a thread of the
 * client's; cancelling them changes nothing.
 *
 * @param <T> the class of the items
 */
public final class AsyncLockedItem<T> {

    private static final Logger log = LoggerFactory.getLogger(AsyncLockedItem.class);

    /** DynamoDB takes a condition of 4 KiB: some 120 attributes that must not be there. */
    private static final int MOST_IN_A_CONDITION = 100;

    private final Locking<T> locking;
    private final LockCalls calls;
    private final Mapping<T> mapping;
    private final Grant grant;
    private final ItemId id;
    private final String token;
    private final @Nullable T object;

    /** The object as attributes, before the caller could change it. */
    private final Map<String, AttributeValue> readObject;

    // What two threads do with one lock at once, the conditions of the calls sort out.
    private volatile Lease lease;
    private volatile Instant until;
    private volatile boolean ended;

    /** A call that ends the lock failed, and may have landed. */
    private volatile boolean unsure;

    /** Also throws what the user's class throws when it is made of the attributes. */
    AsyncLockedItem(Locking<T> locking, Grant grant) {
        this.locking = locking;
        this.calls = locking.calls();
        this.mapping = locking.mapping();
        this.grant = grant;
        this.id = grant.item();
        this.token = grant.lock().token();
        this.lease = grant.lease();
        this.until = grant.lock().until();
        this.object = calls.lockAbsent() && grant.isBare(calls.names()) ? null : mapping.read(grant.read());
        this.readObject = object == null ? Map.of() : mapping.toMap(object);
    }

    /** The key of the item, by attribute. */
    public Map<String, AttributeValue> key() {
        return id.key();
    }

    /**
     * As {@link LockedItem#item}.
     *
     * @throws IllegalStateException if there was none: see {@link #isNew}
     */
    public T item() {
        if (object == null) {
            throw new IllegalStateException("The " + id + " did not exist when it was locked, so nothing was"
                    + " read. Ask isNew() first, and make the object to write.");
        }
        return object;
    }

    /** As {@link LockedItem#isNew}. */
    public boolean isNew() {
        return object == null;
    }

    /** As {@link LockedItem#isValid}. */
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** As {@link LockedItem#remaining}. */
    public Duration remaining() {
        return ended ? Duration.ZERO : lease.remaining(locking.time());
    }

    /** As {@link LockedItem#updateAndRelease}. */
    public CompletableFuture<T> updateAndRelease(T item) {
        return Meaning.start(() -> {
            requireNotEnded();
            mapping.requireKeyOf(id, Objects.requireNonNull(item, "item"));
            ItemExpression write = calls.unlocking(token);
            ItemChange change = new ItemChange(mapping, grant, readObject, mapping.toMap(item), write);
            return Meaning.of(
                    () -> calls.write(id, write), this::written, failure -> notWritten(change, refusal(failure)));
        });
    }

    private T written(Map<String, AttributeValue> now) {
        ended = true;
        return mapping.read(now);
    }

    private T notWritten(ItemChange change, ConditionalCheckFailedException refusal) {
        Map<String, AttributeValue> now = refusal.item();
        if (isMineIn(now)) {
            throw new ItemChangedException(id, change.staleIn(now));
        }
        if (isEndedByMe(refusal) && !now.isEmpty() && change.isIn(now)) {
            return written(now);
        }
        throw lost(isRepeated(refusal));
    }

    private ItemLockLostException lost(boolean mayHaveWritten) {
        ended = true;
        return new ItemLockLostException(id, mayHaveWritten);
    }

    /** As {@link LockedItem#extend}. */
    public CompletableFuture<Void> extend(Duration lease) {
        return Meaning.start(() -> {
                    requireNotEnded();
                    Lease extended = Lease.from(locking.time(), Lease.checked(lease));
                    ItemLock lock = extending(extended);
                    return Meaning.of(() -> calls.extend(id, lock), answered -> this.lease = extended, failure -> {
                        throw failure instanceof ConditionalCheckFailedException ? lost(unsure) : failure;
                    });
                })
                .thenAccept(extended -> {});
    }

    private synchronized ItemLock extending(Lease extended) {
        // Never back, and never the same again: others tell by it that the lock was extended.
        Instant later = until.plusMillis(1);
        until = extended.until().isAfter(later) ? extended.until() : later;
        if (extended.remaining(locking.time()).compareTo(lease.remaining(locking.time())) < 0) {
            // It may land without an answer, and then the lease is the shorter one.
            lease = extended;
        }
        return new ItemLock(token, grant.lock().owner(), until, extended.length());
    }

    /** As {@link LockedItem#release}. */
    public CompletableFuture<Boolean> release() {
        // Only what is there because it was locked is deleted, and with care for what others have written.
        boolean delete = grant.created() && mapping.attributes().size() <= MOST_IN_A_CONDITION;
        return ended ? CompletableFuture.completedFuture(false) : calls.calls().uninterrupted(() -> end(delete));
    }

    private CompletableFuture<Boolean> end(boolean byDeletion) {
        return Meaning.of(
                        () -> byDeletion ? calls.delete(id, token, mapping.attributes()) : calls.release(id, token),
                        answered -> ended(true),
                        failure -> {
                            ConditionalCheckFailedException refusal = refusal(failure);
                            return isMineIn(refusal.item()) ? end(false) : ended(isEndedByMe(refusal));
                        })
                .thenCompose(next -> next);
    }

    private CompletableFuture<Boolean> ended(boolean byMe) {
        ended = true;
        return CompletableFuture.completedFuture(byMe);
    }

    /** As {@link #release}; a failure is logged, and the lock ends with its lease then. */
    CompletableFuture<Boolean> close() {
        return release().exceptionally(failure -> {
            log.warn(
                    "An item of table \"{}\" could not be unlocked; it is free when its lease is over",
                    id.table(),
                    Meaning.unwrap(failure));
            return false;
        });
    }

    private void requireNotEnded() {
        if (ended) {
            throw new IllegalStateException(
                    "The lock of the " + id + " was released, or found lost, before. Lock and read the item again.");
        }
    }

    private boolean isMineIn(Map<String, AttributeValue> attributes) {
        return calls.names().isTokenIn(attributes, token);
    }

    private ConditionalCheckFailedException refusal(Throwable failure) throws Throwable {
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return refusal;
        }
        unsure |= Failures.mayHaveLanded(failure);
        throw failure;
    }

    private boolean isRepeated(ConditionalCheckFailedException refusal) {
        return unsure || Failures.isRepeated(refusal);
    }

    /**
     * Whether the lock, which is not in the item, was ended by an earlier sending of this lock's own call: as long as
     * there is lease left, nobody takes it over.
     */
    private boolean isEndedByMe(ConditionalCheckFailedException refusal) {
        return isRepeated(refusal) && !lease.remaining(locking.time()).isZero();
    }

    @Override
    public String toString() {
        return id + ", " + (ended ? "not locked any more" : "locked for another " + remaining());
    }
}
