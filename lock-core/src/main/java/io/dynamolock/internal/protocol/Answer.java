package io.dynamolock.internal.protocol;

/**
 * What became of a conditional write; either way it shows the item.
 *
 * @param <I> what the item is
 */
public sealed interface Answer<I> {

    /** The item as it is now. */
    I item();

    /** The conditions held, the write took effect. */
    record Applied<I>(I item) implements Answer<I> {}

    /** A condition did not hold, nothing was changed. */
    record Refused<I>(I item) implements Answer<I> {}

    default boolean isApplied() {
        return this instanceof Applied;
    }
}
