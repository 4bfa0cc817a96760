package io.dynamolock.internal.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.FailureDetection;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.PollingInterval;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link LockState}, {@link OwnSession} and {@link Peers}, which decide: it hands them events, and does what they say. It runs
 * the calls to the store and the timers, and tells callers and listeners. It serves from its beginning until it is closed, once. Lives on the
 * event loop, but for what owners do with their grants.
 */
public class Engine implements LockGrant.Owner {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Of so many locks that nobody wants any more it is remembered what was first in their queues. */
    private static final int MOST_SEEN = 1024;

    /** So many sessions that are over are deleted at once; the table's TTL and other processes see to the rest. */
    private static final int MOST_ENDING = 64;

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

    /** A grant whose hold is not over, or whose release is not done. */
    private static final class Holding {

        private final LockGrant grant;
        /** At the end of its longest hold; once it is released, of its shortest. */
        private EventLoop.Timer end = () -> {};

        /** Who asked for the same later is told the same. */
        private final List<CompletableFuture<Boolean>> puts = new ArrayList<>(0);

        private final List<CompletableFuture<Boolean>> downgrades = new ArrayList<>(0);
        private final List<ExpiryWatch> watches = new ArrayList<>(0);
        private boolean isUnwanted;

        Holding(LockGrant grant) {
            this.grant = grant;
        }

