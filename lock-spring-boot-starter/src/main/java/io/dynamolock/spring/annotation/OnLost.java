package io.dynamolock.spring.annotation;

/**
 * What happens when the lock is lost while a {@link DynamoLocked} method runs, for any reason that
 * {@link io.dynamolock.LockLostException} names. Another caller may hold the lock by then.
 * Where the lock is held until a transaction ends, a loss before the commit rolls that back, but for {@link #IGNORE}.
 */
public enum OnLost {

    /** Not set here: what the annotation of the class says, or else {@link #THROW}. */
    DEFAULT,

    /**
     * The method runs to its end. If it returns, the caller gets a {@link io.dynamolock.LockLostException} instead of
     * the result; if it throws, the caller gets that exception, with the loss as a suppressed one.
     *
     * <p>A future, a stream or a suspending function fails with the {@link io.dynamolock.LockLostException} as soon as
     * the lock is lost, and what is under way is cancelled.
     */
    THROW,

    /**
     * The thread is interrupted as soon as the lock is lost, never after the method has ended. Then the caller gets a
     * {@link io.dynamolock.LockLostException}, whatever the method made of the interrupt; what it threw is a suppressed
     * exception of it. The interrupt flag that was set for this purpose is cleared.
     *
     * <p>Futures, streams and suspending functions as with {@link #THROW}, but the thread is interrupted while the
     * method has not returned its future yet.
     */
    INTERRUPT,

    /** The method runs to its end, and its result is the caller's. For work that may safely overlap. */
    IGNORE
}
