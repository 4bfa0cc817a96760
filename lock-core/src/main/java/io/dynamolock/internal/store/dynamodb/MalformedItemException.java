package io.dynamolock.internal.store.dynamodb;

/** An item of the locks is not as a step has left it. */
final class MalformedItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Has no cause, for its message would show what the table has as it is.
     *
     * @param what the item, and its attribute if that is known
     * @param why with what comes from the table made safe
     */
    MalformedItemException(String what, String why) {
        super(what + " is not as the locks write it (" + why + "); somebody has changed it, or a later version of"
                + " DynamoLock has written it: put it right, or delete the item, or use that version");
    }
}
