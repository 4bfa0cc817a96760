package io.dynamolock;

import io.dynamolock.engine.Inspection;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts what the store reads into the words of users. */
final class Snapshots {

    private static final String UNKNOWN = "unknown";

    private Snapshots() {}

    static LockSnapshot of(LockKey key, Inspection inspection) {
        LockItem lock = inspection.lock();
        List<LockSnapshot.Waiter> queue = new ArrayList<>();
        int holders = lock.holders();
        for (int i = holders; i < lock.queue().size(); i++) {
            Entry entry = lock.queue().get(i);
            long last = lock.lastTicket(i);
            SessionItem session = inspection.sessions().get(entry.session());
            queue.add(new LockSnapshot.Waiter(
                    entry.block().toString(),
                    lock.callersBefore(i) - lock.callersBefore(holders) + 1L,
                    entry.callers(),
                    owner(session),
                    last - entry.callers() + 1,
                    last,
                    beatAt(session)));
        }
        List<LockSnapshot.Holder> all = new ArrayList<>();
        for (int i = 0; i < holders; i++) {
            all.add(holder(lock, i, inspection.sessions()));
        }
        return new LockSnapshot(
                key.key(),
                key.namespace(),
                all.stream().findFirst(),
                queue,
                all.subList(Math.min(1, all.size()), all.size()),
                lock.data());
    }

    private static LockSnapshot.Holder holder(LockItem lock, int index, Map<SessionId, SessionItem> sessions) {
        Entry entry = lock.queue().get(index);
        SessionItem session = sessions.get(entry.session());
        return new LockSnapshot.Holder(
                entry.block().toString(), owner(session), lock.lastTicket(index), beatAt(session));
    }

    private static String owner(@Nullable SessionItem session) {
        return session == null ? UNKNOWN : session.owner();
    }

    private static Optional<Instant> beatAt(@Nullable SessionItem session) {
        return Optional.ofNullable(session).map(SessionItem::beatAt);
    }
}
