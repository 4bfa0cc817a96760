package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

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

        Sighting(BlockId block) {
            this.block = block;
            askIn(context.settings.lease());
        }

        void askIn(Duration time) {
            askAt = context.time.nanos() + time.toNanos();
        }
    }

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
    /** Of blocks that are not first. */
    private final Map<Dispute, Sighting> further = new Latest<>();

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

    /** A block of another process that is not first is seen in the way of one of this process. */
    void inTheWay(LockKey key, Entry entry) {
        assert context.loop.isCurrent();
        Dispute dispute = new Dispute(key, entry.block());
        askIfDue(dispute, further.computeIfAbsent(dispute, absent -> new Sighting(entry.block())));
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
                    }
                },
                failure -> sighting.askIn(context.settings.heartbeat()));
    }
}
