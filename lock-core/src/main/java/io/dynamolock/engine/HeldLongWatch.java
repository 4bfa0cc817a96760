package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.protocol.SessionStep;
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

    private record Sighting(BlockId block, long sinceNanos) {}

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

    /** The lock was seen held by another process. */
    void seen(LockKey key, Entry first) {
        assert context.loop.isCurrent();
        Sighting sighting = sightings.get(key);
        if (sighting == null || !sighting.block().equals(first.block())) {
            sightings.put(key, new Sighting(first.block(), context.time.nanos()));
        } else if (context.since(sighting.sinceNanos()).compareTo(context.settings.lease()) >= 0) {
            sightings.put(key, new Sighting(first.block(), context.time.nanos()));
            dispute(new Dispute(key, first.block()));
        }
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
                    }
                },
                failure -> {});
    }
}
