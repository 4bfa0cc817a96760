package io.dynamolock.internal.store.dynamodb;

import io.dynamolock.internal.store.StoreFailure.Unreadable;

/**
 * An item is of another format, or cannot have been written by DynamoLock as it is. There is no cause, because its
 * message would show text from the table that was not made safe.
 */
final class UnreadableItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Unreadable what;

    private UnreadableItemException(Unreadable what, String message) {
        super(message);
        this.what = what;
    }

    /**
     * The item cannot have been written by DynamoLock as it is.
     *
     * @param what names the item, and the attribute if it is known
     * @param why what is wrong, with text from the table made safe
     */
    static UnreadableItemException malformed(Unreadable.Item item, String what, String why) {
        return new UnreadableItemException(
                new Unreadable(item, Unreadable.Reason.MALFORMED),
                what + " is not as the locks write it (" + why + "); somebody has changed it: put it right, or "
                        + deletion(item));
    }

    /**
     * A version of DynamoLock that knows a later format has written the item.
     *
     * @param what names the item
     * @param format as the item says it, made safe
     * @param attribute where the item says it
     */
    static UnreadableItemException otherFormat(Unreadable.Item item, String what, String format, String attribute) {
        return new UnreadableItemException(
                new Unreadable(item, Unreadable.Reason.FORMAT),
                what + " has format " + format + " (its attribute \"" + attribute + "\"), which a later version of"
                        + " DynamoLock has written and this version does not know: upgrade this process, or switch"
                        + " the later format off there and wait until the lock is free; if no process of that version"
                        + " is left, " + deletion(item));
    }

    /** Says when it does no harm to delete the item. */
    private static String deletion(Unreadable.Item item) {
        return switch (item) {
            case LOCK -> "delete the item if nobody holds the lock";
            case SESSION -> "delete the item only if its process has stopped, because that frees the locks it holds";
        };
    }

    /** Which item it is, and why it cannot be read. */
    Unreadable what() {
        return what;
    }
}
