package io.dynamolock.internal;

import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.util.Map;
import java.util.Set;

/**
 * A lock as the table has it, and the living sessions of those who stand at the front of its queue.
 *
 * @param sessions those of the first {@value io.dynamolock.internal.store.LockStore#MOST_SESSIONS} sessions that exist, read after the
 *     lock
 * @param unreadable those of them that exist and cannot be read
 */
public record Inspection(LockItem lock, Map<SessionId, SessionItem> sessions, Set<SessionId> unreadable) {

    public Inspection {
        sessions = Map.copyOf(sessions);
        unreadable = Set.copyOf(unreadable);
    }
}
