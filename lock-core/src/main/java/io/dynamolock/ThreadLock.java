package io.dynamolock;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * One lock of a registry as a {@link Lock} that is reentrant per thread: only the first {@code lock} of a thread and
 * its last {@code unlock} cost a write. All {@code ThreadLock}s of one key and namespace from one registry are the same
 * lock. They are equal if they hold it in the same way: alone, as a reader, as a writer, or by one of the same number
 * of permits. Costs no call and no memory until it is locked. Thread-safe.
 *
 * <ul>
 *   <li>{@code lock()} and {@code lockInterruptibly()} wait as long as the {@link LockRequest} says. Otherwise, {@code
 *       lock()} waits for ever, as a {@link Lock} does, and {@code lockInterruptibly()} waits as long as {@linkplain
 *       LockRegistryBuilder#wait(java.time.Duration) the registry's builder} says. They throw {@link
 *       LockTimeoutException} when the wait is over.
 *   <li>{@code tryLock()} does not wait for others; {@code tryLock(time, unit)} waits that long.
 *   <li>{@code lockInterruptibly()} and {@code tryLock(time, unit)} are interrupted before and during the wait; {@code
 *       lock()} and {@code tryLock()} are not. An interrupt while the {@linkplain LockRequest#data data} of the request
 *       is written ends any of the four methods with {@link LockInterruptedException}; then the thread does not hold
 *       the lock.
 *   <li>All four methods throw a {@link LockException} as {@link LockRegistry#acquire(LockRequest)} does; the thread's
 *       count of holds is then as before.
 *   <li>Entering the lock again costs no call; only the key and the namespace of the request matter then. If a thread
 *       shares the lock, or holds a permit, and wants the lock in another way, all four methods throw {@link
 *       IllegalStateException}: the thread would block until its wait ends.
 *   <li>If a thread enters the lock again after the lock was lost, in the same or another way, {@code lock()} and
 *       {@code lockInterruptibly()} throw {@link LockLostException}, and the two {@code tryLock} methods return {@code
 *       false}; the thread's count of holds stays. After such a {@code false}, the next {@code tryLock} acquires the
 *       lock anew and drops the lost holds. So a leader election that understands {@code false} as the loss of
 *       leadership can go on without {@code unlock()}.
 *   <li>{@code unlock()} throws {@link IllegalMonitorStateException} in a thread that does not hold the lock, and
 *       {@link LockLostException} if the lock was lost; the count of holds still goes down.
 *   <li>{@code newCondition()} throws {@link UnsupportedOperationException}.
 * </ul>
 */
public interface ThreadLock extends Lock {

    /**
     * Whether the calling thread has locked more often than unlocked, so that {@code unlock()} is due. {@link
     * #handle()} says whether the lock is still valid. Costs no call.
     */
    boolean isHeldByCurrentThread();

    /**
     * How many calls of {@code unlock()} by the calling thread are due; 0 if it does not hold the lock. Costs no call.
     */
    long holdCount();

    /**
     * The handle by which the calling thread holds the lock, with its fencing token, its validity and its limits; empty
     * if the thread does not hold it. If the handle is released or closed, all holds of the thread are over at once.
     * Costs no call.
     */
    Optional<LockHandle> handle();

    /** @throws UnsupportedOperationException always */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions.");
    }
}
