package io.dynamolock.store;

/**
 * The answer to a conditional write on a lock item: either way it tells the item's present state.
 *
 * <p>A write whose effect is already there, because an earlier sending of the same write took effect, counts as
 * applied.
 */
public sealed interface WriteResult {

    /** The item as it is now. */
    LockState state();

    /** The write took effect, now or when it was sent before. */
    record Applied(LockState state) implements WriteResult {}

    /** The condition did not hold; the write changed nothing. */
    record Refused(LockState state) implements WriteResult {}
}
