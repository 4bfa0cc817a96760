package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The wait was over before the item could be locked. The caller holds nothing. The cause, if there is one, is the SDK's
 * exception that says that a transaction held the item when it was tried last. The message also says if this process
 * has seen more locked items than it remembers, so that it cannot take them over without waiting.
 */
public final class ItemLockedException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    private static final String FORGETS =
            " This process remembers the " + Observations.MOST + " locked items that it asked"
                    + " for last, and is forgetting others: visiting more than that in turn without waiting takes none of them"
                    + " over. Wait for the lease at each, visit fewer in turn, or build the table with takeOverByWallClock.";

    private final @Nullable String holder;
    private final Duration remaining;
    private final Duration waited;

    /**
     * A caller holds the lock.
     *
     * @param forgets whether this process sees more locked items than it can remember
     */
    ItemLockedException(ItemId item, @Nullable String holder, Duration remaining, Duration waited, boolean forgets) {
        super(
                item,
                "Did not lock the " + item + " after waiting " + waited.truncatedTo(ChronoUnit.MILLIS)
                        + ": it is held by "
                        + (holder == null ? "a process of unknown name" : SafeText.quote(holder)) + ", for another "
                        + remaining.truncatedTo(ChronoUnit.MILLIS)
                        + " at most unless its holder extends it."
                        + (forgets ? FORGETS : ""),
                null);
        this.holder = holder;
        this.remaining = remaining;
        this.waited = waited;
    }

    /** A transaction was in the way. */
    ItemLockedException(ItemId item, Duration waited, Throwable conflict) {
        super(
                item,
                "Did not lock the " + item + " after waiting " + waited.truncatedTo(ChronoUnit.MILLIS)
                        + ": a transaction is writing it.",
                conflict);
        this.holder = null;
        this.remaining = Duration.ZERO;
        this.waited = waited;
    }

    /** The {@linkplain LockingTableBuilder#owner name} of the holder; empty if a transaction was in the way. */
    public Optional<String> holder() {
        return Optional.ofNullable(holder);
    }

    /**
     * After how long this process may take the lock over if its holder neither releases nor extends it. By observation
     * that is the whole lease when the lock was first seen. Zero if it may be taken over with the next try, or if a
     * transaction was in the way.
     */
    public Duration remaining() {
        return remaining;
    }

    /** How long the caller waited. */
    public Duration waited() {
        return waited;
    }
}
