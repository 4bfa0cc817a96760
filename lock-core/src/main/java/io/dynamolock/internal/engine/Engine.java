package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.AcquireSpec;
import io.dynamolock.engine.EngineListener;
import io.dynamolock.engine.EngineSettings;
import io.dynamolock.engine.EventLoop;
import io.dynamolock.engine.HoldLimits;
import io.dynamolock.engine.LossReason;
import io.dynamolock.engine.TimeSource;
import io.dynamolock.internal.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link LockState}, {@link OwnSession} and {@link Peers}, which decide: it hands them events, and does what they say. It runs
 * the calls to the store and the timers, and tells callers and listeners. Thread-safe; everything within happens on one event loop.
 */
public final class Engine implements Grant.Owner {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The store's clock may tell its time to the second. */
    private static final Duration STORE_CLOCK_STEP = Duration.ofSeconds(1);

    /** A key of which something is known or wanted, and the timer that wakes it. */
    private static final class Lock {

        private final LockState state;
        private EventLoop.@Nullable Timer timer;
        private long wakesAt;

        Lock(LockState state) {
            this.state = state;
        }
    }

    /** Something that happens to one lock. */
    private record Happening(LockKey key, Event event) {}

    private final EngineSettings settings;
    private final LockStore store;
    private final EventLoop loop;
    private final TimeSource time;
    private final EngineListener listener;
    private final LockSettings lockSettings;
    private final StoreCalls calls;
    private final OwnSession session;
    private final Peers peers;

    private final Map<LockKey, Lock> locks = new HashMap<>();
    private final Map<Waiter, Acquisition> acquisitions = new HashMap<>();
    private final Map<Hold, Grant> grants = new HashMap<>();
    private final Map<Hold, EventLoop.Timer> ends = new HashMap<>();
    private final Map<Hold, LockData> left = new HashMap<>();
    private final Map<Hold, CompletableFuture<Boolean>> puts = new HashMap<>();
    private final Map<Hold, CompletableFuture<Boolean>> downgrades = new HashMap<>();
    private final Deque<Happening> agenda = new ArrayDeque<>();
    private final Set<Grant> held = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> shutdown = new CompletableFuture<>();
    private EventLoop.Timer sessionTimer = () -> {};
    private EventLoop.Timer peersTimer = () -> {};
    private boolean isRunning;
    private boolean isClosed;
    private long arrivals;
    private long numbers;
    private long greatestTail;
    private @Nullable Long lastOdd;
    private @Nullable Instant storeClock;
    private long storeClockAsked;
    private long storeClockSeen;

