package io.dynamolock.lockingread;

/**
 * The caller no longer holds the item's lock. Either its lease was over and another caller took the lock, or a write
 * without the lock removed the lock's attributes or the whole item. The caller's own write is not in the item, unless
 * {@link #mayHaveWritten} says that this is unknown.
 */
public final class ItemLockLostException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    private final boolean mayHaveWritten;

    ItemLockLostException(ItemId item, boolean mayHaveWritten) {
        super(
                item,
                "The lock of the " + item + " was lost: its lease was over and it was taken over, or a write without"
                        + " the lock removed it. "
                        + (mayHaveWritten
                                ? "The write was sent more than once, and an earlier sending of it may have landed"
                                        + " before: read the item to find out."
                                : "Nothing was written. Lock and read the item again."));
        this.mayHaveWritten = mayHaveWritten;
    }

    /**
     * Whether the write may still have taken effect. If so, it was sent more than once because an answer was lost, and
     * the present item does not show whether an earlier sending arrived. Read the item to find out.
     */
    public boolean mayHaveWritten() {
        return mayHaveWritten;
    }
}
