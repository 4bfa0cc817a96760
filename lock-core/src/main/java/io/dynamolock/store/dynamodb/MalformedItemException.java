package io.dynamolock.store.dynamodb;

import org.jspecify.annotations.Nullable;

/** An item of the locks is not as a step has left it. */
final class MalformedItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param what the item, and its attribute if that is known */
    MalformedItemException(String what, String why, @Nullable Throwable cause) {
        super(
                what + " is not as the locks write it (" + why + "); somebody has changed it, or a later version of"
                        + " DynamoLock has written it: put it right, or delete the item, or use that version",
                cause);
    }
}
