package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** Sessions of processes that have no engine: they stand in the table, and do nothing. */
final class Sessions {

    private Sessions() {}

    /** So many sessions begin, and send no heartbeat. */
    static List<SessionId> begun(int count, Duration lease, Bench bench) {
        List<SessionId> ids =
                LongStream.rangeClosed(1, count).mapToObj(SessionId::of).toList();
        ids.forEach(
                id -> bench.table.edit(id, new SessionEdit.Begin(lease, "ahead", bench.time.now()), bench.time.now()));
        return ids;
    }

    /** Each of these sessions gets an exclusive entry in the queue of this lock, which has no item yet. */
    static void queue(LockKey key, List<SessionId> sessions, Bench bench) {
        List<Entry> queue = sessions.stream()
                .<Entry>map(id -> new Entry.OfSession(id, 1, Mode.EXCLUSIVE, 1))
                .toList();
        Edit edit = new Edit(new TreeMap<>(), null, queue, queue.size(), 0, false, null, 0, 1);
        bench.table.edit(key, edit, bench.time.now());
    }
}
