package io.dynamolock.internal.process;

import io.dynamolock.LockSnapshot;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A lock as the table has it, and the living sessions of the processes at the front of its queue.
 *
 * @param sessions the sessions that exist, read after the lock, among the first {@value
 *     io.dynamolock.internal.store.LockStore#MOST_SESSIONS} of the queue; may contain sessions of other locks as well
 * @param unreadable the ids of sessions that exist and cannot be read
 */
public record Inspection(LockItem lock, Map<SessionId, SessionItem> sessions, Set<SessionId> unreadable) {

    private static final String KEPT = "nobody: kept by a process that has stopped";

    /** The lock as users see it. */
    public LockSnapshot snapshot(LockKey key) {
        Entry first = lock.first();
        // If one process has several exclusive entries at the front, it passes the lock along them. Only the first
        // counts.
        int holders = first == null ? 0 : first.mode() == Mode.EXCLUSIVE ? 1 : lock.holders();
        List<LockSnapshot.Holder> holding =
                IntStream.range(0, holders).mapToObj(this::holder).toList();
        return new LockSnapshot(
                key.key(),
                key.namespace(),
                holding.stream().findFirst(),
                IntStream.range(holders, lock.queue().size())
                        .mapToObj(index -> waiter(index, holders))
                        .toList(),
                holding.stream().skip(1).toList(),
                lock.data());
    }

    private LockSnapshot.Holder holder(int index) {
        Entry entry = lock.queue().get(index);
        return new LockSnapshot.Holder(
                entry.id(), owner(entry.session()), lock.lastTicket(index), lastHeartbeat(entry.session()));
    }

    private LockSnapshot.Waiter waiter(int index, int holders) {
        Entry entry = lock.queue().get(index);
        long last = lock.lastTicket(index);
        return new LockSnapshot.Waiter(
                entry.id(),
                lock.slotsBefore(index) - lock.slotsBefore(holders) + 1L,
                entry.slots(),
                owner(entry.session()),
                last - entry.slots() + 1,
                last,
                lastHeartbeat(entry.session()));
    }

    private String owner(@Nullable SessionId id) {
        if (id == null) {
            return KEPT;
        }
        SessionItem session = sessions.get(id);
        if (session != null) {
            return session.owner();
        }
        return unreadable.contains(id) ? "unreadable" : "unknown";
    }

    private Optional<Instant> lastHeartbeat(@Nullable SessionId id) {
        return Optional.ofNullable(id).map(sessions::get).map(SessionItem::heartbeatAt);
    }
}
