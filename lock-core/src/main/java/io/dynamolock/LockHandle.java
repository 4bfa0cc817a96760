package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * One grant of a lock. Thread-safe; any thread may use and close it, not only the thread that acquired it.
 *
 * <p>Close every handle. A handle that is dropped and garbage collected is released too, with a warning in the log.
 *
 * <p>Methods that need the lock throw {@link LockLostException} if the handle is not {@linkplain #isValid() valid}: the
 * lock was lost or released, and another caller may hold it. After any other exception of a method the lock is still
 * held, unless the method says otherwise.
 */
public interface LockHandle extends AutoCloseable {

    /** What is locked. */
    String key();

    /** The namespace of the lock. */
    String namespace();

    /**
     * This grant's number: greater than the number of every earlier grant of this lock, fixed for the life of the
     * handle. (For callers who hold the lock together, see {@link ReadWriteLocks} and {@link LockRegistry#permits}.)
     * Send it with every write that the lock protects, and let the receiver refuse every number that is smaller than
     * the greatest it has seen. Then not even a holder that lost the lock without noticing can do harm. Writes to
     * DynamoDB do not need it: see {@link #fence()}.
     */
    long fencingToken();

    /**
     * Whether this handle certainly still holds the lock: it was neither released nor lost, and a heartbeat got through
     * within the lease. Decided by the clocks of this machine, without a call to the table. Once {@code false}, always
     * {@code false}.
     */
    boolean isValid();

    /**
     * How long this handle holds the lock even if no further heartbeat gets through; zero if the handle is not valid.
     * That is the {@linkplain LockRegistryBuilder#lease lease} less the {@linkplain LockRegistryBuilder#driftMargin
     * margin} and less the time since the last heartbeat that got through was <em>sent</em>; or what is left of {@link
     * LockRequest#maxHold(Duration)}, if that is less.
     *
     * <p>The value is smallest just before the answer to the next heartbeat: by default 20 s of lease, less 1.7 s
     * of margin, less 5 s between two heartbeats, less the time that a heartbeat takes, which makes a little less than
     * 13.3 s. It is smaller still while heartbeats fail, or if the wall clock was set ahead.
     */
    Duration remainingValidity();

    /**
     * Does nothing if the handle is valid.
     *
     * @throws LockLostException if the handle is not valid
     */
    void ensureValid();

    /**
     * How long this handle has held the lock, by this machine's monotonic clock. Stands still once the lock is
     * released, or the registry has noticed that it is lost.
     */
    Duration held();

    /**
     * Sets after which time the lock is taken away, as {@link LockRequest#maxHold(Duration)} does, whether the request
     * set a time or not. The time counts from the grant; {@link #extendBy} postpones the end instead. If the time is
     * over already, this call loses the lock: the handle is not valid any more when the call returns, and the callbacks
     * of {@link #onLost} are called. Costs no call to the table.
     *
     * @param maxHold more than zero and not less than the shortest hold; over 36,500 days means no limit
     * @throws IllegalArgumentException if the time is out of this range
     * @throws LockLostException if the handle is not valid
     */
    void setMaxHold(Duration maxHold);

    /**
     * Postpones the end of the longest hold by this much, for work in steps that each say how long the next step may
     * take. Does nothing if the hold has no end. Costs no call to the table.
     *
     * @param extension more than zero; an extension to more than 36,500 days in all removes the limit
     * @throws IllegalArgumentException if the extension is zero or negative
     * @throws LockLostException if the handle is not valid, also because the longest hold is over already
     */
    void extendBy(Duration extension);

    /**
     * Sets how long the lock is kept at least, as {@link LockRequest#holdAtLeast(Duration)} does, whether the request
     * set a time or not. The time counts from the grant. Costs no call to the table.
     *
     * @param holdAtLeast zero or more and not more than the longest hold; zero lets the next release take effect at
     *     once
     * @throws IllegalArgumentException if the time is out of this range
     * @throws LockLostException if the handle is not valid
     */
    void setHoldAtLeast(Duration holdAtLeast);

    /**
     * A condition that this grant still holds the lock, for a {@code TransactWriteItems} in the same account and
     * region. DynamoDB then refuses the whole transaction if the lock was passed on, even if this process was frozen
     * just before it sent the transaction. {@link FencedWrites} adds the condition and repeats what has to be repeated.
     *
     * <p>Call this method for each transaction that you build. A condition becomes old when {@linkplain #putData
     * data} is written for this handle. DynamoDB refuses a transaction with an old condition; build it again with a new
     * one.
     *
     * <p>Makes no call. After the first use, the release costs one write more if other callers of this process wait by
     * the same entry of the queue.
     *
     * @throws LockLostException if the handle is not valid
     * @throws UnsupportedOperationException if the registry's locks are not in DynamoDB, or the lock is shared or held
     *     by a permit
     */
    ConditionCheck fence();

    /**
     * Goes on as a reader, without letting another writer in between. Costs one write. Readers who wait next in the
     * queue have the lock from then on as well. Only a handle from {@link ReadWriteLocks#write()} or of a {@link
     * LockRequest#downgradable()} request can go on, because its caller has an entry of the queue to itself.
     *
     * <p>Afterwards this handle counts as released, and its callbacks are not called any more. Close the returned
     * handle: it has the same fencing token, and its longest and shortest holds count from the first grant. Waits for
     * the write, which is repeated until it is answered or the lock is lost.
     *
     * @return the handle that holds the lock from now on
     * @throws LockLostException if the handle is not valid, also because another call has made it a reader already
     * @throws UnsupportedOperationException if the lock was acquired in another way
     * @throws LockInterruptedException if the thread is interrupted meanwhile: this handle still holds the lock, as a
     *     writer or already as a reader. The interrupt flag is kept
     */
    default LockHandle downgrade() {
        throw new UnsupportedOperationException("This handle cannot go on as a reader.");
    }

    /**
     * The data in the lock's item, as it was when this handle got the lock, or as {@link #putData} has written it
     * since. Costs no call, and stays readable after the release.
     */
    LockData data();

    /**
     * Writes data into the lock's item, and waits until it is written; {@link LockData#EMPTY} removes the data that is
     * there. Others see it by {@link LockAdmin#inspect(String) inspect}, and the next holder by {@link #data()}. Only a
     * holder can write: if the lock was passed on meanwhile, nothing is written, even if this process was frozen in
     * between. The data stays until a holder writes other data, or until the item of the unused lock is removed after
     * the {@linkplain LockRegistryBuilder#retention retention}.
     *
     * <p>Costs one write, and one unit for each KiB of data with every later write of the lock. If an answer of
     * DynamoDB was lost, the release costs one write more if other callers of this process wait by the same entry of
     * the queue.
     *
     * @throws LockLostException if the lock was lost or released before the data was known to be written; it may be
     *     written until the lock has been passed on, but not after that
     * @throws LockStoreException if DynamoDB refused
     * @throws LockInterruptedException if the thread is interrupted; the data may be written
     * @throws UnsupportedOperationException if the lock is shared or held by a permit
     */
    void putData(LockData data);

    /**
     * As {@link #putData}, without blocking. The future completes when the data is written, or exceptionally with
     * {@link LockLostException} or {@link LockStoreException}. Cancelling it changes nothing. Writes take effect in the
     * order of the calls; a release that does not wait for them may overtake them. Continuations run where those of
     * {@link LockRegistry#acquireAsync} do.
     *
     * @throws LockLostException if the handle is not valid when this is called
     * @throws UnsupportedOperationException if the lock is shared or held by a permit
     */
    CompletableFuture<Void> putDataAsync(LockData data);

    /**
     * Calls the callback as soon as {@link #remainingValidity()} is at most {@code before}, or the lock is lost: time
     * to bring the work to a safe end before another caller can have the lock. Not called if the lock is released
     * first.
     *
     * <ul>
     *   <li>While heartbeats get through, this happens only before the end of a {@link LockRequest#maxHold(Duration)}.
     *   <li>When heartbeats fail, the callback is called once. If they get through again in time, the handle keeps the
     *       lock, and the callback is called again only before the end of a {@code maxHold}.
     *   <li>After {@link #setMaxHold} or {@link #extendBy} has postponed the end, the callback is called again before
     *       the new end, so one registration is enough. It is not called again if the new end is no more than {@code
     *       before} away.
     * </ul>
     *
     * <p>Called on the same threads as the callbacks of {@link #onLost}.
     *
     * @param before more than zero, and less than the validity that is left anyway just before a slow heartbeat is
     *     answered: the lease, less one heartbeat interval, less the {@linkplain LockRegistryBuilder#driftMargin
     *     margin}, less the time that a heartbeat may take (the {@linkplain LockRegistryBuilder#callTimeout call
     *     timeout}, at most a quarter of the lease). By default this limit is 9.3 seconds
     * @throws IllegalArgumentException if {@code before} is out of this range
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Calls the callback once if the lock is lost before it is released. If the lock is lost already, calls it soon; if
     * it was released before, never. The callback runs on a thread of the registry, or on the {@linkplain
     * LockRegistryBuilder#executor executor} given to the builder. It should return soon; what it throws is logged.
     *
     * <p>The callback may come after {@code withLock} or an annotated method has returned, if only the answer to the
     * release shows the loss.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock, and waits until it is released in the table. After the first call the handle is not valid any
     * more; every call gives the same answer. If the store does not answer, this method returns after the first
     * failure, and the release is repeated in the background until it is known to have happened. A release before
     * {@link LockRequest#holdAtLeast(Duration)} is over returns at once, and takes effect when that time is over.
     *
     * <p>An interrupt ends the waiting, not the release: the interrupt flag is kept, and the answer is what is known at
     * that moment.
     *
     * @return whether this handle still held the lock. If not, another caller may have held it before this call, and
     *     the callbacks of {@link #onLost} are called
     */
    boolean release();

    /**
     * As {@link #release()}, and writes this data for the next holder; {@link LockData#EMPTY} removes the data that is
     * there. The data is part of the write that releases the lock. It costs a write of its own only if the lock passes
     * to another caller of this process that waits by the same entry of the queue. If this handle does not hold the
     * lock any more, nothing is written. If a release was begun before, only that release counts.
     *
     * <p>If the registry is closed before the release is written, the data goes with the write that takes the entry out
     * of the queue. If the session is lost before the release is written ({@link LockLostException} names the reasons),
     * the answer may be {@code true} although the data is not written: others may hold the lock by then.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is released even so
     */
    boolean release(LockData data);

    /**
     * As {@link #release(LockData)}, without blocking, as {@link #releaseAsync()} does.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is released even so
     */
    CompletableFuture<Boolean> releaseAsync(LockData data);

    /**
     * As {@link #release()}, without blocking. The future never completes exceptionally; cancelling it changes nothing.
     * Its continuations run where those of {@link LockRegistry#acquireAsync} do.
     */
    CompletableFuture<Boolean> releaseAsync();

    /** As {@link #release()}; says nothing and throws nothing if the lock was lost before. */
    @Override
    void close();
}
