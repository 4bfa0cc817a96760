package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
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
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sessions of other processes that are ahead of callers of this one, and buries the dead: a session that shows
 * the same beat for its whole lease, by this process's monotonic clock and counted from the arrival of the first answer
 * that showed it. What was seen outlives the attempt that asked for it. Lives on the event loop.
 */
final class PeerWatch {

    private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);
    private static final int MAX_PEERS = 4096;
    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** A process that has the session in sight looks again at the latest after so many of the shortest poll intervals. */
    private static final int POLLS_IN_SIGHT = 10;

    /** The read for the next beat comes so much of an interval before that is due; others go along with one so early. */
    private static final int EARLY_BY = 4;

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
            if (size() <= MAX_PEERS) {
                return false;
            }
            eldest.getValue().cancelTimer();
            return true;
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
        peer(id).wanted();
    }

    /** Finds out soon whether the session lives; whether there will be news of it, for it may be known, or not to be had. */
    boolean ask(SessionId id) {
        return peer(id).ask();
    }

    boolean isDead(SessionId id) {
        Peer peer = known(id);
        return peer != null && peer.dead;
    }

    /** Whether the session has missed a beat. */
    boolean isQuiet(SessionId id) {
        Peer peer = known(id);
        return peer != null && peer.quiet;
    }

    /** Whether the session was found alive a moment ago. */
    boolean isAlive(SessionId id) {
        Peer peer = known(id);
        return peer != null && peer.isAlive();
    }

    /** The name of the session's process, if it has been read. */
    @Nullable
    String owner(SessionId id) {
        Peer peer = known(id);
        return peer == null || peer.seen == null ? null : peer.seen.owner();
    }

    /** The session is known to be gone. */
    void markDead(SessionId id) {
        peer(id).dies();
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

    private @Nullable Peer known(SessionId id) {
        assert context.loop.isCurrent();
        return peers.get(id);
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
        List.copyOf(waiting).stream().filter(Peer::mayGoAlong).forEach(Peer::readSoon);
        List<Peer> all = due.stream().filter(peer -> !peer.dead).toList();
        due.clear();
        for (int from = 0; from < all.size(); from += LockStore.MOST_SESSIONS) {
            read(all.subList(from, Math.min(all.size(), from + LockStore.MOST_SESSIONS)));
        }
    }

    private void read(List<Peer> some) {
        Set<SessionId> ids = some.stream().map(peer -> peer.id).collect(Collectors.toUnmodifiableSet());
        some.forEach(peer -> peer.sent = context.time.nanos());
        context.calls.send(
                Lane.LOCK,
                "read sessions",
                () -> context.store.sessions(ids),
                found -> {
                    some.forEach(peer -> peer.answered(found.get(peer.id)));
                    tellNews();
                },
                failure -> {
                    some.forEach(Peer::failed);
                    tellNews();
                });
    }

    private final class Peer {

        private final SessionId id;
        private @Nullable SessionItem seen;
        private long seenSince;
        private boolean dead;
        private boolean quiet;
        private boolean found;
        private boolean failed;
        private boolean asked;
        private boolean hasJustBeaten;
        private boolean underWay;
        private long sent;
        private long sentBefore;
        private long lastRead = context.time.nanos() - SLOWEST_READS.toNanos();
        private long lastWanted = context.time.nanos() - wantedFor().toNanos();
        private boolean wantedSince;
        private EventLoop.@Nullable Timer timer;
        private long dueAt;

        Peer(SessionId id) {
            this.id = id;
        }

        void wanted() {
            lastWanted = context.time.nanos();
            wantedSince = true;
            goOn();
        }

        boolean ask() {
            boolean isPausing = failed && context.since(lastRead).compareTo(interval()) < 0;
            if (dead || isAlive() || isPausing) {
                return false;
            }
            asked = true;
            if (!underWay) {
                readSoon();
            }
            return true;
        }

        boolean isAlive() {
            return found && !dead && context.since(lastRead).compareTo(interval()) < 0;
        }

        void dies() {
            if (!dead) {
                dead = true;
                quiet = false;
                hasNews = true;
                cancelTimer();
            }
        }

        void readSoon() {
            cancelTimer();
            underWay = true;
            if (due.isEmpty()) {
                context.loop.execute(PeerWatch.this::readDue);
            }
            due.add(this);
        }

        boolean mayGoAlong() {
            Duration early = interval().dividedBy(EARLY_BY);
            return context.since(dueAt).plus(early).compareTo(Duration.ZERO) >= 0 && isStillAhead();
        }

        void answered(@Nullable SessionItem item) {
            endCall();
            failed = false;
            if (item == null) {
                dies();
            }
            if (dead || item == null) {
                return;
            }
            boolean isNewBeat = seen == null || seen.beat() != item.beat();
            hasJustBeaten = isNewBeat
                    && seen != null
                    && Duration.ofNanos(sent - sentBefore).compareTo(betweenBeats()) <= 0;
            sentBefore = sent;
            if (isNewBeat) {
                seenSince = lastRead;
            }
            seen = item;
            Duration sameBeat = Duration.ofNanos(lastRead - seenSince);
            quiet = sameBeat.multipliedBy(2).compareTo(betweenBeats().multipliedBy(3)) > 0;
            if (vigil.isSilent(item, sameBeat) || vigil.isLongSilent(item, carefulNow())) {
                bury(item);
            } else {
                found = true;
                answerIfAsked();
                goOn();
            }
        }

        private void bury(SessionItem item) {
            underWay = true;
            sent = context.time.nanos();
            context.calls.send(
                    Lane.LOCK,
                    "bury session",
                    () -> context.store.take(id, new SessionStep.Bury(item.beat()), context.time.now()),
                    answer -> {
                        if (answer.isApplied()) {
                            log.info("Buried the lock session of {}: it had stopped beating", item.owner());
                        }
                        answered(answer.item().orElse(null));
                        tellNews();
                    },
                    failure -> {
                        failed();
                        tellNews();
                    });
        }

        void failed() {
            endCall();
            failed = true;
            hasJustBeaten = false;
            answerIfAsked();
            goOn();
        }

        private void endCall() {
            underWay = false;
            found = false;
            wantedSince = false;
            lastRead = context.time.nanos();
        }

        private void answerIfAsked() {
            hasNews |= asked;
            asked = false;
        }

        /** Reads on in time, as long as the session is wanted. */
        private void goOn() {
            if (dead || underWay || timer != null || context.since(lastWanted).compareTo(wantedFor()) >= 0) {
                return;
            }
            Duration untilNextRead = untilNextRead();
            Duration untilBurial = seen == null ? untilNextRead : vigil.left(seen, context.since(seenSince));
            if (untilBurial.compareTo(untilNextRead) < 0) {
                // Overdue already if a burial has failed.
                timer = context.loop.schedule(this::readSoon, untilBurial.isZero() ? interval() : untilBurial);
            } else if (untilNextRead.isNegative() || untilNextRead.isZero()) {
                readSoon();
            } else {
                timer = context.loop.schedule(this::readIfStillAhead, untilNextRead);
                dueAt = context.time.nanos() + untilNextRead.toNanos();
                waiting.add(this);
            }
        }

        private void readIfStillAhead() {
            cancelTimer();
            if (isStillAhead()) {
                readSoon();
            }
        }

        /** Short holds come and go: a session that has not been ahead since the last read, nor lately, is not read on. */
        private boolean isStillAhead() {
            Duration inSight = context.settings.pollMin().multipliedBy(POLLS_IN_SIGHT);
            return wantedSince || context.since(lastWanted).compareTo(inSight) < 0;
        }

        private void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
                waiting.remove(this);
            }
        }

        private Duration wantedFor() {
            return context.settings.pollMax().plus(SLOWEST_READS).multipliedBy(2);
        }

        /**
         * A beat that is new since a read a moment ago is a moment old, and what comes before the next would show nothing.
         * That one is expected a little early, and read for at the usual interval if it does not show: or else a read that
         * was late once would make all later ones late.
         */
        private Duration untilNextRead() {
            Duration usual = interval().minus(context.since(lastRead));
            Duration untilNextBeat =
                    betweenBeats().minus(interval().dividedBy(EARLY_BY)).minus(context.since(sent));
            return hasJustBeaten && untilNextBeat.compareTo(usual) > 0 ? untilNextBeat : usual;
        }

        /** Processes are taken to beat equally often within their leases. */
        private Duration betweenBeats() {
            return context.settings
                    .heartbeat()
                    .multipliedBy(lease().toMillis())
                    .dividedBy(context.settings.lease().toMillis());
        }

        private Duration lease() {
            return seen == null ? context.settings.lease() : seen.lease();
        }

        private Duration interval() {
            Duration twentieth = lease().dividedBy(20);
            return twentieth.compareTo(SLOWEST_READS) < 0 ? twentieth : SLOWEST_READS;
        }
    }
}
