package io.dynamolock.store.testing;

/** The calls of the store's port. */
public enum StoreOperation {
    TRY_ACQUIRE,
    TAKE_NUMBERS,
    ENTER,
    LOOK,
    CLAIM,
    HAND_OVER,
    EXTEND,
    RENAME,
    RELEASE,
    DELETE_ROW,
    CREATE_SESSION,
    BEAT,
    READ_SESSION,
    BURY,
    END_SESSION,
    DISPUTE;

    public boolean isRead() {
        return this == LOOK || this == READ_SESSION;
    }

    public boolean isWrite() {
        return !isRead();
    }
}
