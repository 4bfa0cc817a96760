package io.dynamolock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of all exceptions about locks. Nine subclasses say what went wrong. If a method that acquires a lock
 * throws one of these, <em>the lock is not held</em>, and the caller does not wait any longer:
 *
 * <ul>
 *   <li>{@link LockTimeoutException}: the wait is over. Methods that return an empty {@link java.util.Optional} or
 *       {@code false} do so instead.
 *   <li>{@link LockEvictedException}: an operator took the caller out of the queue.
 *   <li>{@link LockPausedException}: the registry is {@linkplain LockAdmin#pause paused}, and the caller does not wait.
 *   <li>{@link LockInterruptedException}: the thread was interrupted, before the call or during the wait. Not thrown by
 *       methods that return futures.
 *   <li>{@link LockStoreException}: DynamoDB refused, or could not be reached while the wait lasted.
 *   <li>{@link LockClosedException}: the registry was closed, before the call or during the wait.
 *   <li>{@link LockNotFoundException}: the request wants a lock that {@linkplain LockRequest#onlyIfExists() exists},
 *       and there is none.
 *   <li>{@link LockPermitsException}: the request wants a {@linkplain LockRequest#permits(int) permit}, and the lock
 *       has a different number of permits.
 *   <li>{@link LockLostException}: the lock was granted, and lost while the {@linkplain LockRequest#data data} of the
 *       request was written.
 * </ul>
 *
 * <p>A method of a {@link LockHandle} throws {@link LockLostException} if the handle does not hold the lock any more:
 * it was lost or released, and another caller may hold it. After {@link LockStoreException} and {@link
 * LockInterruptedException} from a handle, the lock <em>is still held</em>.
 */
public abstract sealed class LockException extends RuntimeException
        permits LockClosedException,
                LockEvictedException,
                LockInterruptedException,
                LockLostException,
                LockPermitsException,
                LockNotFoundException,
                LockPausedException,
                LockStoreException,
                LockTimeoutException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final String namespace;

    LockException(String key, String namespace, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.key = Objects.requireNonNull(key, "key");
        this.namespace = Objects.requireNonNull(namespace, "namespace");
    }

    /** The key of the lock; empty if it was about all locks. It may be personal data: take care where it is logged. */
    public String key() {
        return key;
    }

    /** The namespace of the lock; empty if it was about several locks. */
    public String namespace() {
        return namespace;
    }
}
