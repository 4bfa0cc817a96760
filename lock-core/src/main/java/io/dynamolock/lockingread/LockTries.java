package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * The tries of one caller to lock one item: what each sends, what its answer means, and how long to pause before the
 * next. All tries are for one lock with one token, so a try takes a lock that an earlier one got without hearing of it.
 * One try at a time, so that only the future is shared between threads.
 */
final class LockTries<T> {

    private final Locking<T> locking;
    private final Wanted wanted;
    private final String token = UUID.randomUUID().toString().replace("-", "");
    private final CompletableFuture<AsyncLockedItem<T>> result = new CompletableFuture<>();

    private Duration nextPause;
    private boolean sentMoreThanOnce;

    /**
     * @param startNanos when the caller came, by the monotonic clock
     * @param patience how long the caller waits from then on
     * @param longestPause between two tries
     * @param caller when it is done, no further try is made, and an item that is locked by the try under way is released
     * @param beforeEachTry what is to end before it
     */
    record Wanted(
            ItemId item,
            Duration lease,
            long startNanos,
            Duration patience,
            Duration longestPause,
            CompletableFuture<?> caller,
            Supplier<CompletableFuture<Void>> beforeEachTry) {}

    LockTries(Locking<T> locking, Wanted wanted) {
        this.locking = locking;
        this.wanted = wanted;
        this.nextPause = locking.pollMin();
    }

    CompletableFuture<AsyncLockedItem<T>> start() {
        wanted.caller().whenComplete((end, failure) -> result.cancel(false));
        goOn();
        return result;
    }

    /** In a loop, because with a client that blocks each step is over when it returns. */
    private void goOn() {
        while (!result.isDone()) {
            CompletableFuture<Boolean> step = step();
            if (!step.isDone()) {
                step.whenComplete((done, failure) -> goOn());
                return;
            }
        }
    }

    private CompletableFuture<Boolean> step() {
        return Futures.of(() -> {
                    if (locking.calls().isInterrupted()) {
                        throw new ItemLockInterruptedException(wanted.item(), new InterruptedException());
                    }
                    return wanted.beforeEachTry().get().thenCompose(ready -> tryOnce());
                })
                .exceptionallyCompose(this::fail);
    }

    private CompletableFuture<Boolean> tryOnce() {
        Lease sent = Lease.from(locking.time(), wanted.lease());
        ItemLock lock = new ItemLock(token, locking.owner(), sent.until(), wanted.lease());
        return locking.lock(wanted.item(), lock)
                .handle((before, failure) -> failure == null ? handOver(lock, sent, before) : pauseAfter(failure))
                .thenCompose(next -> next);
    }

    private CompletableFuture<Boolean> handOver(ItemLock lock, Lease sent, Map<String, AttributeValue> before) {
        locking.observations().forget(wanted.item());
        return Futures.of(() -> CompletableFuture.completedFuture(
                        new AsyncLockedItem<>(locking, wanted.item(), lock, sent, before)))
                .thenCompose(
                        locked -> result.complete(locked) ? CompletableFuture.completedFuture(true) : locked.close())
                .exceptionallyCompose(this::withdraw);
    }

    private CompletableFuture<Boolean> fail(Throwable failure) {
        if (failure instanceof SdkClientException && locking.calls().isInterrupted()) {
            return withdraw(new ItemLockInterruptedException(wanted.item(), failure));
        }
        return CompletableFuture.completedFuture(result.completeExceptionally(failure));
    }

    /** Frees the item if it was locked, and only then tells the caller, who will not know of the lock. */
    private CompletableFuture<Boolean> withdraw(Throwable why) {
        return locking.release(wanted.item(), token)
                .handle((released, failure) -> result.completeExceptionally(Futures.unwrap(why)));
    }

    private Duration soFar() {
        return Duration.ofNanos(locking.time().nanos() - wanted.startNanos());
    }

    /** Fails if there is to be no further try. */
    private CompletableFuture<Boolean> pauseAfter(Throwable failure) {
        sentMoreThanOnce |= failure instanceof SdkServiceException answer && ItemCalls.isRepeated(answer);
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return pauseWhile(busy(refusal.item()));
        }
        if (failure instanceof TransactionConflictException conflict) {
            String why = "a transaction is writing it.";
            ItemLockedException busy = new ItemLockedException(wanted.item(), null, Duration.ZERO, soFar(), why);
            busy.initCause(conflict);
            return pauseWhile(busy);
        }
        if (ItemCalls.mayHaveLanded(failure)) {
            // A caller that tries again is not to wait a lease for a lock that nobody has.
            locking.observations().giveUp(wanted.item(), token);
        }
        return CompletableFuture.failedFuture(failure);
    }

    private ItemLockedException busy(Map<String, AttributeValue> found) {
        if (found.isEmpty()) {
            locking.observations().forget(wanted.item());
            throw new ItemNotFoundException(wanted.item());
        }
        ItemLock lock = ItemLock.in(found, locking.names(), wanted.item());
        boolean forgets = locking.observations().isFullFor(wanted.item());
        Duration left = locking.observations().found(wanted.item(), lock);
        String why = "it is held by " + SafeText.quote(lock.owner()) + ", for another "
                + left.truncatedTo(ChronoUnit.MILLIS) + " at most unless its holder extends it."
                + (forgets ? Observations.FORGETS : "");
        return new ItemLockedException(wanted.item(), lock.owner(), left, soFar(), why);
    }

    private CompletableFuture<Boolean> pauseWhile(ItemLockedException busy) {
        Duration patience = wanted.patience().minus(busy.waited());
        if (patience.isZero() || patience.isNegative()) {
            if (sentMoreThanOnce) {
                locking.observations().giveUp(wanted.item(), token);
            }
            throw busy;
        }
        // Twice as long with each refusal; and only a part of that, so that callers do not march in step.
        Duration whole = Collections.min(List.of(nextPause, wanted.longestPause()));
        nextPause = whole.multipliedBy(2);
        Duration pause = Duration.ofNanos(ThreadLocalRandom.current().nextLong(whole.toNanos() / 2, whole.toNanos()));
        // Just after the moment, because the end is known to the millisecond.
        Duration left = busy.remaining().isZero() ? pause : busy.remaining().plusMillis(1);
        return locking.pauses()
                .after(Collections.min(List.of(pause, left, patience)))
                .thenApply(over -> true);
    }
}
