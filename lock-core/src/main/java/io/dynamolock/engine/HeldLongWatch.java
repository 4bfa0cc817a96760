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

    private record Sighting(BlockId block, long sinceNanos, long askedNanos) {}

    private final EngineContext context;
    private final Consumer<SessionId> dead;
    private final Map<LockKey, Sighting> sightings = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockKey, Sighting> eldest) {
            return size() > MAX_LOCKS;
        }
    };

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
        long now = context.time.nanos();
        Sighting sighting = sightings.get(key);
        if (sighting == null || !sighting.block().equals(first.block())) {
            sightings.put(key, new Sighting(first.block(), now, now));
            return Duration.ZERO;
        }
        if (context.since(sighting.askedNanos()).compareTo(context.settings.lease()) >= 0) {
            sightings.put(key, new Sighting(first.block(), sighting.sinceNanos(), now));
            dispute(new Dispute(key, first.block()));
        }
        return context.since(sighting.sinceNanos());
    }

    /** The question has not got through: it is put again after a heartbeat, not only after another lease. */
    private void askAgainSoon(Dispute dispute) {
        Duration done = context.settings.lease().minus(context.settings.heartbeat());
        sightings.computeIfPresent(
                dispute.key(),
                (key, sighting) -> sighting.block().equals(dispute.block())
                        ? new Sighting(sighting.block(), sighting.sinceNanos(), context.time.nanos() - done.toNanos())
                        : sighting);
    }

    private void dispute(Dispute dispute) {
        SessionId session = dispute.block().session();
        context.calls.send(
                Lane.BACKGROUND,
                "dispute",
                () -> context.store.take(session, new SessionStep.Raise(dispute), context.time.now()),
                answer -> {
                    // Refused with an item, it carries as many disputes as it may.
                    if (answer.item().isEmpty()) {
                        dead.accept(session);
                    } else if (!answer.isApplied()) {
                        askAgainSoon(dispute);
                    }
                },
                failure -> askAgainSoon(dispute));
    }
}
