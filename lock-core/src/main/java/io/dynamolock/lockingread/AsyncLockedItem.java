package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.DocumentTableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

/**
 * A locked item, as it was read when it was locked: {@link LockedItem} without blocking. Each method does what the
 * method of the same name does there, but failures complete the future instead of being thrown. The futures complete on
 * a thread of the client; cancelling them has no effect. Thread-safe if the object of the user's class is.
 *
 * @param <T> the class of the items
 */
public final class AsyncLockedItem<T> {

    private static final Logger log = LoggerFactory.getLogger(AsyncLockedItem.class);

    /** Maximum number of attributes whose absence fits into one condition: DynamoDB takes 4 KiB, which is about 120. */
    private static final int MOST_IN_A_CONDITION = 100;

    /** How often a call to lock or extend is followed by an extension at once, until the end in the item is right. */
    private static final int MOST_REPEATED = 2;

    private final Locking<T> locking;
    private final ItemId id;

    /** Whether the call that locked the item certainly created it. */
    private final boolean isCreated;

    /** The item after the call that locked it, with the attributes of its key and its lock. */
    private final Map<String, AttributeValue> read;

    /** The item as an object of the user's class; {@code null} if there was no item. */
    private final @Nullable T object;

    /** The object's attributes before the caller could change it; empty if there was no item. */
    private final Map<String, AttributeValue> readObject;

    // If two threads end or extend the lock at the same time, the conditions of their calls decide.

    /** The token of the last call to lock or extend, whether that call was answered or not. */
    private volatile LockToken token;

    /**
     * The lease that certainly holds: of two leases, one of which may be in the item, the shorter one. {@code null} if
     * none does: the last call wrote an end that its answer did not confirm. The next answer that counts sets it again.
     */
    private volatile @Nullable Lease lease;

    /** Whether the lock was ended here or found lost. It never becomes {@code false} again. */
    private volatile boolean ended;

    /** Whether a call that ends the lock failed, but may have taken effect. It never becomes {@code false} again. */
    private volatile boolean mayHaveEnded;

    /**
     * Throws whatever the user's class throws when it is made of the attributes.
     *
     * @param before the item before it was locked; empty if there was none
     */
    AsyncLockedItem(Locking<T> locking, ItemId id, LockToken token, Lease lease, Map<String, AttributeValue> before) {
        this.locking = locking;
        this.id = id;
        this.token = token;
        this.lease = lease;
        this.isCreated = before.isEmpty();
        this.read = new HashMap<>(before);
        read.putAll(id.key());
        read.keySet().removeAll(locking.names().all());
        locking.names().of(token, locking.owner(), lease).forEach((name, value) -> {
            if (value != null) {
                read.put(name, value);
            }
        });
        List<String> lockAttributes = locking.names().all();
        boolean hasOnlyKeyAndLock =
                read.keySet().stream().allMatch(name -> id.key().containsKey(name) || lockAttributes.contains(name));
        this.object = locking.lockAbsent() && hasOnlyKeyAndLock
                ? null
                : locking.mapping().read(read);
        this.readObject = object == null ? Map.of() : locking.mapping().toMap(object);
    }

    /** The key of the item, by attribute. */
    public Map<String, AttributeValue> key() {
        return id.key();
    }

    /**
     * As {@link LockedItem#item}.
     *
     * @throws IllegalStateException if there was no item: see {@link #isNew}
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
        return ended || mayHaveEnded ? Duration.ZERO : leaseRemaining();
    }

    private Duration leaseRemaining() {
        Lease certain = lease;
        return certain == null ? Duration.ZERO : certain.remaining(locking.time());
    }

    /** As {@link LockedItem#updateAndRelease}. */
    public CompletableFuture<T> updateAndRelease(T item) {
        return Futures.of(() -> {
            requireNotEnded();
            Mapping<T> mapping = locking.mapping();
            mapping.requireKeyOf(id, Objects.requireNonNull(item, "item"));
            ItemExpression write = locking.unlocking(token);
            ItemChange change = new ItemChange(mapping, read, readObject, mapping.toMap(item), write);
            return locking.update(id, write, ReturnValue.ALL_NEW)
                    .exceptionallyCompose(failure -> ifRefused(failure, refusal -> landed(change, refusal)))
                    .thenApply(answer -> mapping.read(ended(answer.attributes())));
        });
    }

    /**
     * What a refused write means. If an earlier sending of the same call has written the item, this is the item;
     * otherwise it throws.
     */
    private CompletableFuture<Answer> landed(ItemChange change, ConditionalCheckFailedException refusal) {
        Map<String, AttributeValue> now = refusal.item();
        if (isMineIn(now)) {
            throw new ItemChangedException(id, change.staleIn(now));
        }
        if (isEndedByMe(refusal) && !now.isEmpty() && change.isIn(now)) {
            return CompletableFuture.completedFuture(new Answer(now, Answer.storeTime(refusal)));
        }
        throw lost(mayHaveEnded || ItemCalls.isRepeated(refusal));
    }

    private ItemLockLostException lost(boolean mayHaveWritten) {
        return ended(new ItemLockLostException(id, mayHaveWritten));
    }

    private <R> R ended(R result) {
        ended = true;
        return result;
    }

