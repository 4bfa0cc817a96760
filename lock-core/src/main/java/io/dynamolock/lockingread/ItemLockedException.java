package io.dynamolock.lockingread;

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

    private final @Nullable String holder;
    private final Duration remaining;
    private final Duration waited;

    /** @param holder null if a transaction was in the way */
    ItemLockedException(ItemId item, @Nullable String holder, Duration remaining, Duration waited, String why) {
        super(
                item,
                "Did not lock the " + item + " after waiting " + waited.truncatedTo(ChronoUnit.MILLIS) + ": " + why);
        this.holder = holder;
        this.remaining = remaining;
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
