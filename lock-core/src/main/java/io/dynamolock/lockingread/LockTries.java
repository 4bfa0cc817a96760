package io.dynamolock.lockingread;

import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.threads.Futures;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * The tries of one caller to lock one item: what each try sends, what its answer means, and how long the pause before
 * the next one is. All tries are about the same lock. So if an earlier try has locked the item but its answer was lost,
 * a later try succeeds too. There is only one try at a time, so only the future is shared between threads.
 */
final class LockTries<T> {

    private final Locking<T> locking;
    private final Wanted wanted;
    private final CompletableFuture<AsyncLockedItem<T>> result = new CompletableFuture<>();

    /** The token of the last try; before the first try, a token that no try sends. */
    private LockToken token = LockToken.random();

    /**
     * Whether the last try was made without a pause, to take over a lock that the try before had found to be over. The
     * next refusal clears it, so that there are never two such tries in a row.
     */
    private boolean isTakingOver;

    /** Upper bound of the next pause, before {@link Wanted#longestPause} is applied. Doubles with each pause. */
    private Duration nextPause;

    /** Whether the client has sent a try more than once, so that the item may contain this lock. */
    private boolean sentMoreThanOnce;

    /**
     * What the caller wants.
     *
     * @param startNanos when the caller came, by the monotonic clock
     * @param patience how long the caller waits, counted from {@code startNanos}
     * @param longestPause maximum pause between two tries
     * @param caller the caller's future. Once it is done, no further try is made, and if the try under way locks the
     *     item, the item is released
     * @param beforeEachTry started before each try, which is made when it has completed
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

    /** A loop instead of a recursion, because with a blocking client each step is already done when it returns. */
    private void goOn() {
        while (!result.isDone()) {
            CompletableFuture<Boolean> step = step();
            if (!step.isDone()) {
                step.whenComplete((done, failure) -> goOn());
                return;
            }
        }
    }

    /** One try and the pause after it. */
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
        Lease sent = locking.leaseFromNow(wanted.lease());
        token = token.next();
        return locking.lock(wanted.item(), token, sent)
                .handle((answer, failure) -> failure == null ? handOver(sent, answer) : pauseAfter(failure))
                .thenCompose(next -> next);
    }

    /** The item is locked: gives it to the caller, or releases it if the caller has left. */
    private CompletableFuture<Boolean> handOver(Lease sent, Answer answer) {
        locking.observations().forget(wanted.item());
        return Futures.of(() -> new AsyncLockedItem<>(locking, wanted.item(), token, sent, answer.attributes())
                        .locked(answer.storeTime()))
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

    /** Releases the item in case it was locked, and then fails the caller's future. */
    private CompletableFuture<Boolean> withdraw(Throwable why) {
        return locking.release(wanted.item(), token)
                .handle((released, failure) -> result.completeExceptionally(Futures.unwrap(why)));
    }

    private Duration waited() {
        return Duration.ofNanos(locking.time().nanos() - wanted.startNanos());
    }

    /** Pauses after a try that did not lock the item. The future fails if there is to be no further try. */
    private CompletableFuture<Boolean> pauseAfter(Throwable failure) {
        sentMoreThanOnce |= failure instanceof SdkServiceException answer && ItemCalls.isRepeated(answer);
        if (failure instanceof ConditionalCheckFailedException refusal) {
            ItemLockedException busy = busy(refusal);
            isTakingOver = !isTakingOver && busy.remaining().isZero();
            return isTakingOver ? CompletableFuture.completedFuture(true) : pauseWhile(busy);
        }
        if (failure instanceof TransactionConflictException conflict) {
            String why = "a transaction is writing it.";
            ItemLockedException busy = new ItemLockedException(wanted.item(), null, Duration.ZERO, waited(), why);
            busy.initCause(conflict);
            return pauseWhile(busy);
        }
        if (ItemCalls.mayHaveLanded(failure)) {
            // The item may contain a lock that nobody knows of. The next caller should not wait a lease for it.
            locking.observations().giveUp(wanted.item(), token);
        }
        return CompletableFuture.failedFuture(failure);
    }

    private ItemLockedException busy(ConditionalCheckFailedException refusal) {
        Map<String, AttributeValue> found = refusal.item();
        if (found.isEmpty()) {
            locking.observations().forget(wanted.item());
            throw new ItemNotFoundException(wanted.item());
        }
        ItemLock lock = ItemLock.in(found, locking.names(), wanted.item());
        boolean forgets = locking.observations().isFullFor(wanted.item());
        Observations.Left left = locking.observations().found(wanted.item(), lock, Answer.storeTime(refusal));
        String why = "it is held by " + PersonalText.owner(lock.owner()) + ", for another "
                + left.time().truncatedTo(ChronoUnit.MILLIS) + " at most unless its holder extends it."
                + (forgets && left.isByWatchingOnly() ? Observations.FORGETS : "");
        return new ItemLockedException(wanted.item(), lock.owner(), left.time(), waited(), why);
    }

    private CompletableFuture<Boolean> pauseWhile(ItemLockedException busy) {
        Duration patience = wanted.patience().minus(busy.waited());
        if (patience.isZero() || patience.isNegative()) {
            if (sentMoreThanOnce) {
                locking.observations().giveUp(wanted.item(), token);
            }
            throw busy;
        }
        // Twice as long after each refusal, less a random part, so that callers do not try at the same time.
        Duration longest = Durations.shorter(nextPause, wanted.longestPause());
        nextPause = longest.multipliedBy(2);
        long nanos = ThreadLocalRandom.current().nextLong(longest.toNanos() / 2, longest.toNanos());
        Duration pause = Durations.shorter(Duration.ofNanos(nanos), patience);
        if (!busy.remaining().isZero()) {
            // The end of the lease is known to the millisecond, so the next try comes just after it.
            pause = Durations.shorter(pause, busy.remaining().plusMillis(1));
        }
        return locking.delayer().after(pause).thenApply(over -> true);
    }
}
