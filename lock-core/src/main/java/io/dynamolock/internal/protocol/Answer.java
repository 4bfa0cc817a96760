package io.dynamolock.internal.protocol;

/**
 * What became of a conditional write; either way it shows the item.
 *
 * @param <I> what the item is
 * @param item as it is now
 * @param isApplied whether the conditions held and the write took effect; else nothing was changed
 */
public record Answer<I>(I item, boolean isApplied) {}
