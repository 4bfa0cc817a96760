package io.dynamolock;

import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * One lock of a registry as a {@link Lock} that is reentrant per thread: only the first {@code lock} of a thread and its last
 * {@code unlock} cost a write. All views of one key and namespace from one registry are the same lock. Those that hold it in the
 * same way, alone, as a reader, as a writer or by one of as many permits, equal each other. No call is made, and nothing kept, until the
 * view is locked. Thread-safe.
 *
 * <ul>
 *   <li>{@code lock()} and {@code lockInterruptibly()} wait as long as the {@link LockRequest} says. If it says nothing,
 *       {@code lock()} waits for ever, as a {@link Lock} does, and {@code lockInterruptibly()} as long as
 *       {@linkplain LockRegistryBuilder#wait(java.time.Duration) requests of the registry} do. They throw
 *       {@link LockTimeoutException} when that is over. {@code lock()} is not interrupted;
 *       {@code lockInterruptibly()} and {@code tryLock(time, unit)} are, before and during the wait.
 *   <li>{@code tryLock()} does not wait for others and is not interrupted; {@code tryLock(time, unit)} waits that long.
 *   <li>An interrupt while the {@linkplain LockRequest#data data} of the request is written ends all four with
 *       {@link LockInterruptedException}, also the two that are not interrupted otherwise; the thread does not hold the lock then.
 *   <li>All four throw {@link LockEvictedException}, {@link LockPausedException}, {@link LockStoreException}, {@link LockClosedException},
 *       {@link LockNotFoundException} and {@link LockPermitsException} as {@link LockRegistry#acquire(LockRequest)} does; the
 *       thread does not hold the lock then, or not once more.
 *   <li>Entered again, the lock costs no call, and what the request says beside its key and namespace means nothing. A
 *       thread that shares the lock, or holds a permit, and wants it in another way would wait for itself: all four throw
 *       {@link IllegalStateException} then.
 *   <li>Entered again after the lock was lost, {@code lock()} and {@code lockInterruptibly()} throw {@link LockLostException},
 *       and the two {@code tryLock} return {@code false}; the thread's count of holds stays. After that {@code false}, the next
 *       {@code tryLock} acquires the lock anew and drops the lost holds, so that a leader election that takes {@code false} for
 *       the loss of leadership can go on without {@code unlock()}.
 *   <li>{@code unlock()} throws {@link IllegalMonitorStateException} in a thread that does not hold the lock, and
 *       {@link LockLostException} if the lock was lost; that hold counts as undone.
 *   <li>{@code newCondition()} throws {@link UnsupportedOperationException}.
 * </ul>
 */
public interface ThreadLock extends Lock {

    /**
     * Whether the calling thread has locked it more often than unlocked it, so that {@code unlock()} is due. Whether the lock
     * is still valid, the {@link #handle()} says. Costs no call.
     */
    boolean isHeldByCurrentThread();

    /** How many {@code unlock()} of the calling thread are due; 0 if it does not hold the lock. Costs no call. */
    long holdCount();

    /**
     * The handle by which the calling thread holds the lock, with its fencing token, its validity and its limits; empty if the
     * thread does not hold it. If the handle is released or closed, all holds of the thread are over at once. Costs no call.
     */
    Optional<LockHandle> handle();

    /** @throws UnsupportedOperationException always */
    @Override
    default Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions.");
    }
}
