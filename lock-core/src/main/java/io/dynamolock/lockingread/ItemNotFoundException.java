package io.dynamolock.lockingread;

/**
 * There is no item of this key, and the table was built to refuse that, as it is by default. The caller holds nothing.
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
