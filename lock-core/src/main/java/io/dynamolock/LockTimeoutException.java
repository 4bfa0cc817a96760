package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The wait was over before the lock was granted. The caller holds nothing and waits no longer. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final long position;
    private final @Nullable String holder;
    private final @Nullable Instant heldSince;

    /**
     * @param key what was to be locked
     * @param namespace the lock's namespace
     * @param message how long the caller waited for which lock, and who held it
     * @param waited how long the caller waited
     * @param position the caller's position in the queue when the wait ended, counted from 1
     * @param holder the name of the process that held the lock, if it is known
     * @param heldSince since when this process is known to hold the lock, if it is known
     */
    public LockTimeoutException(
            String key,
            String namespace,
            String message,
            Duration waited,
            long position,
            @Nullable String holder,
            @Nullable Instant heldSince) {
        super(key, namespace, message, null);
        this.waited = waited;
        this.position = position;
        this.holder = holder;
        this.heldSince = heldSince;
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }

    /**
     * The caller's position in the queue when the wait ended, counted from 1, as far as this process knew. For a caller
     * that did not wait, the position that it would have had.
     */
    public long position() {
        return position;
    }

    /**
     * The {@linkplain LockRegistryBuilder#owner(String) name} of the process that held the lock when it was last seen;
     * empty if this process had not read it.
     */
    public Optional<String> holder() {
        return Optional.ofNullable(holder);
    }

    /**
     * Since when this process has seen the holder hold the lock, by the store's clock if that is known. The holder may
     * have held it for longer. Empty if no holder is known.
     */
    public Optional<Instant> heldSince() {
        return Optional.ofNullable(heldSince);
    }
}