    /**
     * @param random for ids and jitter; used on the event loop only; ids must not repeat across processes
     */
    public Engine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            EngineListener listener) {
        this.settings = settings;
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.listener = listener;
        FailureDetection detection =
                new FailureDetection(settings.lease(), settings.lockDelay(), settings.maxClockSkew());
        this.lockSettings = new LockSettings(
                new PollingInterval(settings.pollMin(), settings.pollMax()),
                detection,
                settings.maxQueue(),
                settings.callTimeout(),
                settings.retention());
        this.calls = new StoreCalls(loop, listener, settings.maxCallsInFlight());
        this.session = new OwnSession(settings, time, random, LockStore.timeToBegin(settings.callTimeout()));
        this.peers = new Peers(settings, detection);
    }

    /** Starts to acquire; returns at once. */
    public Acquisition acquire(AcquireSpec spec) {
        Acquisition acquisition = new Acquisition(spec, this::left);
        long now = time.nanos();
        if (!loop.execute(() -> arrive(acquisition, now))) {
            acquisition.closed();
        }
        return acquisition;
    }

    private void arrive(Acquisition acquisition, long arrivedNanos) {
        if (isClosed) {
            acquisition.closed();
            return;
        }
        AcquireSpec spec = acquisition.spec();
        Waiter waiter = new Waiter(spec, ++arrivals, arrivedNanos);
        acquisition.waitsAs(waiter);
        acquisitions.put(waiter, acquisition);
        if (!spec.waitsForever()) {
            acquisition.endsWith(
                    loop.schedule(() -> happens(spec.key(), new Event.WaitOver(waiter)), waiter.left(time.nanos())));
        }
        happens(spec.key(), new Event.Arrived(waiter));
    }

    private void left(Acquisition acquisition) {
        loop.execute(() -> {
            Waiter waiter = acquisition.waiter();
            if (waiter != null && acquisitions.containsKey(waiter)) {
                happens(waiter.spec().key(), new Event.Left(waiter));
            }
        });
    }

    /** The valid grants of this process. */
    public List<Grant> held() {
        return held.stream().filter(Grant::isValid).toList();
    }

    // Events and effects

    /** Events are handled one after the other: what one of them leads to at once comes after it. */
    private void happens(LockKey key, Event event) {
        agenda.add(new Happening(key, event));
        if (!isRunning) {
            isRunning = true;
            try {
                for (Happening next = agenda.poll(); next != null; next = agenda.poll()) {
                    try {
                        handle(next.key(), next.event());
                    } catch (RuntimeException odd) {
                        giveUp(next.key(), odd);
                    }
                }
            } finally {
                isRunning = false;
            }
        }
    }

    private void handle(LockKey key, Event event) {
        Lock lock = locks.computeIfAbsent(key, this::lock);
        lock.state.on(event, now()).forEach(effect -> run(key, effect));
        if (lock.state.isIdle()) {
            stop(lock);
            locks.remove(key);
            run(peers.watch(key, List.of(), time.nanos()));
        } else {
            wakeLater(key, lock);
        }
    }

    /** A step has failed that never should: that lock alone fails, and its holders are told before anything else is done about it. */
    private void giveUp(LockKey key, RuntimeException odd) {
        if (lastOdd == null || time.nanos() - lastOdd >= MINUTE.toNanos()) {
            lastOdd = time.nanos();
            log.error("A step of the lock engine failed; this is a bug in DynamoLock, please report it", odd);
        }
        Lock lock = locks.remove(key);
        if (lock != null) {
            stop(lock);
        }
        List.copyOf(grants.values()).stream()
                .filter(grant -> grant.key().equals(key))
                .forEach(grant -> {
                    forget(grant.hold());
                    grant.lose(LossReason.TAKEN_AWAY);
                });
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.UNREADABLE, "The lock engine failed: " + odd, odd);
        List.copyOf(acquisitions.keySet()).stream()
                .filter(waiter -> waiter.spec().key().equals(key))
                .forEach(waiter -> run(
                        key,
                        new Effect.Ended(waiter, new AcquireOutcome.Failed(waiter.waited(time.nanos()), failure))));
    }

    private Lock lock(LockKey key) {
        LockState state = new LockState(key, lockSettings, peers, this::base);
        if (session.stage() == OwnSession.Stage.VALID) {
            state.on(new Event.SessionBegan(session.validity().id(), () -> ++numbers), now());
        }
        return new Lock(state);
    }

    private long base() {
        Instant now = time.now();
        return Math.max(now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000, greatestTail + 1);
    }

    private Now now() {
        return new Now(time.nanos(), passedByStore(), session.validity().isValid());
    }

    private void wakeLater(LockKey key, Lock lock) {
        long at = lock.state.wakeAt();
        if (lock.timer != null && lock.wakesAt == at) {
            return;
        }
        stop(lock);
        if (at != Long.MAX_VALUE) {
            lock.wakesAt = at;
            lock.timer = loop.schedule(
                    () -> {
                        lock.timer = null;
                        happens(key, new Event.Woke());
                    },
                    Duration.ofNanos(Math.max(0, at - time.nanos())));
        }
    }

    private static void stop(Lock lock) {
        if (lock.timer != null) {
            lock.timer.cancel();
            lock.timer = null;
        }
    }

    private void tellAll(Event event) {
        List.copyOf(locks.keySet()).forEach(key -> happens(key, event));
    }

    private void run(LockKey key, Effect effect) {
        if (effect instanceof Effect.SendEdit send) {
            SentEdit sent = send.edit();
            calls.send(
                    Lane.LOCK,
                    "edit",
                    settings.callTimeout(),
                    () -> store.edit(key, sent.edit(), time.now()),
                    answer -> {
                        greatestTail = Math.max(greatestTail, answer.item().tail());
                        happens(key, new Event.Edited(sent, answer.item(), answer.isApplied()));
                    },
                    failure -> happens(key, new Event.EditFailed(sent, failure)));
        } else if (effect instanceof Effect.SendRead send) {
            SentRead sent = send.read();
            calls.send(
                    Lane.LOCK,
                    "read",
                    settings.callTimeout(),
                    () -> store.read(key, sent.consistent()),
                    item -> {
                        greatestTail = Math.max(greatestTail, item.tail());
                        happens(key, new Event.Read(sent, item));
                    },
                    failure -> happens(key, new Event.ReadFailed(sent, failure)));
        } else if (effect instanceof Effect.Granted granted) {
            granted(key, granted.waiter(), granted.hold());
        } else if (effect instanceof Effect.Ended ended) {
            Acquisition acquisition = acquisitions.remove(ended.waiter());
            if (acquisition != null) {
                acquisition.end(ended.outcome());
            }
        } else if (effect instanceof Effect.Queued queued) {
            Acquisition acquisition = acquisitions.get(queued.waiter());
            if (acquisition != null) {
                acquisition.queued(queued.ahead());
                listener.queued(queued.waiter().spec(), 0, queued.ahead());
            }
        } else if (effect instanceof Effect.ReleaseDone done) {
            Grant grant = forget(done.hold());
            if (grant != null) {
                listener.released(grant.spec(), grant.ticket(), grant.held());
                grant.releaseDone();
            }
        } else if (effect instanceof Effect.Lost lost) {
            Grant grant = forget(lost.hold());
            if (grant != null) {
                grant.lose(lost.reason());
            }
        } else if (effect instanceof Effect.DataWritten written) {
            dataWritten(written);
        } else if (effect instanceof Effect.StandsAs stands) {
            Grant grant = grants.get(stands.hold());
            if (grant != null) {
                grant.standsAs(stands.entry());
            }
        } else if (effect instanceof Effect.NowReader reader) {
            Grant grant = grants.get(reader.hold());
            CompletableFuture<Boolean> asked = downgrades.remove(reader.hold());
            if (grant != null && asked != null) {
                grant.goesOnAsReader();
                asked.complete(true);
            }
        } else if (effect instanceof Effect.Watch watch) {
            run(peers.watch(key, watch.sessions(), time.nanos()));
        } else if (effect instanceof Effect.Look look) {
            run(peers.look(look.sessions(), time.nanos()));
        } else if (effect instanceof Effect.Notify notify) {
            leave(notify.session(), notify.notice());
        } else if (effect instanceof Effect.WantSession) {
            runOwn(session.wanted());
        }
    }

    private void granted(LockKey key, Waiter waiter, Hold hold) {
        Acquisition acquisition = acquisitions.remove(waiter);
        Grant grant = new Grant(key, hold, session.validity(), time, this);
        grants.put(hold, grant);
        held.add(grant);
        limited(grant);
        listener.acquired(waiter.spec(), hold.ticket(), waiter.waited(time.nanos()), false);
        if (acquisition == null || !acquisition.grant(grant)) {
            grant.giveBack();
        }
    }

    private @Nullable Grant forget(Hold hold) {
        left.remove(hold);
        EventLoop.Timer end = ends.remove(hold);
        if (end != null) {
            end.cancel();
        }
        CompletableFuture<Boolean> downgrade = downgrades.remove(hold);
        if (downgrade != null) {
            downgrade.complete(false);
        }
        Grant grant = grants.remove(hold);
        if (grant != null) {
            held.remove(grant);
        }
        return grant;
    }

    private void dataWritten(Effect.DataWritten written) {
        CompletableFuture<Boolean> result = puts.remove(written.hold());
        Grant grant = grants.get(written.hold());
        if (grant != null && written.isWritten()) {
            grant.wrote(written.data());
        }
        if (result != null) {
            result.complete(written.isWritten());
        }
    }

    // What owners do with their grants

    @Override
    public boolean released(Grant grant, @Nullable LockData data) {
        held.remove(grant);
        return loop.execute(() -> {
            Duration rest = restOf(grant);
            Runnable release = () -> happens(grant.key(), new Event.Released(grant.hold(), data));
            if (rest.isZero()) {
                release.run();
            } else if (grants.containsKey(grant.hold())) {
                grant.releaseDone();
                if (data != null) {
                    left.put(grant.hold(), data);
                }
                endsAfter(grant, rest, release);
            }
        });
    }

    /** How much longer it is to be held. */
    private Duration restOf(Grant grant) {
        Duration least = grant.least();
        Duration rest = least == null
                ? Duration.ZERO
                : least.minusNanos(time.nanos() - grant.hold().grantedNanos());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void endsAfter(Grant grant, Duration rest, Runnable end) {
        EventLoop.Timer before = ends.put(grant.hold(), loop.schedule(end, rest));
        if (before != null) {
            before.cancel();
        }
    }

    @Override
    public boolean limited(Grant grant) {
        return loop.execute(() -> {
            HoldLimits limits = grant.limits().orElse(null);
            if (limits == null || !grants.containsKey(grant.hold())) {
                // What ends it now is the rest of its shortest hold.
                return;
            }
            EventLoop.Timer before = ends.remove(grant.hold());
            if (before != null) {
                before.cancel();
            }
            if (limits.maxHold() != null) {
                Duration rest = limits.maxHold().minus(grant.held());
                endsAfter(grant, rest.isNegative() ? Duration.ZERO : rest, grant::isValid);
            }
        });
    }

    @Override
    public boolean lost(Grant grant, LossReason reason) {
        held.remove(grant);
        listener.lost(grant.spec(), grant.ticket(), grant.held(), reason);
        return loop.execute(() -> {
            // Those that are lost because the engine stops may have to be kept.
            if (reason != LossReason.CLOSED && grants.containsKey(grant.hold())) {
                happens(grant.key(), new Event.Forced(grant.hold(), reason));
            }
        });
    }

    @Override
    public boolean put(Grant grant, LockData data, CompletableFuture<Boolean> written) {
        return loop.execute(() -> {
            tellWith(written, puts.put(grant.hold(), written));
            happens(grant.key(), new Event.DataPut(grant.hold(), data));
        });
    }

    @Override
    public boolean downgraded(Grant grant, CompletableFuture<Boolean> isReader) {
        return loop.execute(() -> {
            if (grants.containsKey(grant.hold())) {
                tellWith(isReader, downgrades.put(grant.hold(), isReader));
                happens(grant.key(), new Event.Downgraded(grant.hold()));
            } else {
                isReader.complete(false);
            }
        });
    }

    /** Who asked before for the same, and is not told yet, is told the same. */
    private static void tellWith(CompletableFuture<Boolean> last, @Nullable CompletableFuture<Boolean> before) {
        if (before != null) {
            last.thenAccept(before::complete);
        }
    }

    // The own session

    private void runOwn(List<OwnSession.Effect> effects) {
        effects.forEach(this::run);
        sessionTimer.cancel();
        long at = session.wakeAt();
        if (at != Long.MAX_VALUE) {
            sessionTimer =
                    loop.schedule(() -> runOwn(session.woke()), Duration.ofNanos(Math.max(0, at - time.nanos())));
        }
    }

    private void run(OwnSession.Effect effect) {
        if (effect instanceof OwnSession.Effect.SendBegin begin) {
            Validity candidate = begin.candidate();
            long sent = time.nanos();
            calls.send(
                    Lane.HEARTBEAT,
                    "begin session",
                    begin.timeout(),
                    () -> store.edit(
                            candidate.id(), begin.edit(), candidate.begun().at()),
                    answer -> {
                        hearStoreClock(sent);
                        runOwn(session.beginAnswered(candidate, answer.isApplied(), storeClock));
                    },
                    failure -> runOwn(session.beginFailed(candidate, failure)));
        } else if (effect instanceof OwnSession.Effect.SendHeartbeat beat) {
            calls.send(
                    Lane.HEARTBEAT,
                    "heartbeat",
                    beat.timeout(),
                    () -> store.edit(beat.id(), beat.edit(), beat.sending().at()),
                    answer -> runOwn(session.heartbeatAnswered(beat.id(), beat.sending(), answer.item())),
                    failure -> {
                        log.warn("A heartbeat of the lock session failed, it is repeated: {}", failure.getMessage());
                        runOwn(session.heartbeatFailed(beat.id()));
                    });
        } else if (effect instanceof OwnSession.Effect.Delete delete) {
            delete(delete.id(), settings.pollMin());
        } else if (effect instanceof OwnSession.Effect.Began began) {
            numbers = 0;
            listener.sessionStarted(began.validity().id());
            tellAll(new Event.SessionBegan(began.validity().id(), () -> ++numbers));
        } else if (effect instanceof OwnSession.Effect.NotBegun not) {
            tellAll(new Event.NoSession(not.failure()));
        } else if (effect instanceof OwnSession.Effect.Over over) {
            log.warn(
                    "The lock session of {} is lost: {}. All locks held under it are invalid.",
                    settings.owner(),
                    over.end().inWords());
            listener.sessionLost(over.id());
            tellAll(new Event.SessionOver(LossReason.SESSION_LOST));
            if (over.end() == OwnSession.End.EXPIRED) {
                run(peers.gone(over.id(), time.nanos()));
            }
        } else if (effect instanceof OwnSession.Effect.Heard heard) {
            for (Notice notice : heard.notices()) {
                happens(notice.key(), new Event.Notified(notice));
            }
        }
    }

    /** Deletes the item of an own session that is over: that frees all that it held. */
    private void delete(SessionId id, Duration pause) {
        calls.send(
                Lane.BACKGROUND,
                "end session",
                settings.callTimeout(),
                () -> store.edit(id, new SessionEdit.End(), time.now()),
                answer -> run(peers.gone(id, time.nanos())),
                failure -> {
                    Duration longer = pause.multipliedBy(2);
                    Duration next = longer.compareTo(settings.lease()) < 0 ? longer : settings.lease();
                    loop.schedule(() -> delete(id, next), next);
                });
    }

    private void hearStoreClock(long sentNanos) {
        store.lastAnsweredAt().ifPresent(at -> {
            storeClock = at;
            storeClockAsked = sentNanos;
            storeClockSeen = time.nanos();
        });
    }

    /** By the store's clock: counted from the answer that told it. */
    private Instant passedByStore() {
        return storeClock == null ? time.now() : storeClock.plusNanos(time.nanos() - storeClockSeen);
    }

    /** A moment that has certainly not passed yet by the store's clock: counted from the question. */
    private Instant aheadOfStore() {
        Instant now = storeClock == null ? time.now() : storeClock.plusNanos(time.nanos() - storeClockAsked);
        return now.plus(STORE_CLOCK_STEP);
    }

    // Other processes' sessions

    private void run(List<Peers.Effect> effects) {
        for (Peers.Effect effect : effects) {
            if (effect instanceof Peers.Effect.Read read) {
                calls.send(
                        Lane.LOCK,
                        "read sessions",
                        settings.callTimeout(),
                        () -> store.sessions(read.ids()),
                        found -> run(peers.read(read.ids(), found, carefulNow(), time.nanos())),
                        failure -> run(peers.readFailed(read.ids(), time.nanos())));
            } else if (effect instanceof Peers.Effect.Expire expire) {
                expire(expire.id(), expire.seen());
            } else {
                tellAll(new Event.PeersSeen());
            }
        }
        peersTimer.cancel();
        long at = peers.wakeAt();
        if (at != Long.MAX_VALUE) {
            peersTimer = loop.schedule(
                    () -> run(peers.woke(time.nanos())), Duration.ofNanos(Math.max(0, at - time.nanos())));
        }
    }

    private void expire(SessionId id, SessionItem seen) {
        calls.send(
                Lane.LOCK,
                "expire session",
                settings.callTimeout(),
                () -> store.edit(id, new SessionEdit.Expire(seen.heartbeat()), time.now()),
                answer -> {
                    if (answer.isApplied()) {
                        log.info("Expired the lock session of {}: its heartbeat had stopped", seen.owner());
                    }
                    run(peers.expired(id, answer.item().orElse(null), carefulNow(), time.nanos()));
                },
                failure -> run(peers.readFailed(Set.of(id), time.nanos())));
    }

    /** This machine's wall clock, but never ahead of the store's. */
    private Instant carefulNow() {
        Instant here = time.now();
        Instant there = passedByStore();
        return there.isBefore(here) ? there : here;
    }

    private void leave(SessionId id, Notice notice) {
        calls.send(
                Lane.BACKGROUND,
                "notify",
                settings.callTimeout(),
                () -> store.edit(id, new SessionEdit.Notify(notice), time.now()),
                answer -> {
                    if (answer.item().isEmpty()) {
                        run(peers.gone(id, time.nanos()));
                    }
                },
                failure -> {});
    }

    // The end

    /**
     * Invalidates every grant at once, ends every wait, takes what stands in queues out of them, deletes the session and then stops the event
     * loop. Idempotent. Completes, never exceptionally, when that is done or has been tried for long enough.
     */
    public CompletableFuture<Void> shutdown() {
        held.forEach(grant -> grant.lose(LossReason.CLOSED));
        if (!loop.execute(this::close)) {
            shutdown.complete(null);
        }
        return shutdown.copy();
    }

    private void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        loop.schedule(this::stop, settings.callTimeout().multipliedBy(2));
        Map<Hold, Instant> kept = new HashMap<>();
        grants.forEach((hold, grant) -> {
            Duration rest = restOf(grant);
            if (!rest.isZero()) {
                kept.put(hold, aheadOfStore().plus(rest));
            }
        });
        tellAll(new Event.Closing(kept, Map.copyOf(left)));
        endSession();
    }

    /** When all that stands in queues is taken out or kept; a call that has failed is still repeated until then. */
    private void endSession() {
        if (locks.isEmpty()) {
            runOwn(session.close());
            calls.whenIdle(this::stop);
        } else {
            loop.schedule(this::endSession, settings.pollMin());
        }
    }

    private void stop() {
        loop.shutdown();
        shutdown.complete(null);
    }

    /** For tests: how many locks are remembered. To be asked on the event loop. */
    int locksInUse() {
        return locks.size();
    }
}
