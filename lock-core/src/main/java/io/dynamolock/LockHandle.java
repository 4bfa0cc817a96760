package io.dynamolock;

import io.dynamolock.data.LockData;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;

/**
 * One grant of a lock. Thread-safe; any thread may use and close it, not only the one that acquired it.
 *
 * <p>Close every handle. A handle that is dropped and garbage collected is released too, with a warning in the log.
 */
public interface LockHandle extends AutoCloseable {

    /** What is locked. */
    String key();

    /** The namespace of the lock. */
    String namespace();

    /**
     * This grant's number: greater than that of every earlier grant of this lock, fixed for the life of the handle.
     * (For callers who hold the lock together, see {@link ReadWriteLocks} and {@link LockRegistry#permits}.) Send it
     * with every write that the lock protects and have the receiver refuse smaller ones than it has seen; then not even
     * a holder that lost the lock without noticing can do harm. Writes to DynamoDB can do without: see
     * {@link #fence()}.
     */
    long fencingToken();

    /**
     * Whether the lock is certainly still this handle's: neither released nor lost, and a heartbeat got through within
     * the lease. By the clocks of this machine, without a call to the table. Once {@code false}, it stays so.
     */
    boolean isValid();

    /**
     * How long the lock stays this handle's even if no further heartbeat gets through; zero if it is not valid. That is
     * the {@linkplain LockRegistryBuilder#lease lease} less the {@linkplain LockRegistryBuilder#driftMargin margin} and less
     * the time since the last heartbeat that got through was <em>sent</em>; or what is left of
     * {@link LockRequest#maxHold(Duration)}, if that is less.
     *
     * <p>So it is least just before the answer to the next heartbeat: by default, 20 s of lease less 1 s of margin, 5 s
     * between two heartbeats and the time that a heartbeat takes, which is a little less than 14 s. It is less still
     * while heartbeats fail, or if the wall clock was set ahead.
     */
    Duration remainingValidity();

    /**
     * Does nothing if the handle is valid.
     *
     * @throws LockLostException if it is not: the lock was lost or released; another caller may hold it
     */
    void ensureValid();

    /**
     * How long ago this handle got the lock, by this machine's monotonic clock; stands still once the handle has released it, or
     * the registry has noticed that it is lost.
     */
    Duration held();

    /**
     * Sets after which time the lock is taken away, as {@link LockRequest#maxHold(Duration)} says, whether the request
     * set one or not. It counts from the grant; {@link #extendBy} postpones its end instead. If the time is over
     * already, the lock is lost by this call: the handle is not valid any more when it returns, and the callbacks of
     * {@link #onLost} are called. Costs no call to the table.
     *
     * @param maxHold more than zero and not less than the shortest hold; over 36,500 days means no limit
     * @throws IllegalArgumentException if it is not; the lock is held as before
     * @throws LockLostException if the handle is not valid: the lock was lost or released; another caller may hold it
     */
    void setMaxHold(Duration maxHold);

    /**
     * Postpones the end of the longest hold by this much. For work in steps, each of which says how long the next may
     * take. Does nothing if the hold has no end. Costs no call to the table.
     *
     * @param extension more than zero; if the longest hold becomes longer than 36,500 days by it, there is no limit any more
     * @throws IllegalArgumentException if it is not; the lock is held as before
     * @throws LockLostException if the handle is not valid, also because the longest hold is over already; another caller may
     *     hold the lock
     */
    void extendBy(Duration extension);

    /**
     * Sets how long the lock is kept at the least, as {@link LockRequest#holdAtLeast(Duration)} says, whether the
     * request set a time or not. It counts from the grant. Costs no call to the table.
     *
     * @param holdAtLeast zero or more and not more than the longest hold; zero lets the next release take effect at once
     * @throws IllegalArgumentException if it is not; the lock is held as before
     * @throws LockLostException if the handle is not valid: the lock was lost or released; another caller may hold it
     */
    void setHoldAtLeast(Duration holdAtLeast);

    /**
     * A condition that this grant still has the lock, to be put into a {@code TransactWriteItems} of the same account
     * and region: then DynamoDB itself refuses the whole transaction if the lock was passed on, also when this process
     * was frozen just before it sent it. {@link FencedWrites} does all of this. A check is for the transaction that is
     * being built, and may be used as often as you like: when the lock's item is written for this handle (its
     * {@linkplain #putData data}, or to keep DynamoDB's TTL away), DynamoDB refuses what is sent with the old check
     * after that; call this method again for a new one.
     *
     * <p>Makes no call. After the first use, the release costs one write more if other callers of this process wait by the same
     * entry of the queue.
     *
     * @throws LockLostException if the handle is not valid: the lock was lost or released; another caller may hold it
     * @throws UnsupportedOperationException if the registry's locks are not in DynamoDB, or the lock is shared or held by a
     *     permit; whether the lock is held is not changed by that
     */
    ConditionCheck fence();

