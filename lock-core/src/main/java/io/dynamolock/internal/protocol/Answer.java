package io.dynamolock.internal.protocol;

/**
 * The store's answer to a conditional write. It contains the item whether the write was applied or refused.
 *
 * @param <I> the type of the item
 * @param item the item after the write
 * @param isApplied whether the condition held and the write took effect; {@code false} if nothing was changed
 */
public record Answer<I>(I item, boolean isApplied) {}
