package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One grant at a time: the one that is out, and the release that waits for what becomes of the lock. Lives on the event
 * loop.
 */
final class Hold implements Holds {

    private @Nullable GrantedLock current;
    private @Nullable GrantedLock ending;
    private @Nullable GrantedLock kept;
    private @Nullable GrantedLock evicted;
    private @Nullable Block leaving;
    private boolean needsNewNumber;
    private @Nullable LockData toLeave;
    private EventLoop.@Nullable Timer limit;
    private @Nullable Function<Duration, EventLoop.Timer> forcingOut;

    @Override
    public boolean isOut(Block block) {
        return current != null;
    }

    /** Whether nobody has the lock, and no release waits for what becomes of it. */
    boolean isOver() {
        return current == null && ending == null;
    }

    @Override
    public @Nullable GrantedLock current() {
        return current;
    }

    /** The lock is a caller's; the one that released it before need not wait any longer. */
    @Override
    public void grant(Block block, GrantedLock grant, Function<Duration, EventLoop.Timer> forcingOut) {
        current = grant;
        written(null);
        this.forcingOut = forcingOut;
        limit(grant.restOfLongestHold());
    }

    private void limit(@Nullable Duration rest) {
        cancelLimit();
        if (rest != null && forcingOut != null) {
            limit = forcingOut.apply(rest);
        }
    }

    @Override
    public Duration release(GrantedLock grant, @Nullable LossReason over) {
        if (current != grant) {
            grant.releaseCompleted(over);
            return Duration.ZERO;
        }
        cancelLimit();
        Duration rest = restOfCurrent();
        boolean stays = !rest.isZero();
        if (stays || over != null) {
            grant.releaseCompleted(over);
        } else {
            ending = grant;
            leaving = null;
        }
        if (stays) {
            kept = grant;
        } else {
            letGo(grant);
        }
        return rest;
    }

    @Override
    public Duration rest(Block block) {
        return restOfCurrent();
    }

    private Duration restOfCurrent() {
        Duration atLeast = current == null ? null : current.limits().holdAtLeast();
        if (current == null || atLeast == null || current == evicted) {
            return Duration.ZERO;
        }
        Duration rest = atLeast.minus(current.held());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void letGo(GrantedLock grant) {
        current = null;
        kept = null;
        evicted = null;
        needsNewNumber |= grant.isFenced();
        toLeave = grant.ownData().toLeave();
        // The lock is passed on by the write that leaves the data.
        needsNewNumber |= toLeave != null;
    }

    @Override
    public void keptLongEnough(GrantedLock grant) {
        if (current == grant) {
            letGo(grant);
        }
    }

    @Override
    public void forceOut(GrantedLock grant) {
        // What its owner has released in time comes as an event of its own, and may be kept.
        if (current != grant || grant.isOver()) {
            return;
        }
        Duration rest = grant.restOfLongestHold();
        if (rest == null || !rest.isZero()) {
            limit(rest);
        } else {
            cancelLimit();
            current = null;
            needsNewNumber = true;
            grant.lose(LossReason.MAX_HOLD);
        }
    }

    @Override
    public boolean evict(Block block, int reach) {
        GrantedLock grant = current;
        if (grant == null) {
            return false;
        }
        if (grant.joinedAs() > reach) {
            // Whoever was seen to have it is done.
            return true;
        }
        if (grant.lose(LossReason.EVICTED)) {
            cancelLimit();
            current = null;
            needsNewNumber = true;
        } else {
            // Its owner has released it in time, and that is an event of its own, after which it is not kept.
            evicted = grant;
            if (kept == grant) {
                letGo(grant);
            }
        }
        return true;
    }

    @Override
    public void passesOver() {
        needsNewNumber = true;
    }

    @Override
    public boolean needsNewNumber() {
        return needsNewNumber;
    }

    /** What the caller that is done leaves to the next, to be written with its end; {@code null} for nothing new. */
    @Override
    public @Nullable LockData takeData() {
        LockData data = toLeave;
        toLeave = null;
        return data;
    }

    @Override
    public @Nullable LockData keptData() {
        return current == null ? toLeave : current.ownData().toLeave();
    }

    /** The block has another number, or the lock is let go. */
    @Override
    public void begins() {
        needsNewNumber = false;
    }

    @Override
    public void leaves(Block block) {
        // The next block may be renamed before the answer for the released one has come.
        if (leaving == null) {
            leaving = block;
        }
    }

    @Override
    public void left(Block block, @Nullable LossReason over) {
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

    @Override
    public void lose(Block block, LossReason reason) {
        lose(reason);
    }

    @Override
    public void lose(LossReason reason) {
        GrantedLock lost = current;
        current = null;
        kept = null;
        evicted = null;
        needsNewNumber = false;
        toLeave = null;
        cancelLimit();
        if (lost != null) {
            lost.lose(reason);
        }
        written(reason == LossReason.TAKEN_AWAY ? reason : null);
    }

    /** Its owner goes on by another grant. */
    void passesOn() {
        cancelLimit();
    }

    private void cancelLimit() {
        if (limit != null) {
            limit.cancel();
            limit = null;
        }
    }
}
