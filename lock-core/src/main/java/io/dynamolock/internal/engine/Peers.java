package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the sessions of other processes that are ahead of waiters of this one. They are read again and again, many in one call;
 * one that shows the same heartbeat for a lease, counted from the arrival of the first answer that showed it, is expired, and so is one
 * whose last heartbeat is too old by the wall clock. What was seen outlives the wait that asked for it. Lives on the event loop.
 */
class Peers {

    private static final int MOST_PEERS = 4096;
    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** A short lease is read so often. */
    private static final int READS_OF_A_LEASE = 20;

    /** A read may come so much of its interval early, so that several go with one call. */
    private static final int EARLY_BY = 4;

    /** What is to be done. */
    sealed interface Effect {

        record Read(Set<SessionId> ids) implements Effect {}

        /** Expire it, if it still shows this heartbeat. */
        record Expire(SessionId id, SessionItem seen) implements Effect {}

        /** A session that is watched for this lock is now known to live. */
        record Alive(LockKey key) implements Effect {}

        /** One is dead, for whichever lock that matters. */
        record Dead() implements Effect {}
    }

    /** UNKNOWN was not read yet, or could not be read last time, or is being expired; DEAD is for good. */
    private enum Stage {
        UNKNOWN,
        ALIVE,
        DEAD
    }

    /** One of them. */
    private final class Peer {

        private Stage stage = Stage.UNKNOWN;
        private @Nullable SessionItem item;
        private long heartbeatSince;
        private long readAt;
        /** At once, as long as it was not read. */
        private long nextRead = now;

        private boolean underWay;
        private boolean quiet;
    }

    private final EngineSettings settings;
    private final Map<LockKey, Set<SessionId>> watched = new HashMap<>();
    private final Map<SessionId, Peer> peers = new RecentlyUsed<>(MOST_PEERS);
    /** What an answer shows is told once. */
    private Set<Effect> effects = new LinkedHashSet<>();

    private long now;

    Peers(EngineSettings settings) {
        this.settings = settings;
    }

    /** Whether its item is gone for good: nobody will ever release what is its. */
    boolean isDead(SessionId id) {
        Peer peer = peers.get(id);
        return peer != null && peer.stage == Stage.DEAD;
    }

    /** Whether it has missed a heartbeat. */
    boolean isQuiet(SessionId id) {
        Peer peer = peers.get(id);
        return peer != null && peer.quiet && peer.stage != Stage.DEAD;
    }

    /** Whether it was seen to live, so lately that its next read is not due, or is only just. */
    boolean isAlive(SessionId id, long nowNanos) {
        Peer peer = peers.get(id);
        return peer != null
                && peer.stage == Stage.ALIVE
                && nowNanos - peer.nextRead < interval(peer).toNanos();
    }

    /** The name of its process, if it has been read. */
    @Nullable
    String owner(SessionId id) {
        Peer peer = peers.get(id);
        return peer == null || peer.item == null ? null : peer.item.owner();
    }

    /** When it is to be {@linkplain #woke woken}, by the monotonic clock; {@link Long#MAX_VALUE} for never. */
    long wakeAt() {
        long first = Long.MAX_VALUE;
        for (SessionId id : readable()) {
            long next = peer(id).nextRead;
            first = first == Long.MAX_VALUE || next - first < 0 ? next : first;
        }
        return first;
    }

    /** Those that are watched and may be read at all. */
    private List<SessionId> readable() {
        return watched.values().stream()
                .flatMap(Set::stream)
                .distinct()
                .filter(id -> peer(id).stage != Stage.DEAD && !peer(id).underWay)
                .toList();
    }

    private Peer peer(SessionId id) {
        return peers.computeIfAbsent(id, absent -> new Peer());
    }

    /** These are ahead of waiters for a lock, and no others. */
    List<Effect> watch(LockKey key, Set<SessionId> ids, long nowNanos) {
        return at(nowNanos, () -> {
            if (ids.isEmpty()) {
                watched.remove(key);
            } else {
                watched.put(key, ids);
            }
        });
    }

    List<Effect> woke(long nowNanos) {
        return at(nowNanos, () -> {});
    }

    /** Notes something at this moment. @return what is to be done, reads that are due among it */
    private List<Effect> at(long nowNanos, Runnable note) {
        now = nowNanos;
        effects = new LinkedHashSet<>();
        note.run();
        readDue();
        return List.copyOf(effects);
    }

