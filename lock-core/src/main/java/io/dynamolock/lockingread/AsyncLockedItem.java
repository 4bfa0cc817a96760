package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
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
    private final ItemId id;

    /** Whether there certainly was no item before. */
    private final boolean isCreated;

    /** The item with its key and its lock. */
    private final Map<String, AttributeValue> read;

    private final @Nullable T object;

    /** The object as attributes, before the caller could change it. */
    private final Map<String, AttributeValue> readObject;

    // What two threads do with one lock at once, the conditions of the calls sort out.
    private volatile ItemLock lock;
    private volatile Lease lease;
    private volatile boolean ended;

    /** A call that ends the lock failed, and may have landed. */
    private volatile boolean unsure;

    /**
     * Also throws what the user's class throws when it is made of the attributes.
     *
     * @param before the item as it was when it was locked
     */
    AsyncLockedItem(Locking<T> locking, ItemId id, ItemLock lock, Lease lease, Map<String, AttributeValue> before) {
        this.locking = locking;
        this.id = id;
        this.lock = lock;
        this.lease = lease;
        this.isCreated = before.isEmpty();
        this.read = new HashMap<>(before);
        read.putAll(id.key());
        read.putAll(lock.attributes(locking.names()));
        List<String> ofLock = locking.names().all();
        boolean isBare = read.keySet().stream().allMatch(name -> id.key().containsKey(name) || ofLock.contains(name));
        this.object = locking.lockAbsent() && isBare ? null : locking.mapping().read(read);
        this.readObject = object == null ? Map.of() : locking.mapping().toMap(object);
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
        return ended || unsure ? Duration.ZERO : lease.remaining(locking.time());
    }

    /** As {@link LockedItem#updateAndRelease}. */
    public CompletableFuture<T> updateAndRelease(T item) {
        return Futures.of(() -> {
            requireNotEnded();
            Mapping<T> mapping = locking.mapping();
            mapping.requireKeyOf(id, Objects.requireNonNull(item, "item"));
            ItemExpression write = locking.unlocking(lock.token());
            ItemChange change = new ItemChange(mapping, read, readObject, mapping.toMap(item), write);
            return locking.update(id, write, ReturnValue.ALL_NEW)
                    .exceptionallyCompose(failure -> ifRefused(failure, refusal -> landed(change, refusal)))
                    .thenApply(now -> mapping.read(ended(now)));
        });
    }

    /** The item, if an earlier sending of the call has written it. */
    private CompletableFuture<Map<String, AttributeValue>> landed(
            ItemChange change, ConditionalCheckFailedException refusal) {
        Map<String, AttributeValue> now = refusal.item();
        if (isMineIn(now)) {
            throw new ItemChangedException(id, change.staleIn(now));
        }
        if (isEndedByMe(refusal) && !now.isEmpty() && change.isIn(now)) {
            return CompletableFuture.completedFuture(now);
        }
        throw lost(unsure || ItemCalls.isRepeated(refusal));
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
            Lease extended = Lease.from(locking.time(), Lease.checked(lease));
            ItemLock sent = extending(extended);
            return locking.extend(id, sent)
                    .exceptionallyCompose(failure -> {
                        if (failure instanceof ConditionalCheckFailedException refusal && !isMineIn(refusal.item())) {
                            throw lost(unsure);
                        }
                        // If it is refused though the lock stands, a later one has overtaken it.
                        return failure instanceof ConditionalCheckFailedException && !sent.equals(lock)
                                ? CompletableFuture.completedFuture(Map.of())
                                : CompletableFuture.failedFuture(failure);
                    })
                    .thenAccept(answered -> extended(sent, extended));
        });
    }

    /** Of several at once, the last one counts. */
    private synchronized void extended(ItemLock sent, Lease extended) {
        lease = sent.equals(lock) ? extended : lease;
    }

    private synchronized ItemLock extending(Lease extended) {
        if (extended.remaining(locking.time()).compareTo(lease.remaining(locking.time())) < 0) {
            // It may land without an answer, and then the lease is the shorter one.
            lease = extended;
        }
        lock = lock.extended(extended);
        return lock;
    }

    /** As {@link LockedItem#release}. */
    public CompletableFuture<Boolean> release() {
        TableSchema<T> schema = locking.mapping().schema();
        // Only what is there because it was locked is deleted, and with care for what others have written. A document's
        // schema does not name its attributes.
        boolean delete = isCreated
                && !(schema instanceof DocumentTableSchema)
                && schema.attributeNames().size() <= MOST_IN_A_CONDITION;
        return ended ? CompletableFuture.completedFuture(false) : Futures.of(() -> end(delete));
    }

    private CompletableFuture<Boolean> end(boolean byDeletion) {
        return (byDeletion ? locking.delete(id, lock.token()) : locking.release(id, lock.token()))
                .exceptionallyCompose(failure -> ifRefused(
                        failure,
                        refusal -> isMineIn(refusal.item())
                                ? end(false)
                                : CompletableFuture.completedFuture(isEndedByMe(refusal))))
                .thenApply(this::ended);
    }

    /** As {@link #release}; a failure is logged, and the lock ends with its lease then. */
    CompletableFuture<Boolean> close() {
        return release().exceptionally(failure -> {
            log.warn("An item of table \"{}\" is not unlocked; its lease will free it", id.table(), failure);
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
        return AttributeValue.fromS(lock.token())
                .equals(attributes.get(locking.names().token()));
    }

    private <R> CompletableFuture<R> ifRefused(
            Throwable failure, Function<ConditionalCheckFailedException, CompletableFuture<R>> meaning) {
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return meaning.apply(refusal);
        }
        unsure |= ItemCalls.mayHaveLanded(failure);
        return CompletableFuture.failedFuture(failure);
    }

    /**
     * Whether the lock, which is not in the item, was ended by an earlier sending of this lock's own call: as long as
     * there is lease left, nobody takes it over.
     */
    private boolean isEndedByMe(ConditionalCheckFailedException refusal) {
        return (unsure || ItemCalls.isRepeated(refusal))
                && !lease.remaining(locking.time()).isZero();
    }
}
