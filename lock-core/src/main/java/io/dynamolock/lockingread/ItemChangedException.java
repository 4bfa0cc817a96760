package io.dynamolock.lockingread;

import java.util.Set;

/**
 * After the item was read, a program without the lock wrote an attribute that {@code updateAndRelease} was to change.
 * The call wrote nothing, and the lock is still held: release it, then lock and read the item again.
 */
public final class ItemChangedException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    private final Set<String> attributes;

    ItemChangedException(ItemId item, Set<String> attributes) {
        super(
                item,
                "The " + item + " was written without its lock since it was read: "
                        + (attributes.isEmpty()
                                ? "a condition of the table's extensions is not met, for example because the version"
                                        + " of the object handed in is not the version that was read"
                                : "other values in " + attributes)
                        + ". Nothing was written; the lock is still held. Release it, and lock and read the item"
                        + " again.");
        this.attributes = Set.copyOf(attributes);
    }

    /**
     * The attributes that were to be changed and do not have the values that were read; empty if only a condition of
     * the table's extensions failed.
     */
    public Set<String> attributes() {
        return attributes;
    }
}