    private void readDue() {
        List<SessionId> soon = readable().stream()
                .filter(id -> peer(id).nextRead - now
                        <= interval(peer(id)).dividedBy(EARLY_BY).toNanos())
                .toList();
        boolean isAnyDue = soon.stream().anyMatch(id -> peer(id).nextRead - now <= 0);
        int most = LockStore.MOST_SESSIONS;
        for (int from = 0; isAnyDue && from < soon.size(); from += most) {
            read(soon.subList(from, Math.min(from + most, soon.size())));
        }
    }

    private void read(List<SessionId> ids) {
        ids.forEach(id -> peer(id).underWay = true);
        effects.add(new Effect.Read(new LinkedHashSet<>(ids)));
    }

    /**
     * They were read. Empty is dead; one that is missing could not be read beside the others, and is read alone.
     *
     * @param wallClock this machine's, but never ahead of the store's
     */
    List<Effect> read(
            Set<SessionId> ids, Map<SessionId, Optional<SessionItem>> found, Instant wallClock, long nowNanos) {
        return at(nowNanos, () -> {
            for (SessionId id : ids) {
                Optional<SessionItem> item = found.get(id);
                if (item != null) {
                    item.ifPresentOrElse(shown -> seen(id, shown, wallClock), () -> noteGone(id));
                } else if (ids.size() > 1) {
                    read(List.of(id));
                } else {
                    noteUnknown(peer(id));
                }
            }
        });
    }

    List<Effect> readFailed(Set<SessionId> ids, long nowNanos) {
        return at(nowNanos, () -> ids.forEach(id -> noteUnknown(peer(id))));
    }

    /** A session is known to be gone. */
    List<Effect> gone(SessionId id, long nowNanos) {
        return at(nowNanos, () -> noteGone(id));
    }

    private void noteUnknown(Peer peer) {
        peer.stage = peer.stage == Stage.DEAD ? Stage.DEAD : Stage.UNKNOWN;
        arrived(peer);
    }

    private void arrived(Peer peer) {
        peer.underWay = false;
        peer.readAt = now;
        peer.nextRead = now + interval(peer).toNanos();
    }

    private void seen(SessionId id, SessionItem item, Instant wallClock) {
        Peer peer = peer(id);
        if (peer.stage == Stage.DEAD) {
            return;
        }
        boolean wasAlive = isAlive(id, now);
        boolean isNew = peer.item == null || peer.item.heartbeat() != item.heartbeat();
        boolean isReadOn = peer.item != null
                && now - peer.readAt
                        <= betweenHeartbeats(item).plus(interval(peer)).toNanos();
        peer.heartbeatSince = isNew ? now : peer.heartbeatSince;
        peer.item = item;
        Duration same = Duration.ofNanos(now - peer.heartbeatSince);
        Duration left = settings.detection().untilExpiry(item, same);
        peer.quiet = same.multipliedBy(2).compareTo(betweenHeartbeats(item).multipliedBy(3)) > 0;
        boolean isAlive = !left.isZero() && !settings.detection().isLongSilent(item, wallClock);
        peer.stage = isAlive ? Stage.ALIVE : Stage.UNKNOWN;
        if (!isAlive) {
            peer.underWay = true;
            effects.add(new Effect.Expire(id, item));
            return;
        }
        long due = peer.nextRead;
        arrived(peer);
        if (isNew && isReadOn) {
            // The heartbeat is a moment old, and what comes before the next one would show nothing. Counted from the
            // arrival, reads would come later after each one.
            peer.nextRead =
                    Math.max(peer.nextRead, due + betweenHeartbeats(item).toNanos());
        }
        peer.nextRead = Math.min(peer.nextRead, now + left.toNanos());
        if (!wasAlive) {
            watched.forEach((key, ids) -> {
                if (ids.contains(id)) {
                    effects.add(new Effect.Alive(key));
                }
            });
        }
    }

    private void noteGone(SessionId id) {
        Peer peer = peer(id);
        if (peer.stage != Stage.DEAD) {
            peer.stage = Stage.DEAD;
            effects.add(new Effect.Dead());
        }
    }

    private Duration interval(Peer peer) {
        Duration lease = peer.item == null ? settings.lease() : peer.item.lease();
        return Collections.min(List.of(SLOWEST_READS, lease.dividedBy(READS_OF_A_LEASE)));
    }

    /** Processes are taken to send equally many heartbeats in a lease. */
    private Duration betweenHeartbeats(SessionItem item) {
        return settings.heartbeat()
                .multipliedBy(item.lease().toMillis())
                .dividedBy(settings.lease().toMillis());
    }
}
