package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;

/**
 * A lock with holds that a framework can hand from one thread to another. Every lock of a registry of this library is
 * one.
 */
public interface AdoptableLock extends ThreadLock {

    /**
     * Gives the calling thread a hold on the lock, by this handle: the thread enters the lock again without a call, and
     * its last {@code unlock()} releases the handle. For a handle from {@link LockRegistry#acquire(LockRequest)} or
     * {@link LockRegistry#acquireAsync}, perhaps acquired by another thread. Several threads may adopt one handle, and
     * hold the lock together then. The handle is released, for all of them, when the first of these threads has
     * unlocked as often as it has locked. Costs no call.
     *
     * @throws IllegalArgumentException if the handle is on another lock, or from another registry
     * @throws IllegalStateException if the thread holds this lock already; or if another thread got this handle by
     *     locking, and has neither unlocked nor {@linkplain #disown() disowned} the lock. Nothing is changed
     * @throws LockLostException if the handle was released. A handle that was lost is adopted, and each attempt to
     *     enter again tells of the loss
     */
    void adopt(LockHandle handle);

    /**
     * As {@link #unlock()}, but does not release the handle: after the last call the thread does not hold the lock any
     * more, and another thread can {@link #adopt} the handle, or close it. Costs no call.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     */
    void disown();
}
