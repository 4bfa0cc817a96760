package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;

/**
 * A call to the store that was sent. No two calls are equal, even with the same content, and every answer and every
 * failure names the call that it belongs to.
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
