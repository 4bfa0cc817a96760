package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.time.Moment;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** A read of other processes' sessions. */
final class SentSessionRead extends SentCall {

    private final Set<SessionId> sessions;

    SentSessionRead(Collection<SessionId> sessions, Moment sentAt) {
        super(sentAt);
        this.sessions = Collections.unmodifiableSet(new LinkedHashSet<>(sessions));
    }

    /** In the order in which they are watched. */
    Set<SessionId> sessions() {
        return sessions;
    }
}
