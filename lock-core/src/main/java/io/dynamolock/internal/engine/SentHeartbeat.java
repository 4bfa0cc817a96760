package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.ClockReading;

/** A heartbeat of the own session. */
final class SentHeartbeat extends SentCall {

    private final SessionId session;
    private final SessionEdit.Heartbeat edit;
    private final ClockReading sent;

    SentHeartbeat(SessionId session, SessionEdit.Heartbeat edit, ClockReading sent) {
        super(sent.moment());
        this.session = session;
        this.edit = edit;
        this.sent = sent;
    }

    SessionId session() {
        return session;
    }

    SessionEdit.Heartbeat edit() {
        return edit;
    }

    /** What both clocks said when the heartbeat was sent. */
    ClockReading sent() {
        return sent;
    }
}