    /**
     * Goes on as a reader, without letting a writer in between, by one write: readers who wait next in the queue have the
     * lock from then on as well. Only a handle from {@link ReadWriteLocks#write()} or of a {@link LockRequest#downgradable()}
     * request can, because its caller shares its entry in the queue with nobody.
     *
     * <p>This handle is released then, and its callbacks are not called any more; close the new one. It has the same
     * fencing token, and its longest and shortest holds count from the first grant. Waits for the write, which is
     * repeated until it is answered or the lock is lost.
     *
     * @throws LockLostException if the handle is not valid: the lock was lost or released, and nothing is held; or it goes on
     *     as a reader already, by the handle that another call has returned
     * @throws UnsupportedOperationException if it was acquired in another way; the lock is held as before
     * @throws LockInterruptedException if the thread is interrupted meanwhile: this handle still holds the lock, as a writer or
     *     already as a reader. The interrupt flag is kept
     */
    default LockHandle downgrade() {
        throw new UnsupportedOperationException("This handle cannot go on as a reader.");
    }

    /**
     * The data that lies in the lock's item: as it was when this handle got the lock, or as {@link #putData} has written it
     * since. Costs no call, and stays readable after the release.
     */
    LockData data();

    /**
     * Writes the data that lies in the lock's item and waits until the table says so; {@link LockData#EMPTY} removes it. Others
     * see it by {@link LockAdmin#inspect(String) inspect}, and the next holder as its {@link #data()}. Only a holder
     * writes: if the lock was passed on meanwhile, nothing is written, also when this process was frozen. The data stays
     * until a holder writes other data, or the unused lock's item is removed after the
     * {@linkplain LockRegistryBuilder#retention retention}.
     *
     * <p>One write, and for each KiB of data one unit more with every write of the lock. If an answer of DynamoDB was lost, the
     * release costs one write more if other callers of this process wait by the same entry of the queue.
     *
     * @throws LockLostException if the lock was lost or released before the data was known to be written; it may be written
     *     until the lock has been passed on, but not after that
     * @throws LockStoreException if DynamoDB refused; the lock is still held
     * @throws LockInterruptedException if the thread is interrupted; the lock is still held, and the data may be written
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is still held
     */
    void putData(LockData data);

    /**
     * As {@link #putData}, without blocking. The future completes when the data is written, or exceptionally with
     * {@link LockLostException} or {@link LockStoreException}; cancelling it changes nothing. Writes take effect in the order of the
     * calls; a release that does not wait for them may overtake them. Continuations run where those of
     * {@link LockRegistry#acquireAsync} do.
     *
     * @throws LockLostException if the handle is not valid when this is called
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is still held
     */
    CompletableFuture<Void> putDataAsync(LockData data);

    /**
     * Has the callback called once, as soon as {@link #remainingValidity()} is no longer than this or the lock is lost: time to
     * bring the work to a safe end before another caller can have the lock. Never, if the lock was released before. As long as
     * heartbeats get through, that happens only before the end of a {@link LockRequest#maxHold(Duration)}; if heartbeats get
     * through again afterwards, the lock stays this handle's, and the callback is called again only before the end of a
     * {@code maxHold}. Once {@link #setMaxHold} has put the end off, it is called again before the new end; so one registration
     * is enough, however often that happens. Where {@code setMaxHold} leaves no more than {@code before}, it is not called again for
     * that. It is called where those of {@link #onLost} are.
     *
     * @param before more than zero, and less than the validity is anyway just before a slow heartbeat is answered: the lease less one
     *     heartbeat interval, the {@linkplain LockRegistryBuilder#driftMargin margin} and the time that a heartbeat may
     *     take (the {@linkplain LockRegistryBuilder#callTimeout call timeout}, at most a quarter of the lease); 10 seconds
     *     by default
     * @throws IllegalArgumentException if it is not
     */
    void onExpiring(Duration before, Runnable callback);

    /**
     * Has the callback called once if the lock is lost before it is released; soon, if it is lost already; never, if it
     * was released before. It is called on a thread of the registry's, or on the
     * {@linkplain LockRegistryBuilder#executor executor} given to it. It should return soon; what it throws is logged.
     */
    void onLost(Runnable callback);

    /**
     * Releases the lock and waits until the table says so. After the first call the handle is not valid any more; every
     * call gives the same answer. If the store does not answer, the release is repeated in the background until it is
     * known to have happened, and this method returns after the first failure. A release before
     * {@link LockRequest#holdAtLeast(Duration)} is over returns at once and takes effect then.
     *
     * <p>An interrupt ends the waiting, not the release: the interrupt flag is kept and the answer is what is known at
     * that moment.
     *
     * @return whether the lock was still this handle's. If not, another caller may have held it before this call, and
     *     the callbacks of {@link #onLost} are called
     */
    boolean release();

    /**
     * As {@link #release()}, and writes this data for the next holder; {@link LockData#EMPTY} removes what is there. It
     * is part of the write that releases the lock, and costs a write of its own only if the lock passes to another
     * caller of this process that waits by the same entry of the queue. If the lock is not this handle's any more,
     * nothing is written; if a release was begun before, that one counts.
     *
     * <p>If the registry is closed before the release is written, the data goes with the write that takes the entry out of the
     * queue. If the session is lost before ({@link LockLostException} names the reasons), the answer
     * may be {@code true} and the data not written: others may hold the lock by then.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is released all the same
     */
    boolean release(LockData data);

    /**
     * As {@link #release(LockData)}, without blocking, as {@link #releaseAsync()} does.
     *
     * @throws UnsupportedOperationException if the lock is shared or held by a permit; it is released all the same
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
