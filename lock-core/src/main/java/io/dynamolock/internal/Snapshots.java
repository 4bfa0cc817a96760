package io.dynamolock.internal;

import io.dynamolock.LockSnapshot;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Puts what the store reads into the words of users. */
final class Snapshots {

    private static final String KEPT = "nobody: kept by a process that has stopped";

    private Snapshots() {}

    static LockSnapshot of(LockKey key, Inspection inspection) {
        LockItem lock = inspection.lock();
        List<LockSnapshot.Waiter> queue = new ArrayList<>();
        Entry first = lock.first();
        // Entries of one process that hold the lock alone hold it one after the other.
        int holders = first == null ? 0 : first.mode() == Mode.EXCLUSIVE ? 1 : lock.holders();
        for (int i = holders; i < lock.queue().size(); i++) {
            Entry entry = lock.queue().get(i);
            long last = lock.lastTicket(i);
            queue.add(new LockSnapshot.Waiter(
                    entry.id(),
                    lock.slotsBefore(i) - lock.slotsBefore(holders) + 1L,
                    entry.slots(),
                    owner(inspection, entry.session()),
                    last - entry.slots() + 1,
                    last,
                    beatAt(inspection, entry.session())));
        }
        List<LockSnapshot.Holder> all = IntStream.range(0, holders)
                .mapToObj(i -> holder(lock, i, inspection))
                .toList();
        return new LockSnapshot(
                key.key(),
                key.namespace(),
                all.stream().findFirst(),
                queue,
                all.stream().skip(1).toList(),
                lock.data());
    }

    private static LockSnapshot.Holder holder(LockItem lock, int index, Inspection inspection) {
        Entry entry = lock.queue().get(index);
        return new LockSnapshot.Holder(
                entry.id(),
                owner(inspection, entry.session()),
                lock.lastTicket(index),
                beatAt(inspection, entry.session()));
    }

    private static String owner(Inspection inspection, @Nullable SessionId id) {
        if (id == null) {
            return KEPT;
        }
        SessionItem session = inspection.sessions().get(id);
        if (session != null) {
            return session.owner();
        }
        return inspection.unreadable().contains(id) ? "unreadable" : "unknown";
    }

    private static Optional<Instant> beatAt(Inspection inspection, @Nullable SessionId id) {
        return Optional.ofNullable(id).map(inspection.sessions()::get).map(SessionItem::heartbeatAt);
    }
}
