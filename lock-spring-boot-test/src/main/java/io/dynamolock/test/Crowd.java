package io.dynamolock.test;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/**
 * A process that fills a lock's queue, and nothing but lives. An engine would not do so: it leaves half of the queue to
 * other processes.
 */
final class Crowd {

    private final LockKey key;
    private final EngineSettings settings;
    private final InMemoryLockStore store;
    private final MovableTime time;
    private final EventLoop loop;
    private final SessionId session = SessionId.of(new SecureRandom().nextLong());
    private EventLoop.Timer nextHeartbeat = () -> {};
    private long heartbeats;
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
        store.edit(session, new SessionEdit.Begin(settings.lease(), OtherProcess.NAME, now), now);
        loop.execute(this::sendHeartbeatLater);
        long base = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        for (int number = 1; number <= settings.maxQueue(); number++) {
            // Refused when the queue is full.
            // Of two modes, so that only the first of them holds the lock.
            Entry entry = new Entry.OfSession(session, number, number % 2 == 1 ? Mode.EXCLUSIVE : Mode.SHARED, 1);
            Edit edit = new Edit(new TreeMap<>(), null, List.of(entry), settings.maxQueue(), 0, false, null, 0, base);
            store.edit(key, edit, now);
        }
        time.awaitQuiet();
    }

    private void sendHeartbeatLater() {
        if (!over) {
            nextHeartbeat = loop.schedule(this::sendHeartbeat, settings.heartbeat());
        }
    }

    private void sendHeartbeat() {
        Instant now = time.now();
        store.session(session).ifPresent(item -> {
            store.edit(session, new SessionEdit.Heartbeat(++heartbeats, item.notices(), now), now);
            sendHeartbeatLater();
        });
    }

    /** The last first, so that none of them gets the lock meanwhile. */
    private void leave() {
        loop.execute(() -> {
            over = true;
            nextHeartbeat.cancel();
        });
        time.awaitQuiet();
        List<Entry> own = new ArrayList<>(store.lock(key).queue());
        own.removeIf(entry -> !session.equals(entry.session()));
        Collections.reverse(own);
        own.forEach(entry -> Loss.takeOut(key, entry, store, time));
        store.edit(session, new SessionEdit.End(), time.now());
        loop.shutdown();
    }
}
