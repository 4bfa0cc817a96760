package io.dynamolock.lockingread;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/**
 * The tries of one caller to lock one item: what each sends, what its answer means, and how long to pause before the
 * next. All tries are for one lock with one token, so a try whose answer was lost is found in the item by the next one.
 * One try at a time; not thread-safe beyond that.
 */
final class LockTries {

    private static final int MAX_DOUBLINGS = 30;

    private final Locking<?> locking;
    private final ItemId item;
    private final Duration lease;
    private final Wait wait;
    private final Duration longestPause;
    private final String token;

    private @Nullable Lease firstSent;
    private int refusals;
    private boolean sentMoreThanOnce;

    LockTries(Locking<?> locking, ItemId item, Duration lease, Wait wait, Duration longestPause) {
        this.locking = locking;
        this.item = item;
        this.lease = lease;
        this.wait = wait;
        this.longestPause = longestPause;
        this.token = locking.newToken();
    }

    ItemId item() {
        return item;
    }

    Call<Outcome> next() {
        Lease sent = Lease.from(locking.time(), lease);
        if (firstSent == null) {
            firstSent = sent;
        }
        ItemLock lock = new ItemLock(token, locking.settings().owner(), sent.until(), lease);
        Rivals rivals = Rivals.of(item, locking.settings().takeOver(), locking.observations(), locking.time());
        return new Call<>(
                locking.requests().lock(item, lock, rivals),
                before -> granted(lock, sent, before, before.isEmpty()),
                failure -> failed(lock, sent, failure));
    }

    /** Frees the item again if it was locked by a try whose answer nobody waited for. */
    Call<Boolean> withdraw() {
        return locking.release(item, token);
    }

    private Outcome granted(ItemLock lock, Lease sent, Map<String, AttributeValue> before, boolean created) {
        locking.observations().forget(item);
        Map<String, AttributeValue> read = new HashMap<>(before);
        read.putAll(item.key());
        read.putAll(lock.attributes(locking.settings().attributes()));
        return new Outcome.Granted(new Grant(item, lock, sent, read, created));
    }

    private Outcome failed(ItemLock lock, Lease sent, RuntimeException failure) {
        if (failure instanceof ConditionalCheckFailedException refusal) {
            sentMoreThanOnce |= Failures.isRepeated(refusal);
            return refused(lock, sent, refusal);
        }
        if (failure instanceof TransactionConflictException conflict) {
            sentMoreThanOnce |= Failures.isRepeated(conflict);
            return pauseOr(Duration.ZERO, () -> new ItemLockedException(item, wait.soFar(locking.time()), conflict));
        }
        if (Failures.mayHaveLanded(failure)) {
            // A caller that tries again is not to wait a lease for a lock that nobody has.
            locking.observations().giveUp(item, token);
        }
        throw failure;
    }

    private Outcome refused(ItemLock lock, Lease sent, ConditionalCheckFailedException refusal) {
        if (!refusal.hasItem() || refusal.item().isEmpty()) {
            locking.observations().forget(item);
            throw new ItemNotFoundException(item);
        }
        ItemLock found = ItemLock.in(refusal.item(), locking.settings().attributes(), item);
        if (found.token().equals(token)) {
            // Sent more than once, and an earlier sending landed: of this try, or of one before it.
            Lease landed = found.until().equals(lock.until()) ? sent : earlier(sent);
            return granted(found, landed, refusal.item(), false);
        }
        long now = locking.time().nanos();
        Observations.Seen seen = locking.observations().see(item, found, now);
        boolean forgets = locking.settings().takeOver() instanceof TakeOver.Observed
                && locking.observations().isForgetting(now);
        Duration remaining = locking.settings().takeOver().remaining(seen, locking.time());
        Duration left = remaining.isNegative() ? Duration.ZERO : remaining;
        return pauseOr(
                left, () -> new ItemLockedException(item, found.owner(), left, wait.soFar(locking.time()), forgets));
    }

    private Lease earlier(Lease sent) {
        return firstSent == null ? sent : firstSent;
    }

    /** @param left how long the lock that is in the way is to be left alone */
    private Outcome pauseOr(Duration left, Supplier<ItemLockedException> busy) {
        Duration patience = wait.left(locking.time());
        if (patience.isZero()) {
            if (sentMoreThanOnce) {
                locking.observations().giveUp(item, token);
            }
            return new Outcome.GaveUp(busy.get());
        }
        Duration pause = shorter(jittered(), longestPause);
        if (!left.isZero()) {
            // Just after the moment, because the end is known to the millisecond.
            pause = shorter(pause, left.plusMillis(1));
        }
        return new Outcome.Pause(shorter(pause, patience));
    }

    /**
     * Twice as long with each refusal, up to a bound; and only a part of that, so that callers do not march in step.
     */
    private Duration jittered() {
        Duration min = locking.settings().pollMin();
        Duration max = locking.settings().pollMax();
        int doublings = Math.min(refusals++, MAX_DOUBLINGS);
        Duration whole = shorter(min.multipliedBy(1L << doublings), max);
        return Duration.ofNanos(
                (long) (whole.toNanos() * (0.5 + 0.5 * locking.random().nextDouble())));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
