package io.dynamolock.engine;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** What all parts of one engine share. */
final class EngineContext {

    final EngineSettings settings;
    final LockStore store;
    final EventLoop loop;
    final TimeSource time;
    final RandomGenerator random;
    final EngineListener listener;
    final Backoff backoff;
    final StoreCalls calls;
    final Undo undo;
    final Grants grants;

    EngineContext(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            EngineListener listener,
            Grants grants) {
        this.settings = settings;
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.random = random;
        this.listener = listener;
        this.grants = grants;
        this.backoff = new Backoff(random);
        this.calls = new StoreCalls(settings, loop, backoff, listener);
        this.undo = new Undo(store, calls, time);
    }

    /** A random UUID, from the injected randomness. */
    UUID newId() {
        long high = (random.nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
        long low = (random.nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    Claimant newClaimant(Session session) {
        return new Claimant(session.id(), new BlockId(newId()), settings.owner());
    }

    Duration since(long nanos) {
        return Duration.ofNanos(time.nanos() - nanos);
    }
}
