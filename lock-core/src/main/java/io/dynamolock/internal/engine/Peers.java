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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the sessions of other processes that stand ahead of this process's waiters. Own sessions that are
 * over come in as well ({@link #gone}): their entries count as entries of the dead.
 *
 * <p>Watched sessions are read again and again, many in one call. A session is expired if it shows the same heartbeat
 * for its lease plus the lock delay, counted from the arrival of the first answer that showed this heartbeat; or at
 * once, if its last heartbeat is too old both by the store's clock and by this machine's wall clock. What was found out
 * about a session stays known when the wait is over.
 *
 * <p>A process may watch thousands of sessions, so no event goes through all of them: those that may be read are kept
 * in the order in which their reads are due. Lives on the event loop. Not final, because tests that break a rule on
 * purpose replace it.
 */
class Peers {

    /** Maximum number of sessions that are remembered though they are not watched. */
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

        private final SessionId id;

        /** How many sessions were known before. */
        private final long number;

        /** The locks whose waiters the session is ahead of; empty while it is not watched. */
        private final Set<LockKey> locks = new HashSet<>();

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

        /**
         * The pause before the next read of an item that cannot be read. Meaningless if {@link #unreadable} is null.
         */
        private Duration pause = Duration.ZERO;

        /** Whether the last answer has shown the same heartbeat for more than one and a half heartbeat intervals. */
        private boolean isQuiet;

        /**
         * The read as it stands in {@link #reads}; {@code null} if it stands there no more. Set anew after each change.
         */
        private @Nullable PlannedRead read;

        Peer(SessionId id, long number, Moment now) {
            this.id = id;
            this.number = number;
            heartbeatSince = now;
            readAt = now;
            nextRead = now;
        }

        /** Whether the session is watched and may be read. */
        boolean isReadable() {
            return !locks.isEmpty() && stage != Stage.DEAD && underWay == null;
        }
    }

    /**
     * The next read of a session.
     *
     * @param mayComeAt when it may be sent together with a read that is due
     */
    private record PlannedRead(Peer peer, Moment due, Moment mayComeAt) {

        private static final Comparator<PlannedRead> BY_NUMBER = Comparator.comparingLong(read -> read.peer().number);

        static final Comparator<PlannedRead> BY_DUE =
                Comparator.comparing(PlannedRead::due, Moment.ORDER).thenComparing(BY_NUMBER);

        static final Comparator<PlannedRead> BY_EARLIEST =
                Comparator.comparing(PlannedRead::mayComeAt, Moment.ORDER).thenComparing(BY_NUMBER);
    }

    private final EngineSettings settings;

    /** The sessions that are watched, by the lock whose waiters they are ahead of. No set is empty. */
    private final Map<LockKey, Set<SessionId>> watched = new HashMap<>();

    /** All sessions that are watched. */
    private final Map<SessionId, Peer> peers = new HashMap<>();

    /** Sessions that are not watched. */
    private final Map<SessionId, Peer> remembered = new RecentlyUsed<>(MOST_PEERS);

    /** The next reads of the sessions that may be read. */
    private final NavigableSet<PlannedRead> reads = new TreeSet<>(PlannedRead.BY_DUE);

    /** The same reads, by the moments at which they may come. */
    private final NavigableSet<PlannedRead> earlyReads = new TreeSet<>(PlannedRead.BY_EARLIEST);

    /** How many sessions were known so far. */
    private long known;

    /** What is to be done about the present event, without repetitions. Each event begins a new set. */
    private Set<PeerEffect> effects = new LinkedHashSet<>();

    Peers(EngineSettings settings) {
        this.settings = settings;
    }

    // Questions

    /** Whether the session's item is gone for good, so that nobody will ever release the session's entries. */
    boolean isDead(SessionId id) {
        Peer peer = known(id);
        return peer != null && peer.stage == Stage.DEAD;
    }

    /** Whether the session has missed a heartbeat, as far as this process has seen, and is not dead. */
    boolean isQuiet(SessionId id) {
        Peer peer = known(id);
        return peer != null && peer.isQuiet && peer.stage != Stage.DEAD;
    }

    /**
     * Whether the session was seen to live so lately that its next read is not due, or was due less than an interval
     * ago.
     */
    boolean isAlive(SessionId id, Moment now) {
        Peer peer = known(id);
        return peer != null
                && peer.stage == Stage.ALIVE
                && now.since(peer.nextRead).compareTo(interval(peer)) < 0;
    }

    /** The name of the session's process; {@code null} if the session has not been read. */
    @Nullable
    String owner(SessionId id) {
        Peer peer = known(id);
        return peer == null || peer.item == null ? null : peer.item.owner();
    }

    /** Why the session's item cannot be read until somebody mends it; {@code null} if it is not known to be so. */
    @Nullable
    StoreFailure unreadable(SessionId id) {
        Peer peer = known(id);
        return peer == null ? null : peer.unreadable;
    }

    /** When to call {@link #woke} if nothing happens before. */
    Deadline wakeAt() {
        return reads.isEmpty() ? Deadline.NEVER : Deadline.at(reads.first().due());
    }

    private @Nullable Peer known(SessionId id) {
        Peer peer = peers.get(id);
        return peer == null ? remembered.get(id) : peer;
    }

    private Peer peer(SessionId id, Moment now) {
        Peer peer = known(id);
        if (peer == null) {
            peer = new Peer(id, known++, now);
            remembered.put(id, peer);
        }
        return peer;
    }

    // Events

    /** For the waiters for this lock, these sessions are to be watched from now on, and no others. */
    List<PeerEffect> watch(LockKey key, Set<SessionId> ids, Moment now) {
        effects = new LinkedHashSet<>();
        Set<SessionId> before = ids.isEmpty() ? watched.remove(key) : watched.put(key, ids);
        for (SessionId id : ids) {
            Peer peer = peer(id, now);
            peer.locks.add(key);
            remembered.remove(id);
            peers.put(id, peer);
            planRead(peer);
        }
        for (SessionId id : before == null ? Set.<SessionId>of() : before) {
            if (!ids.contains(id)) {
                stopWatching(peer(id, now), key);
            }
        }
        return readDue(now);
    }

    private void stopWatching(Peer peer, LockKey key) {
        peer.locks.remove(key);
        if (peer.locks.isEmpty()) {
            peers.remove(peer.id);
            remembered.put(peer.id, peer);
            planRead(peer);
        }
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
            planRead(peer(id, now));
        }
        return readDue(now);
    }

    List<PeerEffect> failed(SentSessionRead call, StoreFailure failure, Moment now) {
        effects = new LinkedHashSet<>();
        for (SessionId id : call.sessions()) {
            ended(call, id, now);
            failed(peer(id, now), failure, now);
            planRead(peer(id, now));
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
        planRead(peer(id, now));
        return readDue(now);
    }

    List<PeerEffect> failed(SentExpiry call, StoreFailure failure, Moment now) {
        effects = new LinkedHashSet<>();
        ended(call, call.session(), now);
        failed(peer(call.session(), now), failure, now);
        planRead(peer(call.session(), now));
        return readDue(now);
    }

    /** The session's item is known to be gone, also because it was an own session that is over. */
    List<PeerEffect> gone(SessionId id, Moment now) {
        effects = new LinkedHashSet<>();
        noteGone(id, now);
        planRead(peer(id, now));
        return readDue(now);
    }

    // What follows from the events

    /** The session may be readable now, or not any more, or its next read may have another time. */
    private void planRead(Peer peer) {
        if (peer.read != null) {
            reads.remove(peer.read);
            earlyReads.remove(peer.read);
            peer.read = null;
        }
        if (peer.isReadable()) {
            Duration mostEarly = interval(peer).dividedBy(EARLY_BY);
            peer.read = new PlannedRead(peer, peer.nextRead, peer.nextRead.plus(mostEarly.negated()));
            reads.add(peer.read);
            earlyReads.add(peer.read);
        }
    }

    /** Sends the reads that are due, and together with them the reads that are nearly due. */
    private List<PeerEffect> readDue(Moment now) {
        if (wakeAt().isPast(now)) {
            List<SessionId> nearlyDue = nearlyDue(now);
            int most = LockStore.MOST_SESSIONS;
            for (int from = 0; from < nearlyDue.size(); from += most) {
                read(nearlyDue.subList(from, Math.min(from + most, nearlyDue.size())), now);
            }
        }
        return List.copyOf(effects);
    }

    /** The sessions that may be read now; those that one lock watches together stand together. */
    private List<SessionId> nearlyDue(Moment now) {
        Set<SessionId> due = new HashSet<>();
        Set<LockKey> locks = new HashSet<>();
        for (PlannedRead read : earlyReads) {
            if (now.isBefore(read.mayComeAt())) {
                break;
            }
            due.add(read.peer().id);
            locks.add(read.peer().locks.iterator().next());
        }
        List<SessionId> inOrder = new ArrayList<>();
        for (LockKey lock : locks) {
            for (SessionId id : watched.getOrDefault(lock, Set.of())) {
                if (due.remove(id)) {
                    inOrder.add(id);
                }
            }
        }
        return inOrder;
    }

    private void read(Collection<SessionId> ids, Moment now) {
        SentSessionRead call = new SentSessionRead(ids, now);
        ids.forEach(id -> {
            peer(id, now).underWay = call;
            planRead(peer(id, now));
        });
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
            peer.locks.forEach(key -> effects.add(new PeerEffect.Alive(key)));
        }
    }

    private void expire(SessionId id, Peer peer, SessionItem seen, Moment now) {
        SentExpiry call = new SentExpiry(id, seen, now);
        peer.stage = Stage.UNKNOWN;
        peer.underWay = call;
        effects.add(new PeerEffect.SendExpiry(call));
    }

    private void noteGone(SessionId id, Moment now) {
        Peer peer = peer(id, now);
        if (peer.stage != Stage.DEAD) {
            peer.stage = Stage.DEAD;
            peer.unreadable = null;
            effects.add(new PeerEffect.Dead(id));
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
