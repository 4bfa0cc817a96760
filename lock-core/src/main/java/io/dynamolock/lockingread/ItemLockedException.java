package io.dynamolock.lockingread;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The wait was over before the item could be locked. The caller holds nothing. If a transaction was writing the item at
 * the last try, the SDK's exception for that is the cause. If this process has seen more locked items than it can
 * remember, and therefore cannot take over a lock without waiting, the message says so.
 */
public final class ItemLockedException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    private final @Nullable String holder;
    private final Duration remaining;
    private final Duration waited;

    /** @param holder name of the holder; {@code null} if a transaction was writing the item */
    ItemLockedException(ItemId item, @Nullable String holder, Duration remaining, Duration waited, String why) {
        super(
                item,
                "Did not lock the " + item + " after waiting " + waited.truncatedTo(ChronoUnit.MILLIS) + ": " + why);
        this.holder = holder;
        this.remaining = remaining;
        this.waited = waited;
    }

    /** The {@linkplain LockingTableBuilder#owner name} of the holder; empty if a transaction was writing the item. */
    public Optional<String> holder() {
        return Optional.ofNullable(holder);
    }

    /**
     * The time until this process may take over the lock, if its holder neither releases nor extends it. Zero if the
     * next try may take it over, or if a transaction was writing the item. Otherwise, it is at most the lease and a
     * twelfth more, counted from when this process first saw the lock. It is less if the lock states its end, and
     * DynamoDB's clock and this machine's agree on that.
     */
    public Duration remaining() {
        return remaining;
    }

    /** How long the caller has waited. */
    public Duration waited() {
        return waited;
    }
}
