package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineListener;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.store.LockStore;
import java.time.Duration;
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

    EngineContext(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            EngineListener listener) {
        this.settings = settings;
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.random = random;
        this.listener = listener;
        this.backoff = new Backoff(random);
        this.calls = new StoreCalls(settings, loop, backoff, listener);
    }

    /** An id from the injected randomness, which must not repeat across processes. */
    SessionId newSessionId() {
        return SessionId.of(random.nextLong());
    }

    Duration since(long nanos) {
        return Duration.ofNanos(time.nanos() - nanos);
    }
}
