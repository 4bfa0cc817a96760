package io.dynamolock.internal.protocol;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's answer to a conditional write. It contains the item whether the write was applied or refused.
 *
 * @param <I> the type of the item
 * @param item the item after the write
 * @param isApplied whether the condition held and the write took effect; {@code false} if nothing was changed
 * @param storeTime what the store's wall clock said when it answered; {@code null} if the answer does not tell
 */
public record Answer<I>(I item, boolean isApplied, @Nullable Instant storeTime) {

    /** An answer that does not tell the store's time. */
    public Answer(I item, boolean isApplied) {
        this(item, isApplied, null);
    }

    /** The same answer, which tells this time. */
    public Answer<I> at(@Nullable Instant storeTime) {
        return new Answer<>(item, isApplied, storeTime);
    }
}
