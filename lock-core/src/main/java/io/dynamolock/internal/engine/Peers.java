package io.dynamolock.internal.engine;

import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the sessions of other processes that stand ahead of this process's waiters. Own sessions that are
 * over come in as well ({@link #gone}): their entries count as entries of the dead.
 *
 * <p>Watched sessions are read again and again, many in one call. A session is expired if it shows the same heartbeat
 * for its lease plus the lock delay, counted from the arrival of the first answer that showed this heartbeat; or at
 * once, if its last heartbeat is too old both by the store's clock and by this machine's wall clock. What was found out
 * about a session stays known when the wait is over. Lives on the event loop. Not final, because tests that break a rule
 * on purpose replace it.
 */
class Peers {

    /** Maximum number of sessions that are remembered. */
    private static final int MOST_PEERS = 4096;

    /** Longest time between two reads of a session whose next heartbeat is overdue, or that is not read regularly. */
    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** Longest time between two reads of a session whose item cannot be read until somebody mends it. */
    private static final Duration SLOWEST_READS_OF_UNREADABLE = Duration.ofSeconds(10);

    /** A session is read at least this often in its lease. */
    private static final int READS_PER_LEASE = 20;

    /** A read may come early by its interval divided by this number, so that one call reads several sessions. */
    private static final int EARLY_BY = 4;

    /**
     * UNKNOWN: not read yet, not readable at the last attempt, or being expired. ALIVE: the last answer has shown the
     * session, and it was not to be expired. DEAD: the session's item is gone, for good.
     */
    private enum Stage {
        UNKNOWN,
        ALIVE,
        DEAD
    }

    /** One session. */
    private static final class Peer {

        private Stage stage = Stage.UNKNOWN;

        /** The session as the last answer has shown it; {@code null} before the first. */
        private @Nullable SessionItem item;

        /** When the heartbeat in {@link #item} was first seen. Meaningless without an item. */
        private Moment heartbeatSince;

        /** When the last read was answered or failed. Meaningless before the first. */
        private Moment readAt;

        /** When the session is to be read next: at once, if it has not been read yet. */
        private Moment nextRead;

        /** The read or expiry that is under way; {@code null} if none is. */
        private @Nullable SentCall underWay;

        /**
         * Why the session's item cannot be read, as the last answer about it said; {@code null} if the last answer has
         * shown the session, or there was none. Nobody can tell whether such a session lives, so it is never expired.
         */
        private @Nullable StoreFailure unreadable;

        /** The pause before the next read of an item that cannot be read. Meaningless if {@link #unreadable} is null. */
        private Duration pause = Duration.ZERO;

        /** Whether the last answer has shown the same heartbeat for more than one and a half heartbeat intervals. */
        private boolean isQuiet;

        Peer(Moment now) {
            heartbeatSince = now;
            readAt = now;
            nextRead = now;
        }
    }

    private final EngineSettings settings;

    /** The sessions that are watched, by the lock whose waiters they are ahead of. No set is empty. */
    private final Map<LockKey, Set<SessionId>> watched = new HashMap<>();

    private final Map<SessionId, Peer> peers = new RecentlyUsed<>(MOST_PEERS);

    /** What is to be done about the present event, without repetitions. Each event begins a new set. */
    private Set<PeerEffect> effects = new LinkedHashSet<>();

    Peers(EngineSettings settings) {
        this.settings = settings;
    }

    // Questions

    /** Whether the session's item is gone for good, so that nobody will ever release the session's entries. */
    boolean isDead(SessionId id) {
        Peer peer = peers.get(id);
        return peer != null && peer.stage == Stage.DEAD;
    }

    /** Whether the session has missed a heartbeat, as far as this process has seen, and is not dead. */
    boolean isQuiet(SessionId id) {
        Peer peer = peers.get(id);
        return peer != null && peer.isQuiet && peer.stage != Stage.DEAD;
    }

    /**
     * Whether the session was seen to live so lately that its next read is not due, or was due less than an interval
     * ago.
     */
    boolean isAlive(SessionId id, Moment now) {
        Peer peer = peers.get(id);
        return peer != null
                && peer.stage == Stage.ALIVE
                && now.since(peer.nextRead).compareTo(interval(peer)) < 0;
    }

    /** The name of the session's process; {@code null} if the session has not been read. */
    @Nullable
    String owner(SessionId id) {
        Peer peer = peers.get(id);
        return peer == null || peer.item == null ? null : peer.item.owner();
    }

    /** Why the session's item cannot be read until somebody mends it; {@code null} if it is not known to be so. */
    @Nullable
    StoreFailure unreadable(SessionId id) {
        Peer peer = peers.get(id);
        return peer == null ? null : peer.unreadable;
    }

    /** When to call {@link #woke} if nothing happens before. */
    Deadline wakeAt(Moment now) {
        return readable(now).stream()
                .map(id -> Deadline.at(peer(id, now).nextRead))
                .reduce(Deadline.NEVER, Deadline::earlier);
    }

    /** The sessions that are watched and may be read now. */
    private List<SessionId> readable(Moment now) {
        return watched.values().stream()
                .flatMap(Set::stream)
                .distinct()
                .filter(id -> peer(id, now).stage != Stage.DEAD && peer(id, now).underWay == null)
                .toList();
    }

    private Peer peer(SessionId id, Moment now) {
        return peers.computeIfAbsent(id, absent -> new Peer(now));
    }

    // Events

    /** For the waiters for this lock, these sessions are to be watched from now on, and no others. */
    List<PeerEffect> watch(LockKey key, Set<SessionId> ids, Moment now) {
        effects = new LinkedHashSet<>();
        if (ids.isEmpty()) {
            watched.remove(key);
        } else {
            watched.put(key, ids);
        }
        return readDue(now);
    }

    List<PeerEffect> woke(Moment now) {
        effects = new LinkedHashSet<>();
        return readDue(now);
    }

    /**
     * Sessions were read.
     *
     * @param found the items by session. Without an item, a session is dead. A session that is not in this map could
     *     not be read together with the others, and is read again alone
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     * @param wall this machine's wall clock
     */
    List<PeerEffect> answered(
            SentSessionRead call,
            Map<SessionId, Optional<SessionItem>> found,
            @Nullable Instant storeTime,
            Instant wall,
            Moment now) {
        effects = new LinkedHashSet<>();
        for (SessionId id : call.sessions()) {
            ended(call, id, now);
            Optional<SessionItem> item = found.get(id);
            if (item != null) {
                item.ifPresentOrElse(shown -> shown(id, shown, storeTime, wall, now), () -> noteGone(id, now));
            } else if (call.sessions().size() > 1) {
                read(List.of(id), now);
            } else {
                failed(peer(id, now), null, now);
            }
        }
        return readDue(now);
    }

    List<PeerEffect> failed(SentSessionRead call, StoreFailure failure, Moment now) {
        effects = new LinkedHashSet<>();
        for (SessionId id : call.sessions()) {
            ended(call, id, now);
            failed(peer(id, now), failure, now);
        }
        return readDue(now);
    }

    /**
     * The expiry of a session was answered.
     *
     * @param answer without an item if the session is dead; otherwise the session has sent another heartbeat meanwhile
     * @param wall this machine's wall clock
     */
    List<PeerEffect> answered(SentExpiry call, Answer<Optional<SessionItem>> answer, Instant wall, Moment now) {
        effects = new LinkedHashSet<>();
        SessionId id = call.session();
        ended(call, id, now);
        answer.item()
                .ifPresentOrElse(shown -> shown(id, shown, answer.storeTime(), wall, now), () -> noteGone(id, now));
        return readDue(now);
    }

    List<PeerEffect> failed(SentExpiry call, StoreFailure failure, Moment now) {
        effects = new LinkedHashSet<>();
        ended(call, call.session(), now);
        failed(peer(call.session(), now), failure, now);
        return readDue(now);
    }

    /** The session's item is known to be gone, also because it was an own session that is over. */
    List<PeerEffect> gone(SessionId id, Moment now) {
        effects = new LinkedHashSet<>();
        noteGone(id, now);
        return readDue(now);
    }

    // What follows from the events

    /** Sends the reads that are due, and together with them the reads that are nearly due. */
    private List<PeerEffect> readDue(Moment now) {
        List<SessionId> nearlyDue = readable(now).stream()
                .filter(id -> {
                    Peer peer = peer(id, now);
                    Duration mostEarly = interval(peer).dividedBy(EARLY_BY);
                    return peer.nextRead.since(now).compareTo(mostEarly) <= 0;
                })
                .toList();
        boolean isAnyDue = nearlyDue.stream().anyMatch(id -> !now.isBefore(peer(id, now).nextRead));
        if (isAnyDue) {
            int most = LockStore.MOST_SESSIONS;
            for (int from = 0; from < nearlyDue.size(); from += most) {
                read(nearlyDue.subList(from, Math.min(from + most, nearlyDue.size())), now);
            }
        }
        return List.copyOf(effects);
    }

    private void read(Collection<SessionId> ids, Moment now) {
        SentSessionRead call = new SentSessionRead(ids, now);
        ids.forEach(id -> peer(id, now).underWay = call);
        effects.add(new PeerEffect.SendRead(call));
    }

    private void ended(SentCall call, SessionId id, Moment now) {
        Peer peer = peer(id, now);
        if (peer.underWay == call) {
            peer.underWay = null;
        }
    }

    /** @param failure {@code null} if the store has left the session out of its answer */
    private void failed(Peer peer, @Nullable StoreFailure failure, Moment now) {
        if (peer.stage != Stage.DEAD) {
            peer.stage = Stage.UNKNOWN;
        }
        arrived(peer, now);
        if (failure != null && failure.unreadable().isPresent()) {
            peer.pause = peer.unreadable == null
                    ? interval(peer)
                    : Durations.shorter(SLOWEST_READS_OF_UNREADABLE, peer.pause.multipliedBy(2));
            peer.unreadable = failure;
            peer.nextRead = now.plus(peer.pause);
        }
    }

    private void arrived(Peer peer, Moment now) {
        peer.readAt = now;
        peer.nextRead = now.plus(interval(peer));
    }

    private void shown(SessionId id, SessionItem item, @Nullable Instant storeTime, Instant wall, Moment now) {
        Peer peer = peer(id, now);
        if (peer.stage == Stage.DEAD) {
            return;
        }
        boolean wasAlive = isAlive(id, now);
        boolean isNew = peer.item == null || peer.item.heartbeat() != item.heartbeat();
        boolean isReadRegularly = peer.item != null
                && now.since(peer.readAt).compareTo(betweenHeartbeats(item).plus(interval(peer))) <= 0;
        if (isNew) {
            peer.heartbeatSince = now;
        }
        peer.item = item;
        peer.unreadable = null;
        Duration sameHeartbeat = now.since(peer.heartbeatSince);
        Duration untilExpiry = settings.detection().untilExpiry(item, sameHeartbeat);
        peer.isQuiet =
                sameHeartbeat.multipliedBy(2).compareTo(betweenHeartbeats(item).multipliedBy(3)) > 0;
        if (untilExpiry.isZero() || settings.detection().isLongSilent(item, storeTime, wall)) {
            expire(id, peer, item, now);
            return;
        }
        peer.stage = Stage.ALIVE;
        Moment wasDue = peer.nextRead;
        arrived(peer, now);
        if (isNew && isReadRegularly) {
            // The heartbeat was sent since the last read, so a read before the next heartbeat would show nothing. The
            // time between heartbeats is counted from when this read was due. If it were counted from the arrival of
            // the answer, each read would come a little later after the heartbeat than the read before.
            peer.nextRead = Moment.later(peer.nextRead, wasDue.plus(betweenHeartbeats(item)));
        }
        peer.nextRead = Moment.earlier(peer.nextRead, now.plus(untilExpiry));
        if (!wasAlive) {
            tellAlive(id);
        }
    }

    private void expire(SessionId id, Peer peer, SessionItem seen, Moment now) {
        SentExpiry call = new SentExpiry(id, seen, now);
        peer.stage = Stage.UNKNOWN;
        peer.underWay = call;
        effects.add(new PeerEffect.SendExpiry(call));
    }

    private void tellAlive(SessionId id) {
        watched.forEach((key, ids) -> {
            if (ids.contains(id)) {
                effects.add(new PeerEffect.Alive(key));
            }
        });
    }

    private void noteGone(SessionId id, Moment now) {
        Peer peer = peer(id, now);
        if (peer.stage != Stage.DEAD) {
            peer.stage = Stage.DEAD;
            peer.unreadable = null;
            effects.add(new PeerEffect.Dead());
        }
    }

    private Duration interval(Peer peer) {
        Duration lease = peer.item == null ? settings.lease() : peer.item.lease();
        return Durations.shorter(SLOWEST_READS, lease.dividedBy(READS_PER_LEASE));
    }

    /** How often a session's process sends heartbeats, if it sends as many in a lease as this process does. */
    private Duration betweenHeartbeats(SessionItem item) {
        return settings.heartbeat()
                .multipliedBy(item.lease().toMillis())
                .dividedBy(settings.lease().toMillis());
    }
}
