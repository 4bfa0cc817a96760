package io.dynamolock.internal.process;

import io.dynamolock.LockSnapshot;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
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
 * @param tokens the fencing tokens of this process's callers that hold the lock, by the entry that is shown as their
 *     holder
 */
public record Inspection(
        LockItem lock, Map<SessionId, SessionItem> sessions, Set<SessionId> unreadable, Map<Entry, List<Long>> tokens) {

    /** The least fencing token that there is. */
    private static final long LEAST = 1;

    private static final String KEPT = "nobody: kept by a process that has stopped";

    /**
     * The fencing tokens of these grants, by the entry that is shown as their holder: the first entry if the grant is
     * by another exclusive entry of its turn.
     */
    static Map<Entry, List<Long>> tokens(LockItem lock, List<Grant> own) {
        Map<Entry, List<Long>> tokens = new HashMap<>();
        for (Grant grant : own) {
            Entry first = lock.first();
            boolean isTurn = first != null && first.mode() == Mode.EXCLUSIVE && first.isCompatibleWith(grant.entry());
            tokens.computeIfAbsent(isTurn ? first : grant.entry(), entry -> new ArrayList<>())
                    .add(grant.ticket());
        }
        return tokens;
    }

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
        List<Long> known = tokens.getOrDefault(entry, List.of());
        // The holder keeps the token of its grant, but writes without an append raise what the item shows.
        long least = known.isEmpty() ? LEAST : Collections.min(known);
        long greatest = known.isEmpty() ? lock.lastTicket(index) : Collections.max(known);
        return new LockSnapshot.Holder(
                entry.id(), owner(entry.session()), least, greatest, lastHeartbeat(entry.session()));
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
