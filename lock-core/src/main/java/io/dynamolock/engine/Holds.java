package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The grants that are out under the blocks of one queue, and the releases that wait for what becomes of their block. Passes
 * on nothing itself: its queue does. Lives on the event loop.
 */
interface Holds {

    /** Whether a caller has the lock by this block, or is kept from passing it on. */
    boolean isOut(Block block);

    /** A grant that is out, if one is. */
    @Nullable
    GrantedLock current();

    /** The lock is a caller's, by this block. */
    void grant(Block block, GrantedLock grant, Function<Duration, EventLoop.Timer> forcingOut);

    /**
     * Its owner has released the grant.
     *
     * @return how long the lock is to be kept all the same
     */
    Duration release(GrantedLock grant, @Nullable LossReason over);

    /** The lock was kept for as long as its owner wanted. */
    void keptLongEnough(GrantedLock grant);

    /** Its longest hold may be over, or end at another time than before. A caller that is forced out may still be running. */
    void forceOut(GrantedLock grant);

    /**
     * Whoever has the lock by this block loses it, if it was counted when somebody looked at the block.
     *
     * @param reach the greatest {@link Caller#joinedAs()} of those who were
     * @return whether anybody has the lock by it, or keeps it from others
     */
    boolean evict(Block block, int reach);

    /** The next has lost its turn before it had the lock: nobody else gets it under the number by which that one was seen. */
    void passesOver();

    /** How long the block is still to be kept by the wish of a caller that has the lock by it, or has released it. */
    Duration rest(Block block);

    /** The releases that wait are written by taking out this block, or giving it a new number. */
    void leaves(Block block);

    /** What became of that write. */
    void left(Block block, @Nullable LossReason over);

    /** Whether a caller that is done may still write under the block's number: it was forced out, or has a fence. */
    boolean needsNewNumber();

    /** What the caller that is done leaves to the next, to be written with its end; {@code null} for nothing new. */
    @Nullable
    LockData takeData();

    /** What was left, and is not being written yet; {@code null} for nothing new. */
    @Nullable
    LockData keptData();

    /** The block has another number, or the lock is let go. */
    void begins();

    /** The lock is lost by this block. */
    void lose(Block block, LossReason reason);

    /** The lock is lost by whatever block. */
    void lose(LossReason reason);
}
