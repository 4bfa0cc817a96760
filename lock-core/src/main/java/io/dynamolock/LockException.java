package io.dynamolock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The parent of everything that can go wrong with one lock. The class of an exception tells, together with the method that
 * threw it, whether the lock is still held.
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

    /** The key of the lock; empty if it was about all locks. It may be personal data: mind where it is logged. */
    public String key() {
        return key;
    }

    /** The namespace of the lock; empty if it was about several locks. */
    public String namespace() {
        return namespace;
    }
}
