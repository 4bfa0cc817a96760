package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * One grant of a lock. Thread-safe; any thread may use and close it, not only the thread that acquired it.
 *
 * <p>Close every handle. A handle that is dropped and garbage collected is also released, with a warning in the log.
 *
 * <p>Methods that need the lock throw {@link LockLostException} if the handle is not {@linkplain #isValid() valid}: the
 * lock was lost or released, and another caller may hold it. After any other exception, the lock is still held, unless
 * the method says otherwise.
 */
public interface LockHandle extends AutoCloseable {

    /** What is locked. */
    String key();

    /** The namespace of the lock. */
    String namespace();

    /**
     * This grant's number: greater than the number of every earlier grant of this lock, fixed for the life of the
     * handle. (For callers that hold the lock together, see {@link ReadWriteLocks} and {@link LockRegistry#permits}.)
     * Send it with every write that the lock protects, and let the receiver refuse every number that is smaller than
     * the greatest it has seen. Then not even a holder that lost the lock without noticing can do harm. Writes to
     * DynamoDB do not need it: see {@link #fence()}.
     */
    long fencingToken();

    /**
     * Whether this handle certainly still holds the lock: it was neither released nor lost, and a heartbeat succeeded
     * within the lease. Decided by the clocks of this machine, without a call to the table. Once {@code false}, always
     * {@code false}.
     */
    boolean isValid();

    /**
     * How long this handle holds the lock even if no further heartbeat succeeds; zero if the handle is not valid. That
     * is the {@linkplain LockRegistryBuilder#lease lease} less the {@linkplain LockRegistryBuilder#driftMargin margin}
     * and less the time since the last successful heartbeat was <em>sent</em>; or the rest of {@link
     * LockRequest#maxHold(Duration)}, if that is less.
     *
     * <p>The value is smallest just before the answer to the next heartbeat. By default, that is 20 s of lease, less
     * 1.7 s of margin, less 5 s between two heartbeats, less the duration of a heartbeat: a little less than 13.3 s. It
     * is smaller while heartbeats fail, or if the wall clock was set ahead.
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
     * Sets the time after which the lock is taken away, as {@link LockRequest#maxHold(Duration)} does, whether or not
     * the request set a time. The time counts from the grant; {@link #extendBy} postpones the end instead. If the time
     * is already over, this call loses the lock: when it returns, the handle is no longer valid, and the callbacks of
     * {@link #onLost} are called. Costs no call to the table.
     *
     * @param maxHold more than zero and not less than the shortest hold; over 36,500 days means no limit
     * @throws IllegalArgumentException if the time is out of this range
     * @throws LockLostException if the handle is not valid
     */
    void setMaxHold(Duration maxHold);

    /**
     * Postpones the end of the longest hold by this much: for work in steps, each of which knows how long the next step
     * may take. Does nothing if the hold has no end. Costs no call to the table.
     *
     * @param extension more than zero; an extension to more than 36,500 days in all removes the limit
     * @throws IllegalArgumentException if the extension is zero or negative
     * @throws LockLostException if the handle is not valid, for example because the longest hold is already over
     */
    void extendBy(Duration extension);

    /**
     * Sets the least time for which the lock is kept, as {@link LockRequest#holdAtLeast(Duration)} does, whether or not
     * the request set a time. The time counts from the grant. Costs no call to the table.
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
     * just before it sent the transaction. {@link FencedWrites} adds the condition, and repeats the transaction where
     * necessary.
     *
     * <p>Call this method for each transaction that you build. When {@linkplain #putData data} is written for this
     * handle, earlier conditions become obsolete. DynamoDB refuses a transaction with an obsolete condition; build it
     * again with a new condition.
     *
     * <p>Makes no call. After the first use, the release costs one more write if other callers of this process wait by
     * the same entry of the queue.
     *
     * @throws LockLostException if the handle is not valid
     * @throws UnsupportedOperationException if the registry's locks are not in DynamoDB, or the lock is shared or held
     *     by a permit
     */
    ConditionCheck fence();

    /**
     * Goes on as a reader, without letting another writer in between. Costs one write. Readers that are next in the
     * queue get the lock at the same moment. Only a handle from {@link ReadWriteLocks#write()} or of a {@link
     * LockRequest#downgradable()} request can do this, because its caller has its own entry in the queue.
     *
     * <p>Afterwards this handle counts as released, and its callbacks are not called any more. Close the returned
     * handle: it has the same fencing token, and its longest and shortest holds count from the first grant. Waits for
     * the write, which is repeated until it is answered or the lock is lost.
     *
     * @return the handle that holds the lock from now on
     * @throws LockLostException if the handle is not valid, for example because another call has already made it a
     *     reader
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
     * Writes data into the lock's item, and waits until it is written; {@link LockData#EMPTY} removes existing data.
     * Others see the data by {@link LockAdmin#inspect(String) inspect}, and the next holder sees it by {@link #data()}.
     * Only a holder can write: if the lock was passed on meanwhile, nothing is written, even if this process was frozen
     * in between. The data stays until a holder writes other data, or until the item of the unused lock is removed
     * after the {@linkplain LockRegistryBuilder#retention retention}.
     *
     * <p>Costs one write, and one unit for each KiB of data with every later write of the lock. If an answer of
     * DynamoDB was lost, the release costs one more write if other callers of this process wait by the same entry of
     * the queue.
     *
     * @throws LockLostException if the lock was lost or released before the data was known to be written. The data may
     *     be written until the lock has been passed on, but not after that
     * @throws LockStoreException if DynamoDB refused
     * @throws LockInterruptedException if the thread is interrupted; the data may be written
     * @throws UnsupportedOperationException if the lock is shared or held by a permit
     */
    void putData(LockData data);

    /**
     * As {@link #putData}, without blocking. The future completes when the data is written, or exceptionally with
     * {@link LockLostException} or {@link LockStoreException}. Cancelling it changes nothing. Writes take effect in the
     * order of the calls; a release that does not wait for these writes may overtake them. Continuations run where
     * those of {@link LockRegistry#acquireAsync} do.
     *
     * @throws LockLostException if the handle is not valid when this is called
     * @throws UnsupportedOperationException if the lock is shared or held by a permit
     */
    CompletableFuture<Void> putDataAsync(LockData data);

    /**
     * Calls the callback as soon as {@link #remainingValidity()} is at most {@code before}, or the lock is lost: this
     * leaves time to bring the work to a safe end before another caller can get the lock. Not called if the lock is
     * released first.
     *
     * <ul>
     *   <li>While heartbeats succeed, this happens only before the end of a {@link LockRequest#maxHold(Duration)}.
     *   <li>When heartbeats fail, the callback is called once. If they succeed again in time, the handle keeps the
     *       lock, and the callback is called again only before the end of a {@code maxHold}.
     *   <li>After {@link #setMaxHold} or {@link #extendBy} has postponed the end, the callback is called again before
     *       the new end, so one registration is enough. It is not called again if the new end is no more than {@code
     *       before} away.
     * </ul>
     *
     * <p>Called on the same threads as the callbacks of {@link #onLost}.
     *
     * @param before more than zero, and less than the validity that is left in any case just before a slow heartbeat is
     *     answered: the lease, less one heartbeat interval, less the {@linkplain LockRegistryBuilder#driftMargin
     *     margin}, less the time that a heartbeat may take (the {@linkplain LockRegistryBuilder#callTimeout call
     *     timeout}, at most a quarter of the lease). By default this limit is 9.3 seconds
     * @throws IllegalArgumentException if {@code before} is out of this range
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Calls the callback once if the lock is lost before it is released: soon if the lock is already lost, and never if
     * it was already released. The callback runs on a thread of the registry, or on the {@linkplain
     * LockRegistryBuilder#executor executor} given to the builder. It should return soon; its exceptions are logged.
     *
     * <p>The callback may come after {@code withLock} or an annotated method has returned, if only the answer to the
     * release shows the loss.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock, and waits until it is released in the table. After the first call, the handle is no longer
     * valid; every call returns the same answer. If the store does not answer, this method returns after the first
     * failure, and the release is repeated in the background until it is known to have taken effect. A release before
     * the end of {@link LockRequest#holdAtLeast(Duration)} returns at once, and takes effect at that end.
     *
     * <p>An interrupt ends the waiting, not the release: the interrupt flag is kept, and the answer reflects what is
     * known at that moment.
     *
     * @return whether this handle still held the lock. If not, another caller may have held it before this call, and
     *     the callbacks of {@link #onLost} are called
     */
    boolean release();

    /**
     * As {@link #release()}, and writes this data for the next holder; {@link LockData#EMPTY} removes existing data.
     * The data is part of the write that releases the lock. It costs a separate write only if the lock passes to
     * another caller of this process that waits by the same entry of the queue. If this handle no longer holds the
     * lock, nothing is written. If a release has already begun, only that release counts.
     *
     * <p>If the registry is closed before the release is written, the data goes with the write that takes the entry out
     * of the queue. If the session is lost before the release is written ({@link LockLostException} names the reasons),
     * the answer may be {@code true} although the data is not written: others may hold the lock by then.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is still released
     */
    boolean release(LockData data);

    /**
     * As {@link #release(LockData)}, without blocking, as {@link #releaseAsync()} does.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is still released
     */
    CompletableFuture<Boolean> releaseAsync(LockData data);

    /**
     * As {@link #release()}, without blocking. The future never completes exceptionally; cancelling it changes nothing.
     * Its continuations run where those of {@link LockRegistry#acquireAsync} do.
     */
    CompletableFuture<Boolean> releaseAsync();

    /** As {@link #release()}; neither reports nor throws anything if the lock was lost before. */
    @Override
    void close();
}
