package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.SessionId;
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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    private final EngineContext context;
    private final Vigil vigil;
    private final Runnable news;
    private final Set<Peer> due = new LinkedHashSet<>();
    private final Set<Peer> waiting = new LinkedHashSet<>();
    private boolean hasNews;
    private @Nullable Instant storeClock;
    private long storeClockSeen;
    private final Map<SessionId, Peer> peers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Peer> eldest) {
            boolean isTooMany = size() > MAX_PEERS;
            if (isTooMany) {
                eldest.getValue().cancelTimer();
            }
            return isTooMany;
        }
    };

    /** @param news runs, as an event of its own, when a session was found dead or what was asked for is answered */
    PeerWatch(EngineContext context, Vigil vigil, Runnable news) {
        this.context = context;
        this.vigil = vigil;
        this.news = news;
    }

    /** The session is ahead of a caller right now: it is read for a while. */
    void watch(SessionId id) {
        Peer peer = peer(id);
        peer.sight.wanted();
        peer.goOn();
    }

    /** Finds out soon whether the session lives; false if there will be no news of it, as it is known, or cannot be had. */
    boolean ask(SessionId id) {
        return peer(id).ask();
    }

    boolean isDead(SessionId id) {
        return known(id).dead;
    }

    /** Whether the session has missed a beat. */
    boolean isQuiet(SessionId id) {
        return !known(id).dead && known(id).sight.isQuiet();
    }

    /** Whether the session was found alive a moment ago. */
    boolean isAlive(SessionId id) {
        return known(id).sight.isAlive();
    }

    /** The name of the session's process, if it has been read. */
    @Nullable
    String owner(SessionId id) {
        SessionItem item = known(id).sight.item();
        return item == null ? null : item.owner();
    }

    /** The session is known to be gone. */
    void markDead(SessionId id) {
        peer(id).die();
        context.loop.execute(this::tellNews);
    }

    /**
     * The store's clock has just said so. From then on it goes by the monotonic clock: this machine's wall clock may be
     * set ahead at any time, and then every session would look long dead.
     */
    void storeClockSays(Instant at) {
        assert context.loop.isCurrent();
        storeClock = at;
        storeClockSeen = context.time.nanos();
    }

    /** This machine's wall clock, but never ahead of the store's. */
    private Instant carefulNow() {
        Instant here = context.time.now();
        if (storeClock == null) {
            return here;
        }
        Instant there = storeClock.plus(context.since(storeClockSeen));
        return there.isBefore(here) ? there : here;
    }

    private Peer known(SessionId id) {
        assert context.loop.isCurrent();
        Peer peer = peers.get(id);
        return peer == null ? new Peer(id) : peer;
    }

    private Peer peer(SessionId id) {
        assert context.loop.isCurrent();
        return peers.computeIfAbsent(id, Peer::new);
    }

    private void tellNews() {
        if (hasNews) {
            hasNews = false;
            news.run();
        }
    }

    /** Reads what is due, and what would be due a little later, so that a crowd takes few calls. */
    private void readDue() {
        List.copyOf(waiting).stream().filter(peer -> peer.sight.mayBeRead()).forEach(Peer::readSoon);
        List<Peer> all = due.stream().filter(peer -> !peer.dead).toList();
        due.clear();
        for (int from = 0; from < all.size(); from += LockStore.MOST_SESSIONS) {
            read(all.subList(from, Math.min(all.size(), from + LockStore.MOST_SESSIONS)));
        }
    }

    private void read(List<Peer> some) {
        Set<SessionId> ids = some.stream().map(peer -> peer.id).collect(Collectors.toUnmodifiableSet());
        Consumer<Map<SessionId, SessionItem>> answered =
                found -> some.forEach(peer -> peer.answered(found.get(peer.id)));
        call(some, "read sessions", () -> context.store.sessions(ids), answered);
    }

    private void bury(Peer peer, SessionItem item) {
        SessionStep bury = new SessionStep.Bury(item.beat());
        Consumer<Answer<Optional<SessionItem>>> answered = answer -> {
            if (answer.isApplied()) {
                log.info("Buried the lock session of {}: it had stopped beating", item.owner());
            }
            peer.answered(answer.item().orElse(null));
        };
        Instant now = context.time.now();
        call(List.of(peer), "bury session", () -> context.store.take(peer.id, bury, now), answered);
    }

    private <T> void call(
            List<Peer> about, String operation, Supplier<CompletionStage<T>> sending, Consumer<T> answered) {
        about.forEach(Peer::calling);
        context.calls.send(Lane.LOCK, operation, sending, answered.andThen(answer -> tellNews()), failure -> {
            about.forEach(Peer::failed);
            tellNews();
        });
    }

    private final class Peer {

        private final SessionId id;
        private final Sight sight = new Sight(context);
        private boolean dead;
        private boolean asked;
        private boolean underWay;
        private EventLoop.@Nullable Timer timer;

        Peer(SessionId id) {
            this.id = id;
        }

        boolean ask() {
            if (dead || sight.isFresh()) {
                return false;
            }
            asked = true;
            if (!underWay) {
                readSoon();
            }
            return true;
        }

        void die() {
            hasNews |= !dead;
            dead = true;
            sight.notAlive();
            cancelTimer();
        }

        void readSoon() {
            cancelTimer();
            underWay = true;
            if (due.isEmpty()) {
                context.loop.execute(PeerWatch.this::readDue);
            }
            due.add(this);
        }

        void calling() {
            underWay = true;
            sight.sent();
        }

        void answered(@Nullable SessionItem item) {
            underWay = false;
            if (item == null) {
                die();
            } else if (!dead) {
                Duration sameBeat = sight.shows(item);
                if (vigil.isSilent(item, sameBeat) || vigil.isLongSilent(item, carefulNow())) {
                    sight.notAlive();
                    bury(this, item);
                } else {
                    answerAndGoOn();
                }
            }
        }

        void failed() {
            underWay = false;
            sight.failed();
            answerAndGoOn();
        }

        private void answerAndGoOn() {
            hasNews |= asked;
            asked = false;
            goOn();
        }

        /** Reads on in time, as long as the session is wanted. */
        void goOn() {
            if (dead || underWay || timer != null || !sight.isWanted()) {
                return;
            }
            Duration untilRead = sight.untilNextRead();
            SessionItem item = sight.item();
            Duration untilBurial = item == null ? untilRead : vigil.left(item, sight.sameBeat());
            if (untilBurial.compareTo(untilRead) < 0) {
                // Overdue already if a burial has failed.
                timer = context.loop.schedule(this::readSoon, untilBurial.isZero() ? sight.interval() : untilBurial);
            } else if (untilRead.isNegative() || untilRead.isZero()) {
                readSoon();
            } else {
                timer = context.loop.schedule(this::readIfStillAhead, untilRead);
                waiting.add(this);
            }
        }

        private void readIfStillAhead() {
            cancelTimer();
            if (sight.isStillAhead()) {
                readSoon();
            }
        }

        void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
                waiting.remove(this);
            }
        }
    }
}
