package io.dynamolock.simulation;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.util.Set;

/** A call as its process has sent it. */
public sealed interface Sent {

    record Take(LockKey key, Step step) implements Sent {}

    record Look(LockKey key, boolean consistent) implements Sent {}

    record OfSession(SessionId id, SessionStep step) implements Sent {}

    record Read(Set<SessionId> ids) implements Sent {

        public Read {
            ids = Set.copyOf(ids);
        }
    }
}
