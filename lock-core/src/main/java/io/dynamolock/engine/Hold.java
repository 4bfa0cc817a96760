package io.dynamolock.engine;

import io.dynamolock.protocol.LockData;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a block of this process holds the lock: the grant that is out, and the release that waits for what
 * becomes of the lock. Passes on nothing itself: its queue does. Lives on the event loop.
 */
final class Hold {

    private @Nullable GrantedLock current;
    private @Nullable GrantedLock ending;
    private @Nullable Block leaving;
    private boolean needsNewNumber;
    private @Nullable LockData toLeave;
    private EventLoop.@Nullable Timer limit;

    /** Whether a caller has the lock, or is kept from passing it on. */
    boolean isOut() {
        return current != null;
    }

    @Nullable
    GrantedLock current() {
        return current;
    }

    /** The lock is a caller's; the one that released it before need not wait any longer. */
    void grant(GrantedLock grant, Function<Duration, EventLoop.Timer> forcingOut) {
        current = grant;
        written(null);
        Duration maxHold = grant.spec().maxHold();
        if (maxHold != null) {
            limit = forcingOut.apply(maxHold);
        }
    }

    /**
     * Its owner has released the grant.
     *
     * @return how long the lock is to be kept all the same
     */
    Duration release(GrantedLock grant, @Nullable LossReason over) {
        if (current != grant) {
            grant.releaseCompleted(over);
            return Duration.ZERO;
        }
        cancelLimit();
        Duration rest = rest();
        boolean stays = !rest.isZero();
        if (stays || over != null) {
            grant.releaseCompleted(over);
        } else {
            ending = grant;
            leaving = null;
        }
        if (!stays) {
            letGo(grant);
        }
        return rest;
    }

    /** How long the lock is still to be kept by the wish of the caller that has it, or has released it. */
    Duration rest() {
        Duration atLeast = current == null ? null : current.spec().holdAtLeast();
        if (current == null || atLeast == null) {
            return Duration.ZERO;
        }
        Duration rest = atLeast.minus(current.held());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void letGo(GrantedLock grant) {
        current = null;
        needsNewNumber |= grant.isFenced();
        toLeave = grant.dataToLeave();
        // The lock is passed on by the write that leaves the data.
        needsNewNumber |= toLeave != null;
    }

    /** The lock was kept for as long as its owner wanted. */
    void keptLongEnough(GrantedLock grant) {
        if (current == grant) {
            letGo(grant);
        }
    }

    /** Its longest hold is over; it may still be running. */
    void forceOut(GrantedLock grant) {
        if (current == grant) {
            cancelLimit();
            current = null;
            needsNewNumber = true;
            grant.lose(LossReason.MAX_HOLD);
        }
    }

    /** Whether a caller that is done may still write under the block's number: it was forced out, or has a fence. */
    boolean needsNewNumber() {
        return needsNewNumber;
    }

    /** What the caller that is done leaves to the next, to be written with its end; {@code null} for nothing new. */
    @Nullable
    LockData takeData() {
        LockData data = toLeave;
        toLeave = null;
        return data;
    }

    /** What is to be left when the lock has been {@linkplain #rest() kept}. */
    @Nullable
    LockData keptData() {
        return current == null ? null : current.dataToLeave();
    }

    /** The block has another number, or the lock is let go. */
    void begins() {
        needsNewNumber = false;
    }

    /** The release that waits is written by taking out this block, or giving it a new number. */
    void leaves(Block block) {
        leaving = block;
    }

    /** What became of that write. */
    void left(Block block, @Nullable LossReason over) {
        if (leaving == block) {
            leaving = null;
            written(over);
        }
    }

    /** A release need not wait any longer: the lock was passed on, or its write is answered, or has failed once. */
    private void written(@Nullable LossReason over) {
        GrantedLock done = ending;
        if (done != null) {
            ending = null;
            done.releaseCompleted(over);
        }
    }

    /** The lock is lost. */
    void lose(LossReason reason) {
        GrantedLock lost = current;
        current = null;
        needsNewNumber = false;
        toLeave = null;
        cancelLimit();
        if (lost != null) {
            lost.lose(reason);
        }
        written(reason == LossReason.TAKEN_AWAY ? reason : null);
    }

    private void cancelLimit() {
        if (limit != null) {
            limit.cancel();
            limit = null;
        }
    }
}
