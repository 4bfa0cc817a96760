package io.dynamolock.spring.annotation;

/**
 * What happens when the lock is lost while a {@link DynamoLocked} method runs, for any reason that {@link
 * io.dynamolock.LockLostException} names. Another caller may hold the lock by then. If the lock is held until a
 * transaction ends, a loss before the commit rolls back the transaction, except with {@link #IGNORE}.
 *
 * <p>The caller gets an exception only if the loss is known when the call ends. If only the answer to the release shows
 * the loss, because somebody has deleted the lock's item, the callbacks of {@link io.dynamolock.LockHandle#onLost},
 * {@link io.dynamolock.LockEvent.Lost} and a warning in the log report it, even if the call {@linkplain
 * DynamoLocked#awaitRelease() awaits its release}.
 */
public enum OnLost {

    /** Not set: the value in the annotation of the class is used, or otherwise {@link #THROW}. */
    DEFAULT,

    /**
     * The method runs to its end. If the method returns, the caller gets a {@link io.dynamolock.LockLostException}
     * instead of the result. If the method throws, the caller gets the exception of the method, to which the {@link
     * io.dynamolock.LockLostException} is added as a suppressed exception.
     *
     * <p>A future, a stream or a suspending function fails with the {@link io.dynamolock.LockLostException} as soon as
     * the lock is lost, and its work is cancelled.
     */
    THROW,

    /**
     * The thread that runs the method is interrupted as soon as the lock is lost, never after the method has ended.
     * When the method has ended, the caller gets a {@link io.dynamolock.LockLostException}, whether the method has
     * returned or thrown. An exception of the method is added as a suppressed exception. The interrupt flag is cleared
     * if the loss has set it.
     *
     * <p>Futures, streams and suspending functions fail as with {@link #THROW}. Their thread is interrupted only until
     * the method has returned.
     */
    INTERRUPT,

    /** The method runs to its end, and the caller gets the result. For work that may safely overlap. */
    IGNORE
}
