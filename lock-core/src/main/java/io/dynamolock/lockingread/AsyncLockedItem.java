package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * An item that is locked, as it was read when it was locked: {@link LockedItem} without blocking. What is said there of
 * each method holds here, with failures in the future instead of thrown. The futures complete on a thread of the
 * client's; cancelling them changes nothing.
 *
 * @param <T> the class of the items
 */
public final class AsyncLockedItem<T> {

    private final Hold<T> hold;
    private final AsyncCalls calls;

    AsyncLockedItem(Hold<T> hold, AsyncCalls calls) {
        this.hold = hold;
        this.calls = calls;
    }

    /** The key of the item, by attribute. */
    public Map<String, AttributeValue> key() {
        return hold.item().key();
    }

    /**
     * As {@link LockedItem#item}.
     *
     * @throws IllegalStateException if there was none: see {@link #isNew}
     */
    public T item() {
        return hold.object();
    }

    /** As {@link LockedItem#isNew}. */
    public boolean isNew() {
        return hold.isNew();
    }

    /** As {@link LockedItem#isValid}. */
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** As {@link LockedItem#remaining}. */
    public Duration remaining() {
        return hold.remaining();
    }

    /** As {@link LockedItem#updateAndRelease}. */
    public CompletableFuture<T> updateAndRelease(T item) {
        return made(() -> hold.write(item));
    }

    /** As {@link LockedItem#extend}. */
    public CompletableFuture<Void> extend(Duration lease) {
        return CompletableFuture.allOf(made(() -> hold.extend(Locking.checkedLease(lease))));
    }

    /** As {@link LockedItem#release}. */
    public CompletableFuture<Boolean> release() {
        if (hold.isEnded()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Optional<Boolean>> deleted =
                hold.isCreated() ? calls.make(hold.delete()) : CompletableFuture.completedFuture(Optional.empty());
        return deleted.thenCompose(
                wasHeld -> wasHeld.map(CompletableFuture::completedFuture).orElseGet(() -> calls.make(hold.release())));
    }

    private <R> CompletableFuture<R> made(Supplier<Call<R>> call) {
        try {
            return calls.make(call.get());
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    @Override
    public String toString() {
        return "AsyncLockedItem[" + hold + "]";
    }
}
