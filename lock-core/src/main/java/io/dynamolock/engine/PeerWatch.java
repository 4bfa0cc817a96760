package io.dynamolock.engine;

import io.dynamolock.store.BuryResult;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.SessionState;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the sessions of other processes that are ahead of callers of this one, and buries the dead: a session that
 * shows the same beat for its whole lease, by this process's monotonic clock and counted from the arrival of the first
 * answer that showed it. What was seen outlives the attempt that asked for it. Lives on the event loop.
 */
final class PeerWatch {

    private static final Logger log = LoggerFactory.getLogger(PeerWatch.class);
    private static final int MAX_PEERS = 4096;
    private static final Duration SLOWEST_READS = Duration.ofSeconds(1);

    /** Whoever has the session in sight looks again at the latest after so many of the shortest poll intervals. */
    private static final int POLLS_IN_SIGHT = 10;

    /** The read for the next beat comes so much of an interval before that is due. */
    private static final int EARLY_BY = 4;

    /** What is known of a peer. */
    enum Life {
        UNKNOWN,
        ALIVE,
        DEAD
    }

    /** How far ahead of a caller a session stands: if all who wait watched closely, that would be a storm of reads. */
    enum Distance {
        /** The caller is next in line: the session is read at once, then every second. */
        NEXT,
        /** Few are ahead: as before, but for the first time only if it is still ahead after a second. */
        NEAR,
        /** More are ahead than one look shows: every three seconds, and for the first time after three. */
        OUT_OF_SIGHT
    }