    /** As {@link LockedItem#extend}. */
    public CompletableFuture<Void> extend(Duration lease) {
        return Futures.of(() -> {
            requireNotEnded();
            return extend(Lease.checked(lease), MOST_REPEATED);
        });
    }

    /**
     * The item was just locked. Extends the lock at once if the answer tells that the end in it was too early, or could
     * have been written; see {@link #answered}. If that fails, the lock is held all the same.
     *
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     */
    CompletableFuture<AsyncLockedItem<T>> locked(@Nullable Instant storeTime) {
        Lease sent = Objects.requireNonNull(lease, "lease");
        return locking.calls()
                .uninterrupted(() -> answered(token, sent, storeTime, MOST_REPEATED))
                .handle((settled, failure) -> {
                    if (failure != null) {
                        log.debug("The lock of the {} was not extended at once", id, SafeFailure.of(failure));
                    }
                    return this;
                });
    }

    /** @param repeatable how many further extensions may follow if this one does not settle the lease */
    private CompletableFuture<Void> extend(Duration length, int repeatable) {
        Lease next = locking.leaseFromNow(length);
        Lease extended = repeatable == 0 ? next.withoutEnd() : next;
        LockToken sent = extending(extended);
        return locking.extend(id, sent, extended)
                .exceptionallyCompose(failure -> {
                    if (failure instanceof ConditionalCheckFailedException refusal && !isMineIn(refusal.item())) {
                        throw lost(mayHaveEnded);
                    }
                    // The lock is in the item, so the call was refused because a later extension arrived first.
                    return failure instanceof ConditionalCheckFailedException && !sent.equals(token)
                            ? CompletableFuture.completedFuture(new Answer(Map.of(), null))
                            : CompletableFuture.failedFuture(failure);
                })
                .thenCompose(answer -> answered(sent, extended, answer.storeTime(), repeatable));
    }

    /**
     * A call to lock or extend was answered. If others were sent after it, only the last one counts. Extends the lock
     * again if its end is too early, or if it has none although the answer tells the time: without an end, no process
     * that has not watched the lock could take it over. The last repetition writes no end, which needs no answer to
     * confirm it.
     */
    private CompletableFuture<Void> answered(
            LockToken sent, Lease written, @Nullable Instant storeTime, int repeatable) {
        boolean isConfirmed = written.isConfirmed(storeTime);
        boolean isSettled = isConfirmed && (written.until() != null || storeTime == null);
        boolean isLast = counts(sent, isConfirmed ? written : null);
        return isSettled || !isLast || ended || repeatable == 0
                ? CompletableFuture.completedFuture(null)
                : extend(written.length(), repeatable - 1);
    }

    /** Sets the lease that certainly holds, if no further call was sent meanwhile; returns whether that is so. */
    private synchronized boolean counts(LockToken sent, @Nullable Lease certain) {
        boolean isLast = sent.equals(token);
        if (isLast) {
            lease = certain;
        }
        return isLast;
    }

    /** The token for an extension that is sent now. */
    private synchronized LockToken extending(Lease extended) {
        if (extended.remaining(locking.time()).compareTo(leaseRemaining()) < 0) {
            // The extension may take effect without an answer, so from now on the shorter lease counts.
            lease = extended;
        }
        token = token.next();
        return token;
    }

    /** As {@link LockedItem#release}. */
    public CompletableFuture<Boolean> release() {
        TableSchema<T> schema = locking.mapping().schema();
        // An item is deleted only if locking created it, on the condition that nobody has written any attribute of the
        // class since. A document's schema does not name its attributes, so that cannot be checked.
        boolean delete = isCreated
                && !(schema instanceof DocumentTableSchema)
                && schema.attributeNames().size() <= MOST_IN_A_CONDITION;
        return ended ? CompletableFuture.completedFuture(false) : Futures.of(() -> end(delete));
    }

    private CompletableFuture<Boolean> end(boolean byDeletion) {
        return (byDeletion ? locking.delete(id, token) : locking.release(id, token))
                .exceptionallyCompose(failure -> ifRefused(
                        failure,
                        refusal -> isMineIn(refusal.item())
                                ? end(false)
                                : CompletableFuture.completedFuture(isEndedByMe(refusal))))
                .thenApply(this::ended);
    }

    /** Like {@link #release}, but a failure is logged instead; the lock then ends with its lease. */
    CompletableFuture<Boolean> close() {
        return release().exceptionally(failure -> {
            log.warn(
                    "An item of table {} is not unlocked; its lease will free it",
                    SafeText.quote(id.table()),
                    SafeFailure.of(failure));
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
        return locking.names().isIn(attributes, token);
    }

    private <R> CompletableFuture<R> ifRefused(
            Throwable failure, Function<ConditionalCheckFailedException, CompletableFuture<R>> meaning) {
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return meaning.apply(refusal);
        }
        if (ItemCalls.mayHaveLanded(failure)) {
            mayHaveEnded = true;
        }
        return CompletableFuture.failedFuture(failure);
    }

    /**
     * Whether a lock that is no longer in the item was ended by an earlier call of this object. As long as its lease
     * lasts, nobody else can have taken the lock.
     */
    private boolean isEndedByMe(ConditionalCheckFailedException refusal) {
        return (mayHaveEnded || ItemCalls.isRepeated(refusal))
                && !leaseRemaining().isZero();
    }
}
