package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.ThreadLock;

/** A lock whose holds a framework can hand from one thread to another. Each registry of this library has such locks. */
public interface AdoptableLock extends ThreadLock {

    /**
     * From now on the calling thread holds the lock once, by this handle: it enters it again without asking, and its last
     * {@code unlock()} releases the handle. For a handle that came by {@link LockRegistry#acquire(LockRequest)} or
     * {@link LockRegistry#acquireAsync}, perhaps in another thread. Several threads may adopt one handle, and are inside together
     * then: that is theirs to want, and the first last {@code unlock()} ends it for all. Costs no call.
     *
     * @throws IllegalArgumentException if the handle is on another lock, or from another registry
     * @throws IllegalStateException if the thread holds this lock already, or another thread has locked it itself, by this
     *     handle, and neither unlocked nor {@linkplain #disown() disowned} it; nothing is changed
     * @throws LockLostException if the handle was released. A handle that is lost is adopted, and each entering by it is told of
     *     the loss
     */
    void adopt(LockHandle handle);

    /**
     * As {@link #unlock()}, but the last one releases nothing: the thread does not hold the lock any more, and its handle stays
     * as it is, for another thread to {@link #adopt}, or to be closed by itself. Costs no call.
     *
     * @throws IllegalMonitorStateException if the calling thread does not hold the lock
     */
    void disown();
}
