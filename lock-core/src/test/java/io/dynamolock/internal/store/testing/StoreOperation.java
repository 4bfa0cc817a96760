package io.dynamolock.internal.store.testing;

import io.dynamolock.internal.protocol.SessionEdit;

/** The calls of the store's port, each edit of a session a call of its own. */
public enum StoreOperation {
    EDIT,
    READ,
    LIST_LOCKS,
    BEGIN_SESSION,
    HEARTBEAT,
    EXPIRE_SESSION,
    END_SESSION,
    NOTIFY,
    READ_SESSIONS;

    public static StoreOperation of(SessionEdit edit) {
        if (edit instanceof SessionEdit.Begin) {
            return BEGIN_SESSION;
        }
        if (edit instanceof SessionEdit.Heartbeat) {
            return HEARTBEAT;
        }
        if (edit instanceof SessionEdit.Expire) {
            return EXPIRE_SESSION;
        }
        return edit instanceof SessionEdit.End ? END_SESSION : NOTIFY;
    }
}
