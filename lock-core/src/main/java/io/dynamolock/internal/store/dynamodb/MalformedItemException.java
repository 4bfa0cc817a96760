package io.dynamolock.internal.store.dynamodb;

/** An item cannot have been written by DynamoLock as it is. */
final class MalformedItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * There is no cause, because its message would show text from the table that was not made safe.
     *
     * @param what names the item, and the attribute if it is known
     * @param why what is wrong, with text from the table made safe
     */
    MalformedItemException(String what, String why) {
        super(what + " is not as the locks write it (" + why + "); somebody has changed it, or a later version of"
                + " DynamoLock has written it: put it right, or delete the item, or use that version");
    }
}
