package io.dynamolock.store.testing;

import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;

/** The calls of the store's port, each step a call of its own. */
public enum StoreOperation {
    ASK,
    GROW,
    LEAVE,
    RENAME,
    PUT,
    LOOK,
    LIST_LOCKS,
    BEGIN_SESSION,
    BEAT,
    BURY,
    END_SESSION,
    RAISE_DISPUTE,
    EVICT,
    READ_SESSIONS;

    public static StoreOperation of(Step step) {
        if (step instanceof Step.Ask) {
            return ASK;
        }
        if (step instanceof Step.Grow) {
            return GROW;
        }
        if (step instanceof Step.Put) {
            return PUT;
        }
        // What gives an entry or the lock another value is one kind.
        return step instanceof Step.Leave ? LEAVE : RENAME;
    }

    public static StoreOperation of(SessionStep step) {
        if (step instanceof SessionStep.Begin) {
            return BEGIN_SESSION;
        }
        if (step instanceof SessionStep.Beat) {
            return BEAT;
        }
        if (step instanceof SessionStep.Bury) {
            return BURY;
        }
        if (step instanceof SessionStep.Evict) {
            return EVICT;
        }
        return step instanceof SessionStep.End ? END_SESSION : RAISE_DISPUTE;
    }

    public boolean isRead() {
        return this == LOOK || this == LIST_LOCKS || this == READ_SESSIONS;
    }

    public boolean isWrite() {
        return !isRead();
    }

    /** Whether it is about a session, not a lock. */
    public boolean isOfSession() {
        return ordinal() >= BEGIN_SESSION.ordinal();
    }
}
