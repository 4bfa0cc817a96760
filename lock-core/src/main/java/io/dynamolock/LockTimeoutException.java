package io.dynamolock;

import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.text.SafeText;
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

    private final Duration waited;
    private final long ahead;
    private final @Nullable Holder lastHolder;
    private final boolean mayBeOwn;

    /** @param mayBeOwn whether the thread that waited has taken the lock itself, by a handle */
    LockTimeoutException(LockKey lock, Duration waited, long ahead, @Nullable Holder lastHolder, boolean mayBeOwn) {
        super(
                lock,
                "Did not get the " + LockNames.describe(lock) + " after waiting "
                        + waited.truncatedTo(ChronoUnit.MILLIS) + ": at position " + position(ahead, lastHolder)
                        + " of the queue in the end, " + heldBy(lastHolder) + (mayBeOwn ? OWN : ""),
                null);
        this.waited = waited;
        this.ahead = ahead;
        this.lastHolder = lastHolder;
        this.mayBeOwn = mayBeOwn;
    }

    /** The same of a caller that had waited for other locks before. */
    LockTimeoutException after(Duration waitedInAll) {
        return new LockTimeoutException(new LockKey(key(), namespace()), waitedInAll, ahead, lastHolder, mayBeOwn);
    }

    /** The holder, if there is one, is counted among those ahead, but does not wait. */
    private static long position(long ahead, @Nullable Holder holder) {
        return holder == null ? ahead + 1 : Math.max(1, ahead);
    }

    private static String heldBy(@Nullable Holder holder) {
        if (holder == null) {
            return "holder unknown.";
        }
        return "held by " + (holder.owner() == null ? "a process of unknown name" : SafeText.quote(holder.owner()))
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
        return position(ahead, lastHolder);
    }

    /**
     * The {@linkplain DynamoLocksBuilder#owner(String) name} of the process that held the lock when it was last seen;
     * empty if this process had not read it.
     */
    public Optional<String> holder() {
        return Optional.ofNullable(lastHolder).map(Holder::owner);
    }

    /**
     * Since when this process had seen that holder hold the lock, by its own wall clock; the holder may have had it for
     * longer. Empty if this process had not seen it more than once.
     */
    public Optional<Instant> heldSince() {
        return Optional.ofNullable(lastHolder).map(Holder::since);
    }
}
