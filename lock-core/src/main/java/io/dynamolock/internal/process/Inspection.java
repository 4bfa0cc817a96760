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
 * A lock as the table has it, and the living sessions of those who stand at the front of its queue.
 *
 * @param sessions those of the first {@value io.dynamolock.internal.store.LockStore#MOST_SESSIONS} sessions that exist, read after the
 *     lock, and perhaps those of other locks
 * @param unreadable those of them that exist and cannot be read
 */
public record Inspection(LockItem lock, Map<SessionId, SessionItem> sessions, Set<SessionId> unreadable) {

    private static final String KEPT = "nobody: kept by a process that has stopped";

    /** In the words of users. */
    public LockSnapshot snapshot(LockKey key) {
        Entry first = lock.first();
        // Entries of one process that hold the lock alone hold it one after the other.
        int holders = first == null ? 0 : first.mode() == Mode.EXCLUSIVE ? 1 : lock.holders();
        List<LockSnapshot.Holder> all =
                IntStream.range(0, holders).mapToObj(this::holder).toList();
        return new LockSnapshot(
                key.key(),
                key.namespace(),
                all.stream().findFirst(),
                IntStream.range(holders, lock.queue().size())
                        .mapToObj(index -> waiter(index, holders))
                        .toList(),
                all.stream().skip(1).toList(),
                lock.data());
    }

    private LockSnapshot.Holder holder(int index) {
        Entry entry = lock.queue().get(index);
        return new LockSnapshot.Holder(
                entry.id(), owner(entry.session()), lock.lastTicket(index), beatAt(entry.session()));
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
                beatAt(entry.session()));
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

    private Optional<Instant> beatAt(@Nullable SessionId id) {
        return Optional.ofNullable(id).map(sessions::get).map(SessionItem::heartbeatAt);
    }
}
