package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * The tries of one caller to lock one item: what each sends, what its answer means, and how long to pause before the
 * next. All tries are for one lock with one token, so a try takes a lock that an earlier one got without hearing of it.
 * When the caller's future is cancelled, no further try is made, and an item that is locked by the try under way is
 * released. One try at a time, so that only the future is shared between threads.
 *
 * @param <R> what the caller gets
 */
final class LockTries<T, R> {

    private static final int MAX_DOUBLINGS = 30;

    private final Locking<T> locking;
    private final Wanted wanted;
    private final Function<AsyncLockedItem<T>, R> onLocked;
    private final @Nullable R onBusy;
    private final String token = UUID.randomUUID().toString().replace("-", "");
    private final CompletableFuture<R> result = new CompletableFuture<>();

    private int refusals;
    private boolean sentMoreThanOnce;

    /**
     * @param longestPause between two tries, if the table's settings allow a longer one
     * @param beforeEachTry what is to end before it
     */
    record Wanted(
            ItemId item,
            Duration lease,
            Wait patience,
            Duration longestPause,
            Supplier<CompletableFuture<Void>> beforeEachTry) {}

    /** @param onBusy what the caller gets when its wait is over; null for an {@link ItemLockedException} */
    LockTries(Locking<T> locking, Wanted wanted, Function<AsyncLockedItem<T>, R> onLocked, @Nullable R onBusy) {
        this.locking = locking;
        this.wanted = wanted;
        this.onLocked = onLocked;
        this.onBusy = onBusy;
    }

    CompletableFuture<R> start() {
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
        return Meaning.start(() -> {
                    if (calls().isInterrupted()) {
                        throw new ItemLockInterruptedException(wanted.item(), new InterruptedException());
                    }
                    return wanted.beforeEachTry().get();
                })
                .thenCompose(ready -> tryAndPause())
                .exceptionallyCompose(failure -> fail(Meaning.unwrap(failure)));
    }

    private CompletableFuture<Boolean> tryAndPause() {
        Lease sent = Lease.from(locking.time(), wanted.lease());
        ItemLock lock = new ItemLock(token, locking.owner(), sent.until(), wanted.lease());
        return Meaning.of(
                        () -> locking.calls().lock(wanted.item(), lock, locking.observations()),
                        before -> handOver(granted(lock, sent, before)),
                        failure -> locking.pauses().after(pauseAfter(failure)))
                .thenCompose(next -> next);
    }

    private Grant granted(ItemLock lock, Lease sent, Map<String, AttributeValue> before) {
        locking.observations().forget(wanted.item());
        Map<String, AttributeValue> read = new HashMap<>(before);
        read.putAll(wanted.item().key());
        read.putAll(lock.attributes(locking.calls().names()));
        return new Grant(wanted.item(), lock, sent, read, before.isEmpty());
    }

    private CompletableFuture<Boolean> handOver(Grant grant) {
        return Meaning.of(
                        () -> CompletableFuture.completedFuture(new AsyncLockedItem<>(locking, grant)),
                        locked -> result.complete(onLocked.apply(locked))
                                ? CompletableFuture.completedFuture(true)
                                : locked.close(),
                        this::withdraw)
                .thenCompose(next -> next);
    }

    private CompletableFuture<Boolean> fail(Throwable failure) {
        if (failure instanceof ItemLockedException && onBusy != null) {
            return CompletableFuture.completedFuture(result.complete(onBusy));
        }
        if (failure instanceof SdkClientException && calls().isInterrupted()) {
            return withdraw(new ItemLockInterruptedException(wanted.item(), failure));
        }
        return CompletableFuture.completedFuture(result.completeExceptionally(failure));
    }

    /** Frees the item if it was locked, and only then tells the caller, who will not know of the lock. */
    private CompletableFuture<Boolean> withdraw(Throwable why) {
        return calls().uninterrupted(() -> Meaning.start(() -> locking.calls().release(wanted.item(), token)))
                .handle((released, failure) -> result.completeExceptionally(why));
    }

    private ItemCalls calls() {
        return locking.calls().calls();
    }

    /** @throws ItemLockedException if the wait is over */
    private Duration pauseAfter(Throwable failure) throws Throwable {
        sentMoreThanOnce |= failure instanceof SdkServiceException answer && Failures.isRepeated(answer);
        if (failure instanceof ConditionalCheckFailedException refusal) {
            return pauseAfterRefusal(refusal);
        }
        if (failure instanceof TransactionConflictException conflict) {
            return pauseOr(Duration.ZERO, waited -> new ItemLockedException(wanted.item(), waited, conflict));
        }
        if (Failures.mayHaveLanded(failure)) {
            // A caller that tries again is not to wait a lease for a lock that nobody has.
            locking.observations().giveUp(wanted.item(), token);
        }
        throw failure;
    }

    private Duration pauseAfterRefusal(ConditionalCheckFailedException refusal) {
        ItemId item = wanted.item();
        if (refusal.item().isEmpty()) {
            locking.observations().forget(item);
            throw new ItemNotFoundException(item);
        }
        ItemLock found = ItemLock.in(refusal.item(), locking.calls().names(), item);
        boolean forgets = locking.observations().isFullFor(item);
        Duration left = locking.observations().found(item, found);
        return pauseOr(left, waited -> new ItemLockedException(item, found.owner(), left, waited, forgets));
    }

    /** @param left how long the lock that is in the way is to be left alone */
    private Duration pauseOr(Duration left, Function<Duration, ItemLockedException> busy) {
        Duration patience = wanted.patience().left();
        if (patience.isZero()) {
            if (sentMoreThanOnce) {
                locking.observations().giveUp(wanted.item(), token);
            }
            throw busy.apply(wanted.patience().soFar());
        }
        Duration pause = Collections.min(List.of(jittered(), wanted.longestPause(), patience));
        // Just after the moment, because the end is known to the millisecond.
        return left.isZero() ? pause : Collections.min(List.of(pause, left.plusMillis(1)));
    }

    /**
     * Twice as long with each refusal, up to a bound; and only a part of that, so that callers do not march in step.
     */
    private Duration jittered() {
        int doublings = Math.min(refusals++, MAX_DOUBLINGS);
        Duration whole = Collections.min(List.of(locking.pollMin().multipliedBy(1L << doublings), locking.pollMax()));
        return Duration.ofNanos(
                (long) (whole.toNanos() * ThreadLocalRandom.current().nextDouble(0.5, 1)));
    }
}
