package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Vigil;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sessions of other processes that are ahead of callers of this one, and buries the dead. What was seen
 * outlives the attempt that asked for it. Lives on the event loop.
 */
final class PeerWatch {

    private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);
    private static final int MAX_PEERS = 4096;

    /** The store may tell its time to the second, so that by its clock up to a second more has passed. */
    private static final Duration STORE_CLOCK_STEP = Duration.ofSeconds(1);

    private final EngineContext context;
    private final Vigil vigil;
    private final Runnable news;
    /** Those that were ahead of a caller since they were last read. */
    private final Set<Peer> wanted = new LinkedHashSet<>();

    private EventLoop.@Nullable Timer timer;
    private long plannedFor;
    private boolean hasNews;
    private @Nullable Instant storeClock;
    private long storeClockAsked;
    private long storeClockSeen;
    private final Map<SessionId, Peer> peers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Peer> eldest) {
            return size() > MAX_PEERS;
        }
    };

    /** @param news runs, as an event of its own, when a session was found dead or what was asked for is answered */
    PeerWatch(EngineContext context, Vigil vigil, Runnable news) {
        this.context = context;
        this.vigil = vigil;
        this.news = news;
    }

    /** The session is ahead of a caller right now: it is read once more, when that can show something new. */
    void watch(SessionId id) {
        want(peer(id));
    }

    /** Finds out soon whether the session lives; false if there will be no news of it, as it is known, or cannot be had. */
    boolean ask(SessionId id) {
        Peer peer = peer(id);
        boolean willBeNews = peer.ask();
        if (willBeNews) {
            want(peer);
        }
        return willBeNews;
    }

    boolean isDead(SessionId id) {
        return known(id).isDead();
    }

    /** Whether the session has missed a beat. */
    boolean isQuiet(SessionId id) {
        return known(id).isQuiet();
    }

    /** Whether the session was found alive a moment ago. */
    boolean isAlive(SessionId id) {
        return known(id).isAlive();
    }

    /** The name of the session's process, if it has been read. */
    @Nullable
    String owner(SessionId id) {
        SessionItem item = known(id).item();
        return item == null ? null : item.owner();
    }

    /** The session is known to be gone. */
    void markDead(SessionId id) {
        isGone(peer(id));
        context.loop.execute(this::tellNews);
    }

    /**
     * The store's clock has just said so, in the answer to a call that was sent then. From then on it goes by the monotonic
     * clock: this machine's wall clock may be set ahead at any time, and then every session would look long dead.
     */
    void storeClockSays(Instant at, long sentNanos) {
        assert context.loop.isCurrent();
        storeClock = at;
        storeClockAsked = sentNanos;
        storeClockSeen = context.time.nanos();
    }

    /** What the store's clock says now at the most: it had told its time, to the second, after it was asked. */
    Instant storeNowAtMost() {
        assert context.loop.isCurrent();
        Instant now = storeClock == null ? context.time.now() : storeClock.plus(context.since(storeClockAsked));
        return now.plus(STORE_CLOCK_STEP);
    }

    /** This machine's wall clock, but never ahead of the store's. */
    private Instant carefulNow() {
        Instant here = context.time.now();
        Instant there = storeClock == null ? here : storeClock.plus(context.since(storeClockSeen));
        return there.isBefore(here) ? there : here;
    }

    private Peer known(SessionId id) {
        assert context.loop.isCurrent();
        Peer peer = peers.get(id);
        return peer == null ? new Peer(id, context, vigil) : peer;
    }

    private Peer peer(SessionId id) {
        assert context.loop.isCurrent();
        return peers.computeIfAbsent(id, absent -> new Peer(absent, context, vigil));
    }

    private void want(Peer peer) {
        if (peer.mayBeRead()) {
            wanted.add(peer);
            plan(peer);
        }
    }

    /** One timer serves all: it is set for the first that is due. */
    private void plan(Peer peer) {
        Duration delay = peer.untilNextRead();
        long due = context.time.nanos() + delay.toNanos();
        if (timer == null || due - plannedFor < 0) {
            stop();
            plannedFor = due;
            timer = delay.isZero() ? atOnce() : context.loop.schedule(this::readDue, delay);
        }
    }

    /** Nobody waits for a clock when there is nothing to wait for. */
    private EventLoop.Timer atOnce() {
        context.loop.execute(this::readDue);
        return () -> {};
    }

    private void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** Reads what is due, and what would be due a little later, so that a crowd takes few calls. */
    private void readDue() {
        timer = null;
        List<Peer> due = wanted.stream().filter(Peer::isAboutDue).toList();
        due.forEach(wanted::remove);
        wanted.forEach(this::plan);
        due.stream().filter(Peer::isReadAlone).forEach(peer -> read(List.of(peer)));
        List<Peer> together = due.stream().filter(peer -> !peer.isReadAlone()).toList();
        for (int from = 0; from < together.size(); from += LockStore.MOST_SESSIONS) {
            read(together.subList(from, Math.min(together.size(), from + LockStore.MOST_SESSIONS)));
        }
    }

    private void read(List<Peer> some) {
        Set<SessionId> ids = some.stream().map(Peer::id).collect(Collectors.toCollection(LinkedHashSet::new));
        send(
                some,
                StoreCall.of(Lane.LOCK, "read sessions", () -> context.store.sessions(ids)),
                found -> some.forEach(peer -> shown(peer, found)));
    }

    /** What is wrong with one session keeps nobody from seeing the others of the same answer. */
    private void shown(Peer peer, Map<SessionId, Optional<SessionItem>> found) {
        try {
            Optional<SessionItem> item = found.get(peer.id());
            if (item == null) {
                peer.leftOut();
                want(peer);
            } else {
                seen(peer, item.orElse(null));
            }
        } catch (RuntimeException bug) {
            log.error("A lock session could not be judged; this is a bug in DynamoLock, please report it", bug);
            peer.leftOut();
            hasNews |= peer.endsAsking();
        }
    }

    private void seen(Peer peer, @Nullable SessionItem item) {
        if (item == null) {
            isGone(peer);
        } else if (!peer.isDead()) {
            if (peer.isSilent(item, carefulNow())) {
                bury(peer, item);
            } else {
                hasNews |= peer.endsAsking();
            }
        }
    }

    private void bury(Peer peer, SessionItem item) {
        SessionStep bury = new SessionStep.Bury(item.beat());
        Instant now = context.time.now();
        send(
                List.of(peer),
                StoreCall.of(Lane.LOCK, "bury session", () -> context.store.take(peer.id(), bury, now)),
                answer -> {
                    if (answer.isApplied() && item.keptUntil() == null) {
                        log.info("Buried the lock session of {}: it had stopped beating", SafeText.quote(item.owner()));
                    }
                    seen(peer, answer.item().orElse(null));
                });
    }

    private <T> void send(List<Peer> about, StoreCall<T> call, Consumer<T> answered) {
        about.forEach(Peer::sending);
        context.calls.send(call, answered.andThen(answer -> tellNews()), failure -> {
            for (Peer peer : about) {
                peer.arrived();
                if (failure.kind() == StoreFailure.Kind.UNREADABLE && peer.turnsUnreadable()) {
                    log.warn("A lock session cannot be read, and keeps its places: {}", failure.getMessage());
                }
                hasNews |= peer.endsAsking();
            }
            tellNews();
        });
    }

    private void isGone(Peer peer) {
        hasNews |= peer.dies();
        wanted.remove(peer);
    }

    private void tellNews() {
        if (hasNews) {
            hasNews = false;
            news.run();
        }
    }
}
