package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;

/**
 * A call to the store that was sent. It is known by its identity: two calls are never equal, however alike they are,
 * and every answer and every failure says of which call it is.
 */
abstract class SentCall {

    private final Moment sentAt;

    SentCall(Moment sentAt) {
        this.sentAt = sentAt;
    }

    final Moment sentAt() {
        return sentAt;
    }
}
