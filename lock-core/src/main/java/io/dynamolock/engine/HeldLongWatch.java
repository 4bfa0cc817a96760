package io.dynamolock.engine;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.DisputeResult;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Remembers since when the same block has been seen to hold a lock, and asks its process about it once a lease: a
 * write that landed late may have made it the holder without anyone knowing. What was seen outlives the attempt, so
 * that callers who never wait find out, too. Lives on the event loop.
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
    void seen(LockKey key, Holder holder) {
        Sighting sighting = sightings.get(key);
        if (sighting == null || !Objects.equals(sighting.block(), holder.block())) {
            sightings.put(key, new Sighting(holder.block(), context.time.nanos()));
        } else if (context.since(sighting.sinceNanos()).compareTo(context.settings.lease()) >= 0) {
            sightings.put(key, new Sighting(holder.block(), context.time.nanos()));
            dispute(new Dispute(key, holder.block()), holder.session());
        }
    }

    private void dispute(Dispute dispute, SessionId session) {
        context.calls.send(
                "dispute",
                () -> context.store.dispute(session, dispute),
                result -> {
                    if (result == DisputeResult.GONE) {
                        dead.accept(session);
                    }
                },
                failure -> {});
    }
}
