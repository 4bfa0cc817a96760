package io.dynamolock.engine;

import io.dynamolock.store.BeatResult;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates this process's session when someone needs it, beats it, and notices when it is lost. One beat serves every
 * lock of the process, as in Chubby and etcd. Lives on the event loop.
 */
final class SessionKeeper {

    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);

    /** Who depends on the session. */
    interface Dependants {

        /** Whether anyone waits for a session to be there. */
        boolean needSession();

        void sessionStarted(Session session);

        /** Creating a session failed; it is tried again as long as someone needs it. */
        void sessionNotStarted(StoreFailure failure);

        void sessionLost(Session session);

        void disputed(Set<Dispute> disputes);

        /** What the store's clock said when it answered just now. */
        void storeClockSays(Instant at);
    }

    private final EngineSettings settings;
    private final LockStore store;
    private final StoreCalls calls;
    private final EventLoop loop;
    private final TimeSource time;
    private final Backoff backoff;
    private final Supplier<SessionId> ids;
    private final EndedSessions ended;
    private final Dependants dependants;
    private final Set<Dispute> settled = new HashSet<>();

    private @Nullable Session session;
    private long beats;
    private boolean creating;
    private int failures;
    private @Nullable StoreFailure failure;
    private boolean closed;
    private EventLoop.@Nullable Timer beatTimer;
    private EventLoop.@Nullable Timer expiryTimer;

    SessionKeeper(EngineContext context, EndedSessions ended, Dependants dependants) {
        this.settings = context.settings;
        this.store = context.store;
        this.calls = context.calls;
        this.loop = context.loop;
        this.time = context.time;
        this.backoff = context.backoff;
        this.ids = () -> new SessionId(context.newId());
        this.ended = ended;
        this.dependants = dependants;
    }

    /** The session if it is valid at this moment; else {@code null}, and one is on its way if someone needs it. */
    @Nullable
    Session live() {
        check();
        if (session == null && !creating && !closed) {
            create();
        }
        return session;
    }

    /** Whether this is the present session. */
    boolean isOwn(SessionId id) {
        return session != null && session.id().equals(id);
    }

    /** Why creating the session failed the last time, {@code null} once there is one. */
    @Nullable
    StoreFailure failure() {
        return failure;
    }

    /** Declares the session lost if its validity is over. */
    void check() {
        Session current = session;
        if (current != null && !current.isValid()) {
            lose(current, false);
        }
    }

    /** Ends the session without telling anyone; the id of the item to delete, if there may be one. */
    @Nullable
    SessionId close() {
        closed = true;
        cancelTimers();
        Session current = session;
        session = null;
        if (current == null) {
            return null;
        }
        current.end();
        return current.id();
    }

    private void create() {
        creating = true;
        SessionId id = ids.get();
        Session.Sending sending = Session.Sending.now(time);
        // Never sent twice for one id: a late second landing would bring a buried session back.
        calls.sendFirst(
                "create session",
                callTimeout(),
                () -> store.createSession(id, settings.lease(), settings.owner(), sending.at()),
                done -> created(new Session(id, settings, time, sending)),
                failure -> notCreated(id, failure));
    }

    private void created(Session candidate) {
        creating = false;
        if (closed || !candidate.isValid()) {
            ended.end(candidate.id());
            retryLater();
            return;
        }
        StoreFailure wrongClock = wrongClock();
        if (wrongClock != null) {
            ended.end(candidate.id());
            dependants.sessionNotStarted(wrongClock);
            retryLater();
            return;
        }
        failures = 0;
        failure = null;
        store.lastAnsweredAt().ifPresent(dependants::storeClockSays);
        session = candidate;
        beats = 0;
        settled.clear();
        expireLater(candidate);
        beatLater(candidate, settings.heartbeat());
        dependants.sessionStarted(candidate);
    }

    /**
     * Others may bury a session at once whose last beat lies further back than the lease and the bound on clock skew,
     * by their wall clocks. A process whose clock breaks that bound must hold nothing.
     */
    private @Nullable StoreFailure wrongClock() {
        Instant here = time.now();
        Instant there = store.lastAnsweredAt().orElse(here);
        Duration off = Duration.between(there, here);
        if (settings.maxClockSkew().isZero()
                || off.abs().compareTo(settings.maxClockSkew().dividedBy(2)) <= 0) {
            return null;
        }
        return new StoreFailure(
                StoreFailure.Kind.REFUSED,
                "The clock of this machine says " + here + ", that of the store " + there
                        + ". They may differ by half of"
                        + " maxClockSkew (" + settings.maxClockSkew()
                        + ") at the most. Set the clock of this machine, or switch"
                        + " burying by wall clock off on all processes with maxClockSkew = 0.",
                null);
    }

    private void notCreated(SessionId id, StoreFailure why) {
        creating = false;
        if (why.mayHaveTakenEffect()) {
            ended.end(id);
        }
        if (!closed) {
            failure = why;
            dependants.sessionNotStarted(why);
            retryLater();
        }
    }

    private void retryLater() {
        failures++;
        loop.schedule(
                () -> {
                    if (dependants.needSession()) {
                        live();
                    }
                },
                backoff.delay(failures));
    }

    private void beatLater(Session current, Duration delay) {
        beatTimer = loop.schedule(() -> beat(current), delay);
    }

    private void beat(Session current) {
        if (session != current) {
            return;
        }
        if (!current.isValid()) {
            lose(current, false);
            return;
        }
        Session.Sending sending = Session.Sending.now(time);
        if (!settings.maxClockSkew().isZero()
                && current.wallClockFellBack(sending)
                                .compareTo(settings.maxClockSkew().dividedBy(2))
                        > 0) {
            // Writing this beat would make the session look long dead.
            lose(current, false);
            return;
        }
        Set<Dispute> settling = Set.copyOf(settled);
        long number = ++beats;
        calls.sendFirst(
                "beat",
                callTimeout(),
                () -> store.beat(current.id(), number, settling, sending.at()),
                result -> beaten(current, sending, settling, result),
                failure -> {
                    if (session == current) {
                        log.warn(
                                "A heartbeat of the lock session failed, it will be repeated: {}",
                                failure.getMessage());
                        beatLater(current, backoff.jittered(settings.heartbeat().dividedBy(4)));
                    }
                });
    }

    private void beaten(Session current, Session.Sending sending, Set<Dispute> settling, BeatResult result) {
        if (session != current) {
            return;
        }
        if (!(result instanceof BeatResult.Alive alive)) {
            lose(current, true);
            return;
        }
        if (!current.isValid()) {
            lose(current, false);
            return;
        }
        current.extend(sending);
        expireLater(current);
        Duration sinceSending = Duration.ofNanos(time.nanos() - sending.nanos());
        Duration rest = settings.heartbeat().minus(sinceSending);
        beatLater(current, rest.isNegative() ? Duration.ZERO : rest);
        settled.removeAll(settling);
        settled.addAll(alive.disputes());
        if (!alive.disputes().isEmpty()) {
            dependants.disputed(alive.disputes());
        }
    }

    private void expireLater(Session current) {
        if (expiryTimer != null) {
            expiryTimer.cancel();
        }
        expiryTimer = loop.schedule(
                () -> {
                    if (session == current) {
                        if (current.isValid()) {
                            expireLater(current);
                        } else {
                            lose(current, false);
                        }
                    }
                },
                current.remaining().plusNanos(1));
    }

    private void lose(Session current, boolean itemGone) {
        log.warn(
                "The lock session of {} is lost: {}. All locks held under it are invalid.",
                settings.owner(),
                itemGone
                        ? "another process found it without a heartbeat for a lease and buried it"
                        : "no heartbeat got through for a lease");
        current.end();
        session = null;
        cancelTimers();
        if (itemGone) {
            ended.knownDead(current.id());
        } else {
            ended.end(current.id());
        }
        dependants.sessionLost(current);
    }

    private void cancelTimers() {
        if (beatTimer != null) {
            beatTimer.cancel();
        }
        if (expiryTimer != null) {
            expiryTimer.cancel();
        }
    }

    /** A beat has its answer, or is given up, well inside the lease. */
    private Duration callTimeout() {
        Duration quarter = settings.lease().dividedBy(4);
        return settings.callTimeout().compareTo(quarter) < 0 ? settings.callTimeout() : quarter;
    }
}