        void tell(List<CompletableFuture<Boolean>> some, Consumer<CompletableFuture<Boolean>> answer) {
            List<CompletableFuture<Boolean>> told = List.copyOf(some);
            some.clear();
            told.forEach(answer);
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
    private final Map<LockKey, LockState.Seen> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LockKey, LockState.Seen> eldest) {
            return size() > MOST_SEEN;
        }
    };
    private final Map<Waiter, PendingAcquisition> acquisitions = new LinkedHashMap<>();
    private final Map<Hold, Holding> holdings = new HashMap<>();
    private final Deque<Happening> agenda = new ArrayDeque<>();
    private final Map<LockKey, Set<LockGrant>> held = new ConcurrentHashMap<>();
    private final Set<SessionId> ending = new HashSet<>();
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private EventLoop.Timer sessionTimer = () -> {};
    private EventLoop.Timer peersTimer = () -> {};
    private boolean isRunning;
    private @Nullable LossReason closedFor;
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
            ClockCheck clocks,
            EngineListener listener) {
        this(
                settings,
                store,
                loop,
                time,
                listener,
                new OwnSession(settings, time, random, clocks, LockStore.timeToBegin(settings.callTimeout())),
                new Peers(settings, detection(settings)));
    }

    Engine(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            EngineListener listener,
            OwnSession session,
            Peers peers) {
        this.settings = settings;
        this.store = store;
        this.loop = loop;
        this.time = time;
        this.listener = listener;
        this.lockSettings = new LockSettings(
                settings.owner(),
                new PollingInterval(settings.pollMin(), settings.pollMax()),
                detection(settings),
                settings.maxQueue(),
                settings.callTimeout(),
                settings.retention());
        this.calls = new StoreCalls(loop, listener, settings, this::stopIfDone);
        this.session = session;
        this.peers = peers;
    }

    static FailureDetection detection(EngineSettings settings) {
        return new FailureDetection(settings.lease(), settings.lockDelay(), settings.maxClockSkew());
    }

    LockState stateOf(LockKey key, LockSettings settings, LockState.Seen before, Sessions sessions) {
        return new LockState(key, settings, before, sessions, this::base);
    }

    /** A caller wants a lock. */
    public void begin(PendingAcquisition acquisition) {
        AcquireSpec spec = acquisition.spec();
        Waiter waiter = new Waiter(spec, ++arrivals, acquisition.startedNanos());
        acquisition.waitsAs(waiter);
        acquisitions.put(waiter, acquisition);
        if (!spec.waitsForever()) {
            acquisition.endsWith(
                    loop.schedule(() -> happens(spec.key(), new Event.WaitOver(waiter)), waiter.left(time.nanos())));
        }
        happens(spec.key(), new Event.Arrived(waiter));
    }

    /** A caller has left. */
    public void left(PendingAcquisition acquisition) {
        Waiter waiter = acquisition.waiter();
        if (waiter != null && acquisitions.containsKey(waiter)) {
            happens(waiter.spec().key(), new Event.Left(waiter));
        }
    }

    /** The valid grants, longest held first. Thread-safe. */
    public List<Grant> held() {
        return held.values().stream()
                .flatMap(Set::stream)
                .filter(Grant::isValid)
                .sorted(Comparator.comparing(LockGrant::held).reversed())
                .<Grant>map(grant -> grant)
                .toList();
    }

    /** The valid grants of this lock. Thread-safe. */
    public List<Grant> held(LockKey key) {
        return held.getOrDefault(key, Set.of()).stream()
                .filter(Grant::isValid)
                .<Grant>map(grant -> grant)
                .toList();
    }

    private void noteOver(LockGrant grant) {
        held.computeIfPresent(grant.key(), (key, grants) -> {
            grants.remove(grant);
            return grants.isEmpty() ? null : grants;
        });
    }

    /** The session, if there is a valid one. Thread-safe. */
    public Optional<ValidSession> session() {
        Validity validity = session.validity();
        Duration remaining = validity.remaining();
        return remaining.isZero()
                ? Optional.empty()
                : Optional.of(new ValidSession(
                        validity.id(),
                        settings.owner(),
                        validity.begun().at(),
                        validity.last().at(),
                        remaining));
    }

    /** The lock was read for somebody else: what is known of it here is to be as new. */
    public void seen(LockKey key, LockItem item, long sentNanos) {
        if (locks.containsKey(key)) {
            happens(key, new Event.Read(new SentRead(true, sentNanos), item));
        }
    }

    /** An operator wants this entry given up. @return whether it is this process's */
    public boolean tellToGiveUp(LockKey key, Entry.OfSession entry) {
        boolean isOwn = session.stage() == OwnSession.Stage.VALID
                && session.validity().id().equals(entry.session());
        if (isOwn) {
            happens(key, new Event.Notified(new Notice(Notice.Wish.GIVE_UP, key, entry.number())));
        }
        return isOwn;
    }

    // Events and effects

    /** Events are handled one after the other: what one of them leads to at once comes after it. */
    private void happens(LockKey key, Event event) {
        if (stopped.isDone()) {
            return;
        }
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
            stopIfDone();
        }
    }

    private void handle(LockKey key, Event event) {
        Lock lock = locks.computeIfAbsent(key, this::lock);
        lock.state.on(event, now()).forEach(effect -> run(key, effect));
        if (lock.state.isIdle()) {
            stop(lock);
            locks.remove(key);
            if (lock.state.seen().first() != null) {
                seen.put(key, lock.state.seen());
            }
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
        List.copyOf(holdings.values()).stream()
                .map(holding -> holding.grant)
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
        LockState.Seen before = Objects.requireNonNullElse(seen.remove(key), LockState.Seen.NOTHING);
        LockState state = stateOf(key, lockSettings, before, peers);
        if (session.stage() == OwnSession.Stage.VALID) {
            state.on(new Event.SessionBegan(session.validity().id(), () -> ++numbers), now());
        }
        return new Lock(state);
    }

    /** What the tail of a new item is to start from. */
    public long base() {
        return Math.max(clock(), greatestTail + 1);
    }

    /** Nobody's clock is years ahead. A tail that somebody has put into one item must not take new items to the end of all numbers. */
    private void noteTail(LockItem item) {
        if (item.tail() < clock() + TimeUnit.DAYS.toMicros(365)) {
            greatestTail = Math.max(greatestTail, item.tail());
        }
    }

    /** In microseconds since the epoch. */
    private long clock() {
        Instant now = time.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
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
            lock.timer = at(at, () -> {
                lock.timer = null;
                happens(key, new Event.Woke());
            });
        }
    }

    /** Runs the step at this moment of the monotonic clock, or at once if that has passed. */
    private EventLoop.Timer at(long nanos, Runnable step) {
        return loop.schedule(step, Duration.ofNanos(Math.max(0, nanos - time.nanos())));
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
                        noteTail(answer.item());
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
                        noteTail(item);
                        happens(key, new Event.Read(sent, item));
                    },
                    failure -> happens(key, new Event.ReadFailed(sent, failure)));
        } else if (effect instanceof Effect.Granted granted) {
            granted(key, granted.waiter(), granted.hold());
        } else if (effect instanceof Effect.Ended ended) {
            PendingAcquisition acquisition = acquisitions.remove(ended.waiter());
            if (acquisition != null) {
                acquisition.end(ended.outcome());
            }
        } else if (effect instanceof Effect.Queued queued) {
            PendingAcquisition acquisition = acquisitions.get(queued.waiter());
            if (acquisition != null) {
                acquisition.queued(queued.ahead());
                listener.queued(queued.waiter().spec(), queued.ticket(), queued.ahead());
            }
        } else if (effect instanceof Effect.ReleaseDone done) {
            Holding holding = forget(done.hold());
            if (holding != null && (done.wasOwn() || done.hold().isKept())) {
                if (!holding.isUnwanted) {
                    listener.released(holding.grant.spec(), holding.grant.ticket(), holding.grant.held());
                }
                holding.grant.releaseDone();
            } else if (holding != null) {
                releasedTooLate(holding.grant, LossReason.TAKEN_AWAY);
            }
        } else if (effect instanceof Effect.Lost lost) {
            Holding holding = forget(lost.hold());
            if (holding != null && lost.hold().isKept()) {
                listener.released(holding.grant.spec(), holding.grant.ticket(), holding.grant.held());
            } else if (holding != null && !holding.grant.lose(lost.reason())) {
                releasedTooLate(holding.grant, lost.reason());
            }
        } else if (effect instanceof Effect.DataWritten written) {
            about(written.hold(), holding -> {
                if (written.isWritten()) {
                    holding.grant.wrote(written.data());
                }
                holding.tell(holding.puts, put -> put.complete(written.isWritten()));
            });
        } else if (effect instanceof Effect.DataRefused refused) {
            about(
                    refused.hold(),
                    holding -> holding.tell(holding.puts, put -> put.completeExceptionally(refused.why())));
        } else if (effect instanceof Effect.StandsAs stands) {
            about(stands.hold(), holding -> holding.grant.standsAs(stands.entry()));
        } else if (effect instanceof Effect.NowReader reader) {
            about(reader.hold(), holding -> {
                holding.grant.goesOnAsReader();
                holding.tell(holding.downgrades, downgrade -> downgrade.complete(true));
            });
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
        PendingAcquisition acquisition = acquisitions.remove(waiter);
        LockGrant grant = new LockGrant(key, hold, session.validity(), time, this);
        Holding holding = new Holding(grant);
        holdings.put(hold, holding);
        held.computeIfAbsent(key, none -> ConcurrentHashMap.newKeySet()).add(grant);
        limited(grant);
        if (acquisition == null || !acquisition.end(new AcquireOutcome.Granted(grant))) {
            holding.isUnwanted = true;
            grant.giveBack();
        }
    }

    private void releasedTooLate(LockGrant grant, LossReason reason) {
        if (grant.loss().isEmpty()) {
            listener.lost(grant.spec(), grant.ticket(), grant.held(), reason);
        }
        grant.releasedTooLate(reason);
    }

    private @Nullable Holding forget(Hold hold) {
        Holding holding = holdings.remove(hold);
        if (holding != null) {
            holding.end.cancel();
            holding.watches.forEach(ExpiryWatch::end);
            holding.tell(holding.downgrades, downgrade -> downgrade.complete(false));
            noteOver(holding.grant);
        }
        return holding;
    }

    private void about(Hold hold, Consumer<Holding> step) {
        Holding holding = holdings.get(hold);
        if (holding != null) {
            step.accept(holding);
        }
    }

    // What owners do with their grants

    @Override
    public boolean released(LockGrant grant, @Nullable LockData data) {
        noteOver(grant);
        // One that was lost before is told so by its loss.
        return loop.execute(() -> about(grant.hold(), holding -> {
            Duration rest = restOf(grant);
            Runnable release = () -> happens(grant.key(), new Event.Released(grant.hold(), data));
            if (rest.isZero()) {
                release.run();
            } else {
                grant.releaseDone();
                grant.hold().keep(data);
                holding.end.cancel();
                holding.end = loop.schedule(release, rest);
            }
        }));
    }

    /** How much longer it is to be held. */
    private Duration restOf(LockGrant grant) {
        Duration least = grant.limits().holdAtLeast();
        Duration rest = least == null
                ? Duration.ZERO
                : least.minusNanos(time.nanos() - grant.hold().grantedNanos());
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    @Override
    public boolean limited(LockGrant grant) {
        return loop.execute(() -> {
            Holding holding = holdings.get(grant.hold());
            // Once it is released, what ends it is the rest of its shortest hold.
            if (holding != null && grant.isHeld()) {
                holding.end.cancel();
                Duration maxHold = grant.limits().maxHold();
                if (maxHold != null) {
                    Duration rest = maxHold.minus(grant.held());
                    holding.end = loop.schedule(grant::isValid, rest.isNegative() ? Duration.ZERO : rest);
                }
                holding.watches.forEach(ExpiryWatch::check);
            }
        });
    }

    @Override
    public boolean lost(LockGrant grant, LossReason reason) {
        noteOver(grant);
        listener.lost(grant.spec(), grant.ticket(), grant.held(), reason);
        return loop.execute(() -> {
            // Those that are lost because the engine is closed may have to be kept.
            if (closedFor == null && !reason.isOwnWish() && holdings.containsKey(grant.hold())) {
                happens(grant.key(), new Event.Forced(grant.hold(), reason));
            }
        });
    }

    @Override
    public boolean put(LockGrant grant, LockData data, CompletableFuture<Boolean> written) {
        return loop.execute(() -> {
            Holding holding = holdings.get(grant.hold());
            if (holding == null) {
                written.complete(false);
            } else {
                holding.puts.add(written);
                happens(grant.key(), new Event.DataPut(grant.hold(), data));
            }
        });
    }

    @Override
    public boolean downgraded(LockGrant grant, CompletableFuture<Boolean> isReader) {
        return loop.execute(() -> {
            Holding holding = holdings.get(grant.hold());
            if (holding == null) {
                isReader.complete(false);
            } else {
                holding.downgrades.add(isReader);
                happens(grant.key(), new Event.Downgraded(grant.hold()));
            }
        });
    }

    @Override
    public boolean expiring(LockGrant grant, Duration before, Runnable callback) {
        ExpiryWatch watch = new ExpiryWatch(loop, grant, before, callback);
        grant.onLost(watch::tell);
        return loop.execute(() -> {
            Holding holding = holdings.get(grant.hold());
            if (holding != null && grant.isHeld()) {
                holding.watches.add(watch);
                watch.check();
            }
        });
    }

    @Override
    public Duration leastValidity() {
        return settings.leastValidity();
    }

    // The own session

    private void runOwn(List<OwnSession.Effect> effects) {
        effects.forEach(this::run);
        sessionTimer.cancel();
        long at = session.wakeAt();
        if (at != Long.MAX_VALUE) {
            sessionTimer = at(at, () -> runOwn(session.woke()));
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
            if (ending.size() < MOST_ENDING && ending.add(delete.id())) {
                delete(delete, settings.pollMin());
            }
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
    private void delete(OwnSession.Effect.Delete delete, Duration pause) {
        SessionId id = delete.id();
        calls.send(
                Lane.BACKGROUND,
                "end session",
                settings.callTimeout(),
                () -> store.edit(id, new SessionEdit.End(), time.now()),
                answer -> {
                    ending.remove(id);
                    run(peers.gone(id, time.nanos()));
                },
                failure -> {
                    Duration longer = pause.multipliedBy(2);
                    Duration next = longer.compareTo(settings.heartbeat()) < 0 ? longer : settings.heartbeat();
                    if (delete.isCertain() && !stopped.isDone()) {
                        loop.schedule(() -> delete(delete, next), next);
                    } else {
                        ending.remove(id);
                    }
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
            peersTimer = at(at, () -> run(peers.woke(time.nanos())));
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

    /** Invalidates every grant at once. Thread-safe. */
    public void loseAll(LossReason reason) {
        held.values().forEach(grants -> grants.forEach(grant -> grant.lose(reason)));
    }

    /**
     * Serves nobody any more: takes what stands in queues out of them, but for what is to be kept, and deletes the session.
     *
     * @return those who wait, in their order; their waits are no longer this engine's
     */
    public List<PendingAcquisition> close(LossReason reason) {
        closedFor = reason;
        loseAll(reason);
        List<PendingAcquisition> waiting = List.copyOf(acquisitions.values());
        acquisitions.clear();
        waiting.forEach(acquisition -> acquisition.waitsAs(null));
        boolean isBeginning = session.stage() == OwnSession.Stage.BEGINNING;
        Duration call = settings.callTimeout();
        loop.schedule(this::stop, (isBeginning ? LockStore.timeToBegin(call) : call).plus(call));
        Map<Hold, Instant> kept = new HashMap<>();
        holdings.forEach((hold, holding) -> {
            Duration rest = restOf(holding.grant);
            if (!rest.isZero()) {
                kept.put(hold, aheadOfStore().plus(rest));
            }
        });
        tellAll(new Event.Closing(reason, kept));
        stopIfDone();
        return waiting;
    }

    /** When all that stands in queues is taken out or kept; a call that has failed is still repeated until then. */
    private void stopIfDone() {
        if (closedFor == null || stopped.isDone() || !locks.isEmpty()) {
            return;
        }
        runOwn(session.close());
        if (ending.isEmpty() && calls.isIdle()) {
            stop();
        }
    }

    private void stop() {
        if (!stopped.isDone()) {
            // What could not be taken out in time is taken out by others, since the session ends.
            runOwn(session.close());
            peersTimer.cancel();
            locks.values().forEach(Engine::stop);
            locks.clear();
            holdings.values().forEach(holding -> {
                holding.grant.releaseDone();
                holding.tell(holding.puts, put -> put.complete(false));
            });
            holdings.clear();
            stopped.complete(null);
        }
    }

    /** Completes on the event loop when nothing more is to come from a closed engine, or that was tried for long enough. */
    public CompletableFuture<Void> stopped() {
        return stopped;
    }

    /** For tests: how many locks are remembered. */
    public int locksInUse() {
        return locks.size();
    }
}
