package io.dynamolock.simulation;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.WaiterRow;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers of everything in the table which write brought it there, to tell what may be left at the end: only what
 * landed after its client had given up on it and after it had been taken back, or what the killed left.
 */
final class Traces {

    private record RowId(LockKey key, long first, BlockId block) {}

    private record Origin(String process, boolean late, boolean takenBack) {}

    /** A process that has more sessions to end than this forgets the oldest. */
    private static final int MOST_SESSIONS_TO_END = 64;

    private final VirtualTime time;
    private final Map<RowId, Origin> rows = new HashMap<>();
    private final Map<RowId, Long> entered = new HashMap<>();
    private final Set<RowId> deleted = new HashSet<>();
    private final Map<BlockId, Origin> holders = new HashMap<>();
    private final Set<BlockId> released = new HashSet<>();
    private final Map<SessionId, Origin> sessions = new HashMap<>();
    private final Map<String, Integer> sessionsOf = new HashMap<>();
    private final Set<SessionId> ended = new HashSet<>();
    /** Processes that left without being able to clean up. */
    private final Set<String> goneInAHurry = new HashSet<>();

    Traces(VirtualTime time) {
        this.time = time;
    }

    void goneInAHurry(String process) {
        goneInAHurry.add(process);
    }

    void rowLands(StoreCall call, LockKey key, WaiterRow row, boolean isNew) {
        if (isNew) {
            RowId id = new RowId(key, row.first(), row.claimant().block());
            rows.put(id, new Origin(call.process(), call.isLate(), deleted.contains(id)));
            entered.put(id, time.nanos());
        }
    }

    void deletionLands(LockKey key, long first, BlockId block) {
        deleted.add(new RowId(key, first, block));
    }

    /** Since when the row has been in the table. */
    long enteredAt(LockKey key, WaiterRow row) {
        return entered.getOrDefault(new RowId(key, row.first(), row.claimant().block()), 0L);
    }

    void becomesHolder(StoreCall call, LockKey key, Holder holder) {
        holders.put(holder.block(), new Origin(call.process(), call.isLate(), released.contains(holder.block())));
    }

    /** A try was refused, or another block was made the holder in its place: its client knows that it holds nothing. */
    void isNoHolder(BlockId block) {
        released.add(block);
    }

    void releaseLands(BlockId block) {
        released.add(block);
    }

    void creationSent(StoreCall call) {
        sessionsOf.merge(call.process(), 1, Integer::sum);
    }

    void creationLands(StoreCall call, SessionId id) {
        sessions.put(id, new Origin(call.process(), call.isLate(), ended.contains(id)));
    }

    void endingLands(SessionId id) {
        ended.add(id);
    }

    /** Which process the session belongs to. */
    String owner(SessionId id) {
        Origin origin = sessions.get(id);
        return origin == null ? "nobody" : origin.process();
    }

    boolean mayBeLeft(LockKey key, WaiterRow row) {
        return isExcused(rows.get(new RowId(key, row.first(), row.claimant().block())));
    }

    boolean mayBeLeft(Holder holder) {
        return isExcused(holders.get(holder.block()));
    }

    boolean mayBeLeft(SessionId id) {
        Origin origin = sessions.get(id);
        return isExcused(origin)
                || origin != null && sessionsOf.getOrDefault(origin.process(), 0) > MOST_SESSIONS_TO_END;
    }

    private boolean isExcused(@Nullable Origin origin) {
        return origin != null && (origin.late() && origin.takenBack() || goneInAHurry.contains(origin.process()));
    }
}
