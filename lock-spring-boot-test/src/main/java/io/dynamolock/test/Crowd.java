package io.dynamolock.test;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A process that takes every free place in a lock's queue, and nothing but lives. An engine would not do so: it leaves half of
 * the places to other processes.
 */
final class Crowd {

    private final LockKey key;
    private final EngineSettings settings;
    private final InMemoryLockStore store;
    private final MovableTime time;
    private final EventLoop loop;
    private final SessionId session = SessionId.of(new SecureRandom().nextLong());
    private EventLoop.Timer nextBeat = () -> {};
    private long beats;
    private boolean over;

    private Crowd(LockKey key, EngineSettings settings, InMemoryLockStore store, MovableTime time) {
        this.key = key;
        this.settings = settings;
        this.store = store;
        this.time = time;
        this.loop = new MovableLoop(time);
    }

    static Situation in(LockKey key, EngineSettings settings, InMemoryLockStore store, MovableTime time) {
        Crowd crowd = new Crowd(key, settings, store, time);
        crowd.gather();
        return new Situation(crowd::leave);
    }

    private void gather() {
        Instant now = time.now();
        store.take(session, new SessionStep.Begin(settings.lease(), OtherProcess.NAME, now), now);
        loop.execute(this::beatLater);
        long base = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        for (int number = 1; number <= settings.maxQueue(); number++) {
            // Refused when the queue is full.
            Entry entry = new Entry(new Entry(session, number), 1);
            store.take(key, new Step.Ask(entry, base, settings.maxQueue()), now);
        }
        time.awaitQuiet();
    }

    private void beatLater() {
        if (!over) {
            nextBeat = loop.schedule(this::beat, settings.heartbeat());
        }
    }

    private void beat() {
        Instant now = time.now();
        store.session(session).ifPresent(item -> {
            store.take(session, new SessionStep.Beat(++beats, item.disputes(), now), now);
            beatLater();
        });
    }

    /** The last first, so that none of them gets the lock meanwhile. */
    private void leave() {
        loop.execute(() -> {
            over = true;
            nextBeat.cancel();
        });
        time.awaitQuiet();
        LockItem item = store.lock(key);
        for (int last = lastPlace(item); last >= 0; last = lastPlace(item)) {
            // Refused if it has moved up meanwhile.
            store.take(key, Step.Leave.of(last, item.queue().get(last)), time.now());
            item = store.lock(key);
        }
        store.take(session, new SessionStep.End(), time.now());
        loop.shutdown();
    }

    private int lastPlace(LockItem item) {
        int place = item.queue().size() - 1;
        while (place >= 0 && !item.queue().get(place).session().equals(session)) {
            place--;
        }
        return place;
    }
}
