package io.dynamolock.lockingread;

/**
 * There is no item with this key. The caller holds nothing. A table that was built with {@link
 * LockingTableBuilder#lockAbsentItems} never throws this.
 */
public final class ItemNotFoundException extends ItemLockException {

    private static final long serialVersionUID = 1L;

    ItemNotFoundException(ItemId item) {
        super(
                item,
                "There is no " + item + ". Correct the key; or call lockAbsentItems() on the builder of the locking"
                        + " table, so that an item that does not exist yet can be locked.");
    }
}
