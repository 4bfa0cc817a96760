package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;

/** A read of a lock's item. */
final class SentRead extends SentCall {

    private final boolean isConsistent;

    SentRead(boolean isConsistent, Moment sentAt) {
        super(sentAt);
        this.isConsistent = isConsistent;
    }

    boolean isConsistent() {
        return isConsistent;
    }
}
