package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.time.Moment;

/**
 * The expiry of another process's session, on the condition that the session still shows the heartbeat that was seen.
 */
final class SentExpiry extends SentCall {

    private final SessionId session;
    private final SessionItem seen;

    SentExpiry(SessionId session, SessionItem seen, Moment sentAt) {
        super(sentAt);
        this.session = session;
        this.seen = seen;
    }

    SessionId session() {
        return session;
    }

    SessionItem seen() {
        return seen;
    }
}
