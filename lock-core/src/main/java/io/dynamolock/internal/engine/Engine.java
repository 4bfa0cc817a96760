package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
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
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link LockState}, {@link OwnSession} and {@link Peers}, which decide: it hands them events, and does what they say.
 * It runs the calls to the store and the timers, and tells callers and listeners. It serves from its beginning until it is closed, once.
 * Lives on the event loop, but for what says that it is thread-safe.
 */
public class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Of so many locks that nobody wants any more it is remembered what was first in their queues. */
    private static final int MOST_SEEN = 1024;

    /** The store's clock may tell its time to the second. */
    private static final Duration STORE_CLOCK_STEP = Duration.ofSeconds(1);

    /**
     * What it is made of.
     *
     * @param random for ids and jitter; used on the event loop only; ids must not repeat across processes
     */
    public record Parts(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            ClockCheck clocks,
            EngineListener listener) {}

    /** A key of which something is known or wanted, its grants whose holds are not over or not released yet, and when it wakes. */
    private final class Lock {

        private final LockState state;
        private final Map<Hold, LockGrant> grants = new ConcurrentHashMap<>();
        private final Alarm alarm;

        Lock(LockKey key, LockState state) {
            this.state = state;
            this.alarm = new Alarm(() -> happens(key, new Event.Woke()));
        }
    }

    /**
     * Runs a step at a moment of the monotonic clock, or soon if that has passed; the moment may be changed. Moments that move away again and
     * again cost no timer each: the one that is set goes off early, and then another is set.
     */
    private final class Alarm {

        private final Runnable step;
        private EventLoop.Timer timer = () -> {};
        private long at = Long.MAX_VALUE;
        private long timerAt = Long.MAX_VALUE;

        Alarm(Runnable step) {
            this.step = step;
        }

        /** @param moment {@link Long#MAX_VALUE} for never */
        void set(long moment) {
            at = moment;
            if (at == Long.MAX_VALUE || timerAt == Long.MAX_VALUE || at - timerAt < 0) {
                timer.cancel();
                timerAt = at;
                timer = at == Long.MAX_VALUE
                        ? () -> {}
                        : loop.schedule(this::ring, Duration.ofNanos(at - time.nanos()));
            }
        }

        private void ring() {
            boolean isEarly = at - timerAt > 0;
            timerAt = Long.MAX_VALUE;
            if (isEarly) {
                set(at);
            } else {
                step.run();
            }
        }
    }

    /** Something that happens to one lock. */
    private record Happening(LockKey key, Event event) {

        boolean isTogetherWith(@Nullable Happening next) {
            return next != null && next.key.equals(key) && event.isOfCaller() && next.event.isOfCaller();
        }
    }

    private final EngineSettings settings;
    private final LockStore store;
    private final EventLoop loop;
    private final TimeSource time;
    private final EngineListener listener;
    private final StoreCalls beginnings;
    private final StoreCalls heartbeats;
    /** What callers wait for. */
    private final StoreCalls calls;

    private final StoreCalls cleanUp;
    private final OwnSession session;
    private final Peers peers;

    /** Written on the event loop only. */
    private final Map<LockKey, Lock> locks = new ConcurrentHashMap<>();

    private final Map<LockKey, LockState.Seen> seen = new RecentlyUsed<>(MOST_SEEN);
    private final Map<Waiter, PendingAcquisition> acquisitions = new LinkedHashMap<>();
    private final Deque<Happening> agenda = new ArrayDeque<>();
    /** Own sessions that are over, and whose items are to be deleted. */
    private final Set<SessionId> ending = new HashSet<>();

    private final CompletableFuture<Void> stopped = new CompletableFuture<>();
    private final OncePerMinute odds;
    private final Alarm sessionAlarm;
    private final Alarm peersAlarm;
    private boolean isRunning;
    private boolean isClosed;
    private long arrivals;
    private long numbers;
    private long greatestTail;
    private @Nullable Instant storeClock;
    private long storeClockAsked;
    private long storeClockSeen;

    public static Engine of(Parts parts) {
        return new Engine(parts, new Peers(parts.settings()));
    }

    Engine(Parts parts, Peers peers) {
        this.settings = parts.settings();
        this.store = parts.store();
        this.loop = parts.loop();
        this.time = parts.time();
        this.listener = parts.listener();
        this.odds = new OncePerMinute(time);
        this.beginnings = calls(Integer.MAX_VALUE, LockStore.timeToBegin(settings.callTimeout()));
        this.heartbeats = calls(Integer.MAX_VALUE, settings.heartbeatTimeout());
        this.calls = calls(settings.maxCallsInFlight(), settings.callTimeout());
        this.cleanUp = calls(settings.cleanUpCallsInFlight(), settings.callTimeout());
        this.session = new OwnSession(settings, time, parts.random(), parts.clocks());
        this.peers = peers;
        this.sessionAlarm = new Alarm(() -> runOwn(session.woke()));
        this.peersAlarm = new Alarm(() -> run(peers.woke(time.nanos())));
    }

    private StoreCalls calls(int room, Duration timeout) {
        return new StoreCalls(loop, listener, room, timeout, this::stopIfDone);
    }

    LockState stateOf(LockKey key, LockState.Seen before) {
        return new LockState(key, settings, before, peers, this::base);
    }

    /** A caller wants a lock. */
    public void begin(PendingAcquisition acquisition) {
        AcquireSpec spec = acquisition.spec();
        Waiter waiter = new Waiter(spec, ++arrivals, acquisition.started.nanos());
        acquisition.waiter = waiter;
        acquisitions.put(waiter, acquisition);
        acquisition.endsWith(() -> happens(spec.key(), new Event.WaitOver(waiter)), loop);
        happens(spec.key(), new Event.Arrived(waiter));
    }

    /** A caller has left. */
    public void left(PendingAcquisition acquisition) {
        Waiter waiter = acquisition.waiter;
        if (waiter != null && acquisitions.containsKey(waiter)) {
            happens(waiter.spec.key(), new Event.Left(waiter));
        }
    }

    /** The valid grants, longest held first. Thread-safe. */
    public List<Grant> held() {
        return valid(locks.values().stream())
                .sorted(Comparator.comparing(Grant::since))
                .toList();
    }

    /** The valid grants of this lock. Thread-safe. */
    public List<Grant> held(LockKey key) {
        return valid(Stream.ofNullable(locks.get(key))).toList();
    }

    private static Stream<Grant> valid(Stream<Lock> locks) {
        return locks.<Grant>flatMap(lock -> lock.grants.values().stream()).filter(Grant::isValid);
    }

    /** The session, if there is a valid one. Thread-safe. */
    public Optional<ValidSession> session() {
        Validity own = session.validity();
        ValidSession now = new ValidSession(
                own.id, settings.owner(), own.begun.at(), own.last().at(), own.remaining());
        return Optional.of(now).filter(valid -> !valid.remaining().isZero());
    }

    /** The lock was read for somebody else: what is known of it here is to be as new. */
    public void seen(LockKey key, LockItem item, long sentNanos) {
        noteTail(item);
        if (locks.containsKey(key)) {
            happens(key, new Event.Read(new SentRead(true, sentNanos), item));
        }
    }

    /** An operator wants this entry given up. @return whether it is this process's */
    public boolean tellToGiveUp(LockKey key, Entry.OfSession entry) {
        Validity own = session.validity();
        boolean isOwn = own.isValid() && own.id.equals(entry.session());
        if (isOwn) {
            happens(key, new Event.Notified(new Notice(Notice.Wish.GIVE_UP, key, entry.number())));
        }
        return isOwn;
    }

    // Events and effects

    /**
     * Events are handled one after the other: what one of them leads to at once comes after it. Callers that come or go together are
     * decided on together, so that they share a write.
     */
    private void happens(LockKey key, Event event) {
        if (stopped.isDone()) {
            return;
        }
        agenda.add(new Happening(key, event));
        if (isRunning) {
            return;
        }
        if (event.isOfCaller()) {
            loop.execute(this::runAgenda);
        } else {
            runAgenda();
        }
    }

    private void runAgenda() {
        isRunning = true;
        try {
            for (Happening next = agenda.poll(); next != null; next = agenda.poll()) {
                List<Event> events = new ArrayList<>(List.of(next.event()));
                while (next.isTogetherWith(agenda.peek())) {
                    events.add(agenda.remove().event());
                }
                try {
                    handle(next.key(), events);
                } catch (RuntimeException | Error odd) {
                    giveUp(next.key(), odd);
                }
            }
        } finally {
            isRunning = false;
        }
        stopIfDone();
    }

    private void handle(LockKey key, List<Event> events) {
        Lock lock = locks.computeIfAbsent(key, this::lock);
        lock.state.on(events, now()).forEach(effect -> run(key, lock, effect));
        boolean isIdle = lock.state.isIdle();
        lock.alarm.set(isIdle ? Long.MAX_VALUE : lock.state.wakeAt());
        if (isIdle) {
            locks.remove(key);
            if (lock.state.seen().first() != null) {
                seen.put(key, lock.state.seen());
            }
            run(peers.watch(key, Set.of(), time.nanos()));
        }
    }

    /** A step has failed that never should: that lock alone fails, and its holders are told before anything else is done about it. */
    private void giveUp(LockKey key, Throwable odd) {
        Lock lock = locks.remove(key);
        if (lock != null) {
            lock.alarm.set(Long.MAX_VALUE);
            lock.grants.values().forEach(grant -> grant.over(LossReason.TAKEN_AWAY));
        }
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.UNREADABLE, "The lock engine failed: " + odd, odd);
        List.copyOf(acquisitions.keySet()).stream()
                .filter(waiter -> waiter.spec.key().equals(key))
                .forEach(waiter -> end(waiter, new AcquireOutcome.Failed(waiter.waited(time.nanos()), failure)));
        run(peers.watch(key, Set.of(), time.nanos()));
        odds.run(() ->
                log.error("A step of the lock engine failed; this is a bug in DynamoLock, please report it", odd));
    }

    private void end(Waiter waiter, AcquireOutcome outcome) {
        PendingAcquisition acquisition = acquisitions.remove(waiter);
        if (acquisition != null) {
            acquisition.end(outcome);
        }
    }

    private Lock lock(LockKey key) {
        LockState.Seen before = Objects.requireNonNullElse(seen.remove(key), LockState.Seen.NOTHING);
        LockState state = stateOf(key, before);
        if (session.stage() == OwnSession.Stage.VALID) {
            state.on(List.of(new Event.SessionBegan(session.validity().id, () -> ++numbers)), now());
        }
        return new Lock(key, state);
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
        return ChronoUnit.MICROS.between(Instant.EPOCH, time.now());
    }

    private Now now() {
        return new Now(
                time.nanos(), storeTime(storeClockSeen), session.validity().isValid());
    }

    private void tellAll(Event event) {
        List.copyOf(locks.keySet()).forEach(key -> happens(key, event));
    }

    private void run(LockKey key, Lock lock, Effect effect) {
        if (effect instanceof Effect.SendEdit send) {
            SentEdit sent = send.edit();
            calls.send(
                    "edit",
                    () -> store.edit(key, sent.edit(), time.now()),
                    answer -> shown(key, answer.item(), new Event.Edited(sent, answer.item(), answer.isApplied())),
                    failure -> happens(key, new Event.EditFailed(sent, failure)));
        } else if (effect instanceof Effect.SendRead send) {
            SentRead sent = send.read();
            calls.send(
                    "read",
                    () -> store.read(key, sent.consistent()),
                    item -> shown(key, item, new Event.Read(sent, item)),
                    failure -> happens(key, new Event.ReadFailed(sent, failure)));
        } else if (effect instanceof Effect.Granted granted) {
            granted(key, lock, granted.waiter(), granted.hold());
        } else if (effect instanceof Effect.OfHold of) {
            LockGrant grant = lock.grants.get(of.hold());
            if (grant != null && grant.note(of)) {
                lock.grants.remove(of.hold());
            }
        } else if (effect instanceof Effect.Ended ended) {
            end(ended.waiter(), ended.outcome());
        } else if (effect instanceof Effect.Queued queued) {
            PendingAcquisition acquisition = acquisitions.get(queued.waiter());
            if (acquisition != null) {
                acquisition.queued(queued.ticket(), queued.ahead());
            }
        } else if (effect instanceof Effect.Watch watch) {
            run(peers.watch(key, watch.sessions(), time.nanos()));
        } else if (effect instanceof Effect.Notify notify) {
            leave(notify.session(), notify.notice());
        } else if (effect instanceof Effect.WantSession) {
            runOwn(session.wanted());
        }
    }

    private void shown(LockKey key, LockItem item, Event event) {
        noteTail(item);
        happens(key, event);
    }

    private void granted(LockKey key, Lock lock, Waiter waiter, Hold hold) {
        PendingAcquisition acquisition = acquisitions.remove(waiter);
        LockGrant grant = new LockGrant(
                hold, session.validity(), time, loop, listener, settings.leastValidity(), event -> happens(key, event));
        lock.grants.put(hold, grant);
        if (acquisition != null && acquisition.end(new AcquireOutcome.Granted(grant))) {
            grant.followLimits();
        } else {
            // Its caller has left, and nobody has seen it.
            lock.grants.remove(hold);
            happens(key, new Event.Released(hold));
        }
    }

    // The own session

    private void runOwn(List<OwnSession.Effect> effects) {
        effects.forEach(this::run);
        sessionAlarm.set(session.wakeAt());
    }

    private void run(OwnSession.Effect effect) {
        if (effect instanceof OwnSession.Effect.SendBegin begin) {
            Validity candidate = begin.candidate();
            beginnings.send(
                    "begin session",
                    () -> store.edit(candidate.id, begin.edit(), candidate.begun.at()),
                    answer -> runOwn(
                            session.beginAnswered(candidate, answer.isApplied(), hearStoreClock(candidate.begun))),
                    failure -> runOwn(session.beginFailed(candidate, failure)));
        } else if (effect instanceof OwnSession.Effect.SendHeartbeat send) {
            heartbeats.send(
                    EngineListener.HEARTBEAT,
                    () -> store.edit(send.id(), send.edit(), send.sending().at()),
                    // One that is refused has heard nothing of the time.
                    answer -> runOwn(session.heartbeatAnswered(
                            send.id(),
                            send.sending(),
                            answer.item(),
                            answer.isApplied() ? hearStoreClock(send.sending()) : null)),
                    failure -> runOwn(session.heartbeatFailed(send.id())));
        } else if (effect instanceof OwnSession.Effect.Delete delete) {
            ending.add(delete.id());
            delete(delete.id(), delete.isCertain(), settings.pollMin());
        } else if (effect instanceof OwnSession.Effect.Began began) {
            numbers = 0;
            listener.sessionStarted(began.validity().id);
            tellAll(new Event.SessionBegan(began.validity().id, () -> ++numbers));
        } else if (effect instanceof OwnSession.Effect.NotBegun not) {
            tellAll(new Event.NoSession(not.failure()));
        } else if (effect instanceof OwnSession.Effect.Over over) {
            log.warn(
                    "The lock session of {} is lost: {}. All locks held under it are invalid.",
                    SafeText.quote(settings.owner()),
                    over.end().inWords);
            listener.sessionLost(over.id());
            boolean isExpired = over.end() == OwnSession.End.EXPIRED;
            if (!isExpired) {
                // Its holders have a moment to hear of it.
                ending.add(over.id());
                Duration moment = isClosed ? Duration.ZERO : settings.driftMargin();
                loop.schedule(() -> delete(over.id(), true, settings.pollMin()), moment);
            }
            tellAll(new Event.SessionOver());
            if (isExpired) {
                run(peers.gone(over.id(), time.nanos()));
            }
        } else if (effect instanceof OwnSession.Effect.Heard heard) {
            heard.notices().forEach(notice -> happens(notice.key(), new Event.Notified(notice)));
        }
    }

    /** Deletes the item of an own session that is over: that frees all that it held. */
    private void delete(SessionId id, boolean isCertain, Duration pause) {
        if (!ending.contains(id)) {
            return;
        }
        cleanUp.send(
                "end session",
                () -> store.edit(id, new SessionEdit.End(), time.now()),
                answer -> {
                    ending.remove(id);
                    run(peers.gone(id, time.nanos()));
                },
                failure -> {
                    Duration next = Collections.min(List.of(pause.multipliedBy(2), settings.heartbeat()));
                    if (isCertain && !stopped.isDone()) {
                        loop.schedule(() -> delete(id, isCertain, next), next);
                    } else {
                        ending.remove(id);
                    }
                });
    }

    /** Notes what the store's clock says in an answer that has just come. @return {@code null} if it does not tell */
    private @Nullable Instant hearStoreClock(Moment sending) {
        Instant at = store.lastAnsweredAt().orElse(null);
        if (at != null) {
            storeClock = at;
            storeClockAsked = sending.nanos();
            storeClockSeen = time.nanos();
        }
        return at;
    }

    /** By the store's clock, counted on from its latest answer to an edit of the own session, or from the question. */
    private Instant storeTime(long since) {
        return storeClock == null ? time.now() : storeClock.plusNanos(time.nanos() - since);
    }

    // Other processes' sessions

    private void run(List<Peers.Effect> effects) {
        for (Peers.Effect effect : effects) {
            if (effect instanceof Peers.Effect.Read read) {
                calls.send(
                        "read sessions",
                        () -> store.sessions(read.ids()),
                        found -> run(peers.read(read.ids(), found, carefulNow(), time.nanos())),
                        failure -> run(peers.readFailed(read.ids(), time.nanos())));
            } else if (effect instanceof Peers.Effect.Expire expire) {
                expire(expire.id(), expire.seen());
            } else if (effect instanceof Peers.Effect.Alive alive) {
                happens(alive.key(), new Event.Woke());
            } else {
                tellAll(new Event.Woke());
            }
        }
        peersAlarm.set(peers.wakeAt());
    }

    private void expire(SessionId id, SessionItem seen) {
        calls.send(
                "expire session",
                () -> store.edit(id, new SessionEdit.Expire(seen.heartbeat()), time.now()),
                answer -> {
                    if (answer.isApplied()) {
                        log.info(
                                "Expired the lock session of {}: its heartbeat had stopped",
                                SafeText.quote(seen.owner()));
                    }
                    run(peers.read(Set.of(id), Map.of(id, answer.item()), carefulNow(), time.nanos()));
                },
                failure -> run(peers.readFailed(Set.of(id), time.nanos())));
    }

    /** This machine's wall clock, but never ahead of the store's. */
    private Instant carefulNow() {
        return Collections.min(List.of(time.now(), storeTime(storeClockSeen)));
    }

    private void leave(SessionId id, Notice notice) {
        cleanUp.send(
                "notify",
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
        locks.values().forEach(lock -> lock.grants.values().forEach(grant -> grant.lose(reason)));
    }

    /**
     * Serves nobody any more: takes what stands in queues out of them, but for what is to be kept, and deletes the session.
     *
     * @return those who wait, in their order; their waits are no longer this engine's
     */
    public List<PendingAcquisition> close(LossReason reason) {
        isClosed = true;
        loseAll(reason);
        List<PendingAcquisition> waiting = List.copyOf(acquisitions.values());
        acquisitions.clear();
        agenda.removeIf(happening -> happening.event() instanceof Event.Arrived);
        boolean isBeginning = session.stage() == OwnSession.Stage.BEGINNING;
        Duration call = settings.callTimeout();
        loop.schedule(this::stop, (isBeginning ? LockStore.timeToBegin(call) : call).plus(call));
        Map<Hold, Instant> kept = new HashMap<>();
        Instant now = storeTime(storeClockAsked).plus(STORE_CLOCK_STEP);
        locks.values()
                .forEach(lock -> lock.grants.forEach((hold, grant) -> {
                    Duration rest = grant.restOfShortestHold();
                    if (!rest.isZero()) {
                        kept.put(hold, now.plus(rest));
                    }
                }));
        List.copyOf(ending).forEach(id -> delete(id, true, settings.pollMin()));
        tellAll(new Event.Closing(reason, kept));
        stopIfDone();
        return waiting;
    }

    /** When all that stands in queues is taken out or kept; a call that has failed is still repeated until then. */
    private void stopIfDone() {
        if (!isClosed || stopped.isDone() || !locks.isEmpty()) {
            return;
        }
        runOwn(session.close());
        if (ending.isEmpty()
                && Stream.of(beginnings, heartbeats, calls, cleanUp).allMatch(StoreCalls::isIdle)) {
            stop();
        }
    }

    private void stop() {
        if (!stopped.isDone()) {
            // What could not be taken out in time is taken out by others, since the session ends.
            runOwn(session.close());
            peersAlarm.set(Long.MAX_VALUE);
            locks.values().forEach(lock -> {
                lock.alarm.set(Long.MAX_VALUE);
                lock.grants.values().forEach(grant -> grant.over(null));
            });
            locks.clear();
            agenda.clear();
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
