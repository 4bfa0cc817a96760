package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Remembers since when the same block has been seen first in a lock's queue, and asks its process about it once a lease:
 * a write that landed late may have put it there without anyone knowing. What was seen outlives the attempt, so that
 * callers who never wait find out, too. Lives on the event loop.
 */
final class HeldLongWatch {

    private static final int MAX_LOCKS = 4096;

    /** When a block was first seen, and when its process is to be asked. */
    private final class Sighting {

        private final BlockId block;
        private final long since = context.time.nanos();
        private long askAt;
        private boolean gotThrough;

        Sighting(BlockId block) {
            this.block = block;
            askIn(context.settings.lease());
        }

        void askIn(Duration time) {
            askAt = context.time.nanos() + time.toNanos();
        }
    }

    private record Way(LockKey key, Kind kind) {}

    /** Forgets what was not seen for longest. */
    private static final class Latest<K> extends LinkedHashMap<K, Sighting> {

        private static final long serialVersionUID = 1L;

        Latest() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Sighting> eldest) {
            return size() > MAX_LOCKS;
        }
    }

    private final EngineContext context;
    private final Consumer<SessionId> dead;
    private final Map<LockKey, Sighting> sightings = new Latest<>();
    /** Of blocks that are not first, one of each lock and kind. */
    private final Map<Way, Sighting> further = new Latest<>();

    HeldLongWatch(EngineContext context, Consumer<SessionId> dead) {
        this.context = context;
        this.dead = dead;
    }

    /**
     * The lock was seen held by another process.
     *
     * @return how long it has been seen there, also by attempts that are over
     */
    Duration seen(LockKey key, Entry first) {
        assert context.loop.isCurrent();
        Sighting sighting = sightings.get(key);
        if (sighting == null || !sighting.block.equals(first.block())) {
            sighting = new Sighting(first.block());
            sightings.put(key, sighting);
        }
        askIfDue(new Dispute(key, first.block()), sighting);
        return context.since(sighting.since);
    }

    /**
     * Blocks of other processes that are not first are seen in the way of one of this process. The processes are asked in
     * turn, and each about one block: it then looks at all that are its own.
     *
     * @param kind how this process wants the lock
     */
    void inTheWay(LockKey key, Kind kind, List<Entry> entries) {
        assert context.loop.isCurrent();
        Way way = new Way(key, kind);
        Sighting turn = further.get(way);
        BlockId next = next(turn, entries);
        if (next == null) {
            return;
        }
        if (turn == null || !turn.block.session().equals(next.session())) {
            turn = new Sighting(next);
            further.put(way, turn);
        }
        askIfDue(new Dispute(key, next), turn);
    }

    /** A block of the process whose turn it is, until none is left or the question has got through. */
    private static @Nullable BlockId next(@Nullable Sighting turn, List<Entry> entries) {
        Map<SessionId, BlockId> blocks = new LinkedHashMap<>();
        entries.forEach(entry -> blocks.putIfAbsent(entry.session(), entry.block()));
        List<SessionId> sessions = List.copyOf(blocks.keySet());
        int last = turn == null ? -1 : sessions.indexOf(turn.block.session());
        if (last < 0 || turn == null) {
            return sessions.isEmpty() ? null : blocks.get(sessions.get(0));
        }
        return blocks.get(sessions.get(turn.gotThrough ? (last + 1) % sessions.size() : last));
    }

    private void askIfDue(Dispute dispute, Sighting sighting) {
        if (context.time.nanos() - sighting.askAt >= 0) {
            sighting.askIn(context.settings.lease());
            ask(dispute, sighting);
        }
    }

    /** A question that has not got through is put again after a heartbeat, not only after another lease. */
    private void ask(Dispute dispute, Sighting sighting) {
        SessionId session = dispute.block().session();
        SessionStep raise = new SessionStep.Raise(dispute);
        context.calls.send(
                StoreCall.of(Lane.BACKGROUND, "dispute", () -> context.store.take(session, raise, context.time.now())),
                answer -> {
                    // Refused with an item, it carries as many disputes as it may.
                    if (answer.item().isEmpty()) {
                        dead.accept(session);
                    } else if (!answer.isApplied()) {
                        sighting.askIn(context.settings.heartbeat());
                    } else {
                        sighting.gotThrough = true;
                    }
                },
                failure -> sighting.askIn(context.settings.heartbeat()));
    }
}
