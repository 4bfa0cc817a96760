package io.dynamolock.lockingread;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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
    private final Grant grant;
    private final Set<String> keyAndLock;
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
        this.grant = grant;
        this.lease = grant.lease();
        this.until = grant.lock().until();
        this.keyAndLock = new HashSet<>(locking.calls().names().all());
        keyAndLock.addAll(grant.item().key().keySet());
        boolean isNew = locking.calls().lockAbsent()
                && keyAndLock.containsAll(grant.read().keySet());
        this.object = isNew ? null : locking.mapping().read(grant.read());
        this.readObject = object == null ? Map.of() : locking.mapping().toMap(object);
    }

    /** The key of the item, by attribute. */
    public Map<String, AttributeValue> key() {
        return grant.item().key();
    }

    /**
     * As {@link LockedItem#item}.
     *
     * @throws IllegalStateException if there was none: see {@link #isNew}
     */
    public T item() {
        if (object == null) {
            throw new IllegalStateException("The " + grant.item() + " did not exist when it was locked, so nothing was"
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
            locking.mapping().requireKeyOf(grant.item(), Objects.requireNonNull(item, "item"));
            ItemChange change = new ItemChange(
                    locking.mapping(),
                    grant.read(),
                    readObject,
                    locking.mapping().toMap(item),
                    keyAndLock);
            return Meaning.of(
                    () -> locking.calls().write(grant.item(), token(), change),
                    written -> {
                        ended = true;
                        return locking.mapping().read(written);
                    },
                    failure -> notWritten(change, refusal(failure)));
        });
    }

    private T notWritten(ItemChange change, ConditionalCheckFailedException refusal) {
        Map<String, AttributeValue> now = refusal.item();
        if (isMineIn(now)) {
            throw new ItemChangedException(grant.item(), change.staleIn(now));
        }
        ended = true;
        if (isEndedByMe(refusal) && !now.isEmpty() && change.isIn(now)) {
            return locking.mapping().read(now);
        }
        throw new ItemLockLostException(grant.item(), isRepeated(refusal));
    }

    /** As {@link LockedItem#extend}. */
    public CompletableFuture<Void> extend(Duration lease) {
        return Meaning.start(() -> {
                    requireNotEnded();
                    Lease extended = Lease.from(locking.time(), Lease.checked(lease));
                    ItemLock lock = extending(extended);
                    return Meaning.of(
                            () -> locking.calls().extend(grant.item(), lock),
                            answered -> this.lease = extended,
                            failure -> {
                                if (failure instanceof ConditionalCheckFailedException) {
                                    ended = true;
                                    throw new ItemLockLostException(grant.item(), unsure);
                                }
                                throw failure;
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
        return new ItemLock(token(), grant.lock().owner(), until, extended.length());
    }

    /** As {@link LockedItem#release}. */
    public CompletableFuture<Boolean> release() {
        if (ended) {
            return CompletableFuture.completedFuture(false);
        }
        return locking.calls().calls().uninterrupted(() -> isDeletable() ? delete() : unlock());
    }

    /** Whether the item is there only because it was locked, and can be deleted with care for what others write. */
    private boolean isDeletable() {
        return grant.created() && locking.mapping().attributes().size() <= MOST_IN_A_CONDITION;
    }

    private CompletableFuture<Boolean> delete() {
        return Meaning.of(
                        () -> locking.calls()
                                .delete(grant.item(), token(), locking.mapping().attributes()),
                        deleted -> CompletableFuture.completedFuture(end(true)),
                        failure -> isMineIn(refusal(failure).item())
                                ? unlock()
                                : CompletableFuture.completedFuture(end(isEndedByMe(refusal(failure)))))
                .thenCompose(end -> end);
    }

    private CompletableFuture<Boolean> unlock() {
        return Meaning.of(
                () -> locking.calls().release(grant.item(), token()),
                released -> end(true),
                failure -> end(isEndedByMe(refusal(failure))));
    }

    /** As {@link #release}; a failure is logged, and the lock ends with its lease then. */
    CompletableFuture<Boolean> close() {
        return release().exceptionally(failure -> {
            log.warn(
                    "An item of table \"{}\" could not be unlocked; it is free when its lease is over",
                    grant.item().table(),
                    Meaning.unwrap(failure));
            return false;
        });
    }

    private boolean end(boolean wasHeld) {
        ended = true;
        return wasHeld;
    }

    private void requireNotEnded() {
        if (ended) {
            throw new IllegalStateException("The lock of the " + grant.item()
                    + " was released, or found lost, before. Lock and read the item again.");
        }
    }

    private String token() {
        return grant.lock().token();
    }

    private boolean isMineIn(Map<String, AttributeValue> attributes) {
        return locking.calls().names().isTokenIn(attributes, token());
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
        return "AsyncLockedItem[" + description() + "]";
    }

    String description() {
        return grant.item() + ", " + (ended ? "not locked any more" : "locked for another " + remaining());
    }
}