    private final EngineSettings settings;
    private final LockStore store;
    private final StoreCalls calls;
    private final EventLoop loop;
    private final TimeSource time;
    private final Consumer<SessionId> died;
    private @Nullable Instant storeClock;
    private long storeClockSeen;
    private final Map<SessionId, Peer> peers = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SessionId, Peer> eldest) {
            return size() > MAX_PEERS;
        }
    };

    /** @param died told once of each peer that is found dead */
    PeerWatch(
            EngineSettings settings,
            LockStore store,
            StoreCalls calls,
            EventLoop loop,
            TimeSource time,
            Consumer<SessionId> died) {
        this.settings = settings;
        this.store = store;
        this.calls = calls;
        this.loop = loop;
        this.time = time;
        this.died = died;
    }

    /** What is known of a session that is ahead of a caller right now; keeps it watched for a while. */
    Life watch(SessionId id, Distance distance) {
        Peer peer = peers.computeIfAbsent(id, Peer::new);
        peer.wanted(distance);
        return peer.life;
    }

    /** Finds out whether the session lives, with a read unless it was seen a moment ago. */
    void ask(SessionId id, Consumer<Life> answer) {
        peers.computeIfAbsent(id, Peer::new).ask(answer);
    }

    boolean isDead(SessionId id) {
        Peer peer = peers.get(id);
        return peer != null && peer.life == Life.DEAD;
    }

    /**
     * The store's clock has just said so. From then on it goes by the monotonic clock: this machine's wall clock may be
     * set ahead at any time, and then every session would look long dead.
     */
    void storeClockSays(Instant at) {
        storeClock = at;
        storeClockSeen = time.nanos();
    }

    /** This machine's wall clock, but never ahead of the store's. */
    private Instant carefulNow() {
        Instant here = time.now();
        if (storeClock == null) {
            return here;
        }
        Instant there = storeClock.plusNanos(time.nanos() - storeClockSeen);
        return there.isBefore(here) ? there : here;
    }

    /** The session is known to be gone. */
    void markDead(SessionId id) {
        peers.computeIfAbsent(id, Peer::new).dead();
    }

    private final class Peer {

        private final SessionId id;
        private final List<Consumer<Life>> asking = new ArrayList<>(0);
        private Life life = Life.UNKNOWN;
        private @Nullable SessionState seen;
        private long seenSince;
        private boolean hasJustBeaten;
        private long readSent;
        private long answeredReadSent;
        private long lastRead;
        private boolean everRead;
        private long firstWanted;
        private long lastWanted;
        private boolean everWanted;
        private Distance distance = Distance.OUT_OF_SIGHT;
        private long distanceSince;
        private boolean reading;
        private EventLoop.@Nullable Timer timer;

        Peer(SessionId id) {
            this.id = id;
        }

        void wanted(Distance from) {
            lastWanted = time.nanos();
            if (!everWanted) {
                firstWanted = lastWanted;
                everWanted = true;
            }
            boolean isNearer = from.compareTo(distance) < 0;
            // It may stand ahead of several callers; the nearest one counts as long as it keeps asking.
            if (isNearer
                    || from == distance
                    || lastWanted - distanceSince
                            >= settings.pollMax().multipliedBy(2).toNanos()) {
                distance = from;
                distanceSince = lastWanted;
            }
            if (isNearer) {
                cancelTimer();
            }
            if (life != Life.DEAD && !reading && timer == null) {
                readLater();
            }
        }

        void ask(Consumer<Life> answer) {
            if (life == Life.DEAD || (life == Life.ALIVE && sinceLastRead().compareTo(shortInterval()) < 0)) {
                answer.accept(life);
                return;
            }
            asking.add(answer);
            if (!reading) {
                read();
            }
        }

        void dead() {
            if (life != Life.DEAD) {
                life = Life.DEAD;
                seen = null;
                cancelTimer();
                died.accept(id);
            }
            answerThoseWhoAsk();
        }

        private void readLater() {
            Duration delay = everRead ? untilNextRead() : interval().minusNanos(time.nanos() - firstWanted);
            if ((!everRead && distance == Distance.NEXT) || delay.isNegative() || delay.isZero()) {
                read();
            } else {
                timer = loop.schedule(everRead ? this::read : this::readIfStillAhead, delay);
            }
        }

        private void read() {
            cancelTimer();
            if (life == Life.DEAD || reading) {
                return;
            }
            reading = true;
            everRead = true;
            readSent = time.nanos();
            calls.send("read session", () -> store.readSession(id), this::answered, this::failed);
        }

        private void cancelTimer() {
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }

        private void answered(Optional<SessionState> answer) {
            reading = false;
            lastRead = time.nanos();
            if (answer.isEmpty()) {
                dead();
                return;
            }
            SessionState state = answer.get();
            life = Life.ALIVE;
            boolean isNewBeat = seen == null || seen.beat() != state.beat();
            hasJustBeaten = isNewBeat
                    && seen != null
                    && Duration.ofNanos(readSent - answeredReadSent).compareTo(betweenBeats()) <= 0;
            answeredReadSent = readSent;
            if (isNewBeat) {
                seenSince = lastRead;
            }
            seen = state;
            if (silentForALease() || silentByWallClock(state)) {
                bury(state);
            } else {
                goOn();
            }
        }

        private boolean silentForALease() {
            return untilBurial().isZero();
        }

        private boolean silentByWallClock(SessionState state) {
            Duration skew = settings.maxClockSkew();
            return !skew.isZero() && state.beatAt().plus(patience()).plus(skew).isBefore(carefulNow());
        }

        private Duration untilBurial() {
            Duration rest = patience().minusNanos(time.nanos() - seenSince);
            return rest.isNegative() ? Duration.ZERO : rest;
        }

        private Duration patience() {
            return lease().plus(settings.lockDelay());
        }

        private Duration lease() {
            return seen == null ? settings.lease() : seen.lease();
        }

        private void bury(SessionState state) {
            reading = true;
            calls.send(
                    "bury session",
                    () -> store.bury(id, state.beat()),
                    result -> {
                        reading = false;
                        if (result == BuryResult.DEAD) {
                            log.info("Buried the lock session of {}: it had stopped beating", state.owner());
                            dead();
                        } else {
                            seen = null;
                            hasJustBeaten = false;
                            goOn();
                        }
                    },
                    this::failed);
        }

        private void failed(StoreFailure failure) {
            reading = false;
            lastRead = time.nanos();
            hasJustBeaten = false;
            goOn();
        }

        private void goOn() {
            answerThoseWhoAsk();
            if (life != Life.DEAD && !reading && timer == null && isStillWanted()) {
                Duration untilNextRead = untilNextRead();
                if (seen != null && untilBurial().compareTo(untilNextRead) < 0) {
                    // Overdue already if a burial has failed.
                    timer = loop.schedule(this::read, silentForALease() ? shortInterval() : untilBurial());
                } else {
                    timer = loop.schedule(this::readIfStillAhead, untilNextRead);
                }
            }
        }

        /** Short holds come and go: a session that has not been ahead since the last read, nor lately, is not read on. */
        private void readIfStillAhead() {
            timer = null;
            Duration unwanted = Duration.ofNanos(time.nanos() - lastWanted);
            if (everRead && lastWanted - lastRead > 0
                    || unwanted.compareTo(settings.pollMin().multipliedBy(POLLS_IN_SIGHT)) < 0) {
                read();
            }
        }

        private boolean isStillWanted() {
            Duration since = Duration.ofNanos(time.nanos() - lastWanted);
            return everWanted
                    && since.compareTo(settings.pollMax().plus(SLOWEST_READS).multipliedBy(2)) < 0;
        }

        private Duration sinceLastRead() {
            return Duration.ofNanos(time.nanos() - lastRead);
        }

        /**
         * A beat that is new since a read a moment ago is a moment old, and what comes before the next would show nothing.
         * That one is expected a little early, and read for at the usual interval if it does not show: or else a read that
         * was late once would make all later ones late.
         */
        private Duration untilNextRead() {
            Duration usual = interval().minus(sinceLastRead());
            Duration untilNextBeat =
                    betweenBeats().minus(interval().dividedBy(EARLY_BY)).minusNanos(time.nanos() - readSent);
            return hasJustBeaten && untilNextBeat.compareTo(usual) > 0 ? untilNextBeat : usual;
        }

        /** Processes are taken to beat equally often within their leases. */
        private Duration betweenBeats() {
            return settings.heartbeat()
                    .multipliedBy(lease().toMillis())
                    .dividedBy(settings.lease().toMillis());
        }

        private Duration interval() {
            return distance == Distance.OUT_OF_SIGHT ? shortInterval().multipliedBy(3) : shortInterval();
        }

        private Duration shortInterval() {
            Duration twentieth = lease().dividedBy(20);
            return twentieth.compareTo(SLOWEST_READS) < 0 ? twentieth : SLOWEST_READS;
        }

        private void answerThoseWhoAsk() {
            List<Consumer<Life>> answered = List.copyOf(asking);
            asking.clear();
            answered.forEach(answer -> answer.accept(life));
        }
    }
}
