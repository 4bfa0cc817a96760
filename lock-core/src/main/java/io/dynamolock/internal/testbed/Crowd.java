package io.dynamolock.internal.testbed;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.loop.EventLoop;
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
 * A process that fills a lock's queue, and apart from that only sends heartbeats. It writes to the store by itself,
 * because an engine leaves half of the queue to other processes.
 */
final class Crowd {

    private final LockKey key;
    private final EngineSettings settings;
    private final InMemoryLockStore store;
    private final MovableTime time;
    private final EventLoop loop;
    private final SessionId session = SessionId.of(new SecureRandom().nextLong());
    private EventLoop.Timer nextHeartbeat = () -> {};
    /** How many heartbeats were sent. Confined to the loop. */
    private long heartbeats;
    /** Whether the process has left. Confined to the loop. */
    private boolean over;

    private Crowd(LockKey key, EngineSettings settings, InMemoryLockStore store, MovableTime time) {
        this.key = key;
        this.settings = settings;
        this.store = store;
        this.time = time;
        this.loop = new MovableLoop(time);
    }

    /** @return has the process leave the queue and end */
    static Runnable in(LockKey key, EngineSettings settings, InMemoryLockStore store, MovableTime time) {
        Crowd crowd = new Crowd(key, settings, store, time);
        crowd.gather();
        return crowd::leave;
    }

    private void gather() {
        Instant now = time.now();
        store.edit(session, new SessionEdit.Begin(settings.lease(), OtherProcess.NAME, now), now);
        loop.execute(this::sendHeartbeatLater);
        long base = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        for (int number = 1; number <= settings.maxQueue(); number++) {
            // Two modes in turn, so that only the first entry holds the lock. The store refuses entries once the queue
            // is full.
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

    /** Takes the entries out from the last to the first, so that no waiting entry gets the lock meanwhile. */
    private void leave() {
        loop.execute(() -> {
            over = true;
            nextHeartbeat.cancel();
        });
        time.awaitQuiet();
        List<Entry> entries = new ArrayList<>(store.lock(key).queue());
        entries.removeIf(entry -> !session.equals(entry.session()));
        Collections.reverse(entries);
        entries.forEach(entry -> Loss.takeOut(key, entry, store, time));
        store.edit(session, new SessionEdit.End(), time.now());
        loop.shutdown();
    }
}
