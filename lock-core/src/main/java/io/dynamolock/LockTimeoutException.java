package io.dynamolock;

import io.dynamolock.internal.engine.Holder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The wait was over before the lock was granted. The caller holds nothing and has left the queue. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    private static final String OWN =
            " This very thread has acquired it before and not released it yet: it may have waited for itself, unless another"
                    + " thread was to release it. Release it first, or enter the lock again by LockRegistry.lock(), which can"
                    + " adopt the handle.";

    private final String circumstances;
    private final Duration waited;
    private final long position;
    private final @Nullable String holder;
    private final @Nullable Instant heldSince;

    /** @param mayBeOwn whether the thread that waited has taken the lock itself, by a handle */
    LockTimeoutException(
            String key, String namespace, Duration waited, long ahead, @Nullable Holder holder, boolean mayBeOwn) {
        this(
                key,
                namespace,
                waited,
                position(ahead, holder),
                holder == null ? null : holder.owner(),
                holder == null ? null : holder.since(),
                heldBy(holder) + (mayBeOwn ? OWN : ""));
    }

    private LockTimeoutException(
            String key,
            String namespace,
            Duration waited,
            long position,
            @Nullable String holder,
            @Nullable Instant heldSince,
            String circumstances) {
        super(key, namespace, message(key, namespace, waited, position, circumstances), null);
        this.waited = waited;
        this.position = position;
        this.holder = holder;
        this.heldSince = heldSince;
        this.circumstances = circumstances;
    }

    /** The same of a caller that had waited for other locks before. */
    LockTimeoutException after(Duration waitedInAll) {
        return new LockTimeoutException(key(), namespace(), waitedInAll, position, holder, heldSince, circumstances);
    }

    /** The holder, if there is one, is counted among those ahead, but does not wait. */
    private static long position(long ahead, @Nullable Holder holder) {
        return holder == null ? ahead + 1 : Math.max(1, ahead);
    }

    private static String message(String key, String namespace, Duration waited, long position, String circumstances) {
        return "Did not get the " + LockNames.describe(key, namespace) + " after waiting "
                + waited.truncatedTo(ChronoUnit.MILLIS) + ": at position "
                + position + " of the queue in the end, " + circumstances;
    }

    private static String heldBy(@Nullable Holder holder) {
        if (holder == null) {
            return "holder unknown.";
        }
        return "held by " + (holder.owner() == null ? "a process of unknown name" : LockNames.quote(holder.owner()))
                + (holder.since() == null ? "." : " since " + holder.since() + " or longer.");
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }

    /**
     * The position among the callers that waited at the end, counted from 1, as far as this process knew; for a caller
     * that did not wait, the one it would have had.
     */
    public long position() {
        return position;
    }

    /**
     * The {@linkplain DynamoLocksBuilder#owner(String) name} of the process that held the lock when it was last seen;
     * empty if this process had not read it.
     */
    public Optional<String> holder() {
        return Optional.ofNullable(holder);
    }

    /**
     * Since when this process had seen that holder hold the lock, by its own wall clock; the holder may have had it for
     * longer. Empty if this process had not seen it more than once.
     */
    public Optional<Instant> heldSince() {
        return Optional.ofNullable(heldSince);
    }
}
