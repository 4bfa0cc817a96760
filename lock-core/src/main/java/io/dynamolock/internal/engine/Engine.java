package io.dynamolock.internal.engine;

import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.loop.Alarm;
import io.dynamolock.internal.loop.EventLoop;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.Expiry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.Found;
import io.dynamolock.internal.store.LockStore;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeFailure;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.OncePerMinute;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell around {@link LockState}, {@link OwnSession} and {@link Peers}, which decide. The engine hands them events
 * and carries out the effects that they answer with: it makes the calls to the store, sets the timers, and tells
 * callers and listeners. An engine serves until it is closed, and cannot be opened again. Lives on the event loop,
 * except for methods that say that they are thread-safe. Not final, because tests that break a rule on purpose replace
 * {@link #stateOf}.
 */
public class Engine {

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    /** Maximum number of fronts that are remembered, of locks that nobody wants any more. */
    private static final int MOST_FRONTS = 1024;

    /** Maximum number of locks of which it is remembered how callers came back. */
    private static final int MOST_RETURNS = 4096;

    /** Maximum number of locks that are remembered because an own session has left entries behind. */
    private static final int MOST_LEFT_BEHIND = 16_384;

    /**
     * What an engine is made of.
     *
     * @param random for ids and jitter; used on the event loop only. It must not give two processes the same ids
     * @param clocks compares this machine's wall clock with the store's; one for all engines of a process
     */
    public record Parts(
            EngineSettings settings,
            LockStore store,
            EventLoop loop,
            TimeSource time,
            RandomGenerator random,
            ClockComparison clocks,
            EngineListener listener) {}

    /** A lock that somebody wants or holds here, or about which a call is under way. */
    private final class Lock {

        private final LockState state;

        /** The grants that are not over for the lock's state, by their tickets. Read by any thread. */
        private final Map<Long, LockGrant> grants = new ConcurrentSkipListMap<>();

        /** Wakes {@link #state} when it wants to be woken. */
        private final Alarm alarm;

        Lock(LockKey key, LockState state) {
            this.state = state;
            this.alarm = new Alarm(loop, time, () -> happens(key, new Event.Woke()));
        }
    }

    /** An event of one lock. */
    private record Happening(LockKey key, Event event) {

        /** Whether the lock's state decides on both events together. */
        boolean isTogetherWith(@Nullable Happening next) {
            return next != null && next.key.equals(key) && event.mayBeBatched() && next.event.mayBeBatched();
        }
    }

    private final EngineSettings settings;
    private final LockStore store;
    private final EventLoop loop;
    private final TimeSource time;
    private final EngineListener listener;

    // Calls to the store; each of these has its own limit of calls under way

    /** Beginnings of sessions. */
    private final StoreCalls beginnings;

    private final StoreCalls heartbeats;

    // Callers wait for these three; they share room, of which each has a part for itself

    private final StoreCalls edits;

    private final StoreCalls reads;

    /** Reads and expiries of other processes' sessions. */
    private final StoreCalls peerCalls;

    /** Deletions of own sessions, and notices to other processes: no caller waits for them. */
    private final StoreCalls cleanUp;

    // What is known

    private final OwnSession session;
    private final Peers peers;
    private final ClockComparison clocks;
    private final TailBase base;

    /** The locks that are not idle. Written on the event loop only; read by any thread. */
    private final Map<LockKey, Lock> locks = new ConcurrentHashMap<>();

    /** What was seen at the front of the queue of each lock that nobody wants any more. */
    private final Map<LockKey, KnownItem.Front> fronts = new RecentlyUsed<>(MOST_FRONTS);

    /** How callers came back to each lock that nobody wants any more. Apart from the fronts, which are fewer. */
    private final Map<LockKey, Stays.History> returns = new RecentlyUsed<>(MOST_RETURNS);

    /** The callers that wait, by lock, each lock's in the order of their arrival. No map is empty. */
    private final Map<LockKey, Map<WaitingCaller, PendingAcquisition>> acquisitions = new HashMap<>();

    /**
     * The items of locks that nobody wants any more, with entries of an own session that is over: whoever wants such a
     * lock next takes these entries out with the edit that appends for it.
     */
    private final Map<LockKey, LockItem> leftBehind = new RecentlyUsed<>(MOST_LEFT_BEHIND);

    /** The locks that are told when a session is dead. */
    private final LocksBySession locksBySession = new LocksBySession();

    private final SessionDeletions deletions;

    /** Gives the numbers for the entries of the present session, or of the last one. Replaced when a session begins. */
    private EntryNumbers entryNumbers = new EntryNumbers();

    /** Why no session has begun lately; {@code null} if one has begun since. */
    private @Nullable StoreFailure whyNoSession;

    /** How many callers have come to this engine. */
    private long arrivals;

    // What happens

    /** The events that were not handed to their lock yet, in the order in which they happened. */
    private final Deque<Happening> agenda = new ArrayDeque<>();

    /** Whether the agenda is being worked off. */
    private boolean isRunning;

    private final Alarm sessionAlarm;
    private final Alarm peersAlarm;
    private final SessionEffect.Visitor sessionEffects = new SessionEffects();
    private final PeerEffect.Visitor peerEffects = new PeerEffects();
    private final OncePerMinute bugReports;
    private final OncePerMinute timelessAnswers;

    /** Whether the last call that has ended found no store: it had no answer, or a server error. */
    private boolean isStoreGone;

    /** Whether {@link #close} was called. Set once. */
    private boolean isClosed;

    /** Whether the engine had no valid session when it was closed, so that no lock was held. Set by {@link #close}. */
    private boolean hadNoSession;

    /**
     * The locks of a closed engine with entries that are to be kept, and about which something is still to be done.
     * Filled by {@link #close}.
     */
    private final Set<LockKey> toKeep = new LinkedHashSet<>();

    /** Whether the time of a closed engine for taking entries out of queues is over. Set once, by a timer. */
    private boolean isTimeToDelete;

    /** Whether the entries that are still in queues were left to the deletion of the session. Set once. */
    private boolean hasLeft;

    /** See {@link #stopped()}. */
    private final CompletableFuture<Void> stopped = new CompletableFuture<>();

    public static Engine of(Parts parts) {
        return new Engine(parts, new Peers(parts.settings()));
    }

    /** @param peers a new object; tests that break a rule on purpose give one with other rules */
    Engine(Parts parts, Peers peers) {
        this.settings = parts.settings();
        this.store = parts.store();
        this.loop = parts.loop();
        this.time = parts.time();
        this.listener = parts.listener();
        this.peers = peers;
        this.bugReports = new OncePerMinute(time);
        this.timelessAnswers = new OncePerMinute(time);
        this.beginnings = calls(Integer.MAX_VALUE, LockStore.timeToBegin(settings.callTimeout()));
        this.heartbeats = calls(Integer.MAX_VALUE, settings.heartbeatTimeout());
        CallRoom roomForCallers = new CallRoom(settings.maxCallsInFlight());
        this.edits = calls(roomForCallers, settings.callTimeout());
        this.reads = calls(roomForCallers, settings.callTimeout());
        this.peerCalls = calls(roomForCallers, settings.callTimeout());
        this.cleanUp = calls(settings.cleanUpCallsInFlight(), settings.callTimeout());
        this.deletions = new SessionDeletions(
                settings, store, cleanUp, loop, time, stopped::isDone, id -> run(peers.gone(id, time.moment())));
        this.session = new OwnSession(settings, time, parts.random());
        this.clocks = parts.clocks();
        this.base = new TailBase(this::storeTimeOrWall);
        this.sessionAlarm = new Alarm(loop, time, () -> runOwn(session.woke()));
        this.peersAlarm = new Alarm(loop, time, () -> run(peers.woke(time.moment())));
    }

    private StoreCalls calls(int room, Duration timeout) {
        return calls(new CallRoom(room), timeout);
    }

    private StoreCalls calls(CallRoom room, Duration timeout) {
        return new StoreCalls(loop, listener, room, timeout, this::callEnded);
    }

    /** A new state of a lock. Tests that break a rule on purpose replace this method. */
    LockState stateOf(LockKey key, SeenBefore before) {
        return new LockState(key, settings, before, peers, this::base, this::latestNow, time.moment());
    }

    /** A caller wants a lock. */
    public void begin(PendingAcquisition acquisition) {
        AcquireSpec spec = acquisition.spec();
        arrivals++;
        WaitingCaller waiter = new WaitingCaller(spec, arrivals, acquisition.arrivedAt());
        acquisition.waitsAs(waiter);
        acquisitions.computeIfAbsent(spec.key(), first -> new LinkedHashMap<>()).put(waiter, acquisition);
        acquisition.endsWith(() -> happens(spec.key(), new Event.WaitOver(waiter)), loop);
        happens(spec.key(), new Event.Arrived(waiter));
    }

    /** A caller does not want the lock any more. Does nothing if this engine does not know the caller. */
    public void abandoned(PendingAcquisition acquisition) {
        WaitingCaller waiter = acquisition.waiter();
        if (waiter != null && acquisitionsOf(waiter.spec().key()).containsKey(waiter)) {
            happens(waiter.spec().key(), new Event.Abandoned(waiter));
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

    /** The session of this process; empty if there is no valid one. Thread-safe. */
    public Optional<ValidSession> session() {
        Validity own = session.validity();
        ValidSession now = new ValidSession(
                own.id(), settings.owner(), own.begun().wall(), own.last().wall(), own.remaining());
        return Optional.of(now).filter(valid -> !valid.remaining().isZero());
    }

    /**
     * A call that the engine has not made itself, for an operator, say, has shown a lock's item as it was after the
     * sending.
     *
     * @param sentAt when the call was sent
     */
    public void shown(LockKey key, Found<LockItem> answer, Moment sentAt) {
        heard(answer.content(), answer.storeTime());
        if (locks.containsKey(key)) {
            happens(key, new Event.Shown(answer, sentAt));
        }
    }

    /**
     * An operator evicts this entry, if it belongs to this process.
     *
     * @param operator who asks; empty if nobody is named
     * @return whether the entry belongs to this process's session. If not, nothing happens
     */
    public boolean evictIfOwn(LockKey key, Entry.OfSession entry, String operator) {
        Validity own = session.validity();
        boolean isOwn = own.isValid() && own.id().equals(entry.session());
        if (isOwn) {
            obey(new Notice(Notice.Wish.EVICT, key, entry.number(), operator));
        }
        return isOwn;
    }

    private void obey(Notice notice) {
        if (notice.wish() == Notice.Wish.EVICT) {
            log.warn(
                    "{} asks this process to give up its entry number {} in the queue of a lock in namespace {}: whoever has"
                            + " the lock by it loses the lock, and its waiters leave the queue",
                    PersonalText.operator(notice.by()),
                    notice.number(),
                    SafeText.quote(notice.key().namespace()));
            log.debug("The entry to be given up is in the queue of the {}", LockNames.describe(notice.key()));
        }
        happens(notice.key(), new Event.Notified(notice));
    }

    // Events and effects

    /**
     * An event of a lock. Events are handled one after the other: an event that happens while another one is handled
     * comes after it. If several events of callers of one lock come together, the lock's state decides on them
     * together, so that they share a write.
     */
    private void happens(LockKey key, Event event) {
        if (hasLeft) {
            return;
        }
        agenda.add(new Happening(key, event));
        if (isRunning) {
            return;
        }
        if (event.mayBeBatched()) {
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
                } catch (RuntimeException | Error bug) {
                    forgetAfterBug(next.key(), bug);
                }
            }
        } finally {
            isRunning = false;
        }
        stopIfDone();
    }

    private void handle(LockKey key, List<Event> events) {
        Lock lock = locks.computeIfAbsent(key, this::lock);
        LockEffects effects = new LockEffects(key, lock);
        List<Effect> toDo = lock.state.on(events, now());
        locksBySession.shows(key, lock.state.queueWaitedIn());
        toDo.forEach(effect -> effect.accept(effects));
        if (lock.state.isIdle()) {
            lock.alarm.cancel();
            forget(key);
            LockItem left = lock.state.leftBehind();
            if (left != null) {
                leftBehind.put(key, left);
            }
            SeenBefore seen = lock.state.seen();
            if (seen.front().first() != null) {
                fronts.put(key, seen.front());
            }
            if (seen.stays().isWorthRemembering()) {
                returns.put(key, seen.stays());
            }
            run(peers.watch(key, Set.of(), time.moment()));
        } else {
            lock.alarm.set(lock.state.wakeAt());
        }
    }

    /**
     * A step of a lock has failed because of a bug. The engine forgets this lock: its holders are told first that they
     * have lost it, and then its waiters that they have failed. Other locks are not affected.
     */
    private void forgetAfterBug(LockKey key, Throwable bug) {
        Lock lock = forget(key);
        if (lock != null) {
            lock.alarm.cancel();
            lock.grants.values().forEach(grant -> grant.holdEnded(LossReason.TAKEN_AWAY));
        }
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.UNREADABLE, "The lock engine failed: " + bug, bug);
        List.copyOf(acquisitionsOf(key).keySet())
                .forEach(waiter -> end(waiter, new AcquireOutcome.Failed(waiter.waited(time.moment()), failure)));
        run(peers.watch(key, Set.of(), time.moment()));
        bugReports.run(() -> log.error(
                "A step of the lock engine failed; this is a bug in DynamoLock, please report it",
                SafeFailure.of(bug)));
    }

    private @Nullable Lock forget(LockKey key) {
        toKeep.remove(key);
        locksBySession.shows(key, List.of());
        return locks.remove(key);
    }

    private void end(WaitingCaller waiter, AcquireOutcome outcome) {
        PendingAcquisition acquisition = take(waiter);
        if (acquisition != null) {
            acquisition.end(outcome);
        }
    }

    private Map<WaitingCaller, PendingAcquisition> acquisitionsOf(LockKey key) {
        return acquisitions.getOrDefault(key, Map.of());
    }

    /** The caller waits no more. */
    private @Nullable PendingAcquisition take(WaitingCaller waiter) {
        LockKey key = waiter.spec().key();
        Map<WaitingCaller, PendingAcquisition> ofLock = acquisitions.get(key);
        PendingAcquisition acquisition = ofLock == null ? null : ofLock.remove(waiter);
        if (ofLock != null && ofLock.isEmpty()) {
            acquisitions.remove(key);
        }
        return acquisition;
    }

    private Lock lock(LockKey key) {
        SeenBefore nothing = SeenBefore.nothing(time.moment());
        SeenBefore before = new SeenBefore(
                Objects.requireNonNullElse(fronts.remove(key), nothing.front()),
                Objects.requireNonNullElse(returns.remove(key), nothing.stays()));
        LockState state = stateOf(key, before);
        LockItem left = leftBehind.remove(key);
        if (left != null) {
            // An old item, as a read may show it that is not consistent.
            SentRead old = new SentRead(false, time.moment());
            state.on(List.of(new Event.Read(old, new Found<>(left, null))), now());
        }
        if (session.stage() == OwnSession.Stage.VALID) {
            state.on(List.of(new Event.SessionBegan(session.validity().id(), entryNumbers)), now());
        } else if (whyNoSession != null && session.isBeginningAgain()) {
            state.on(List.of(new Event.NoSession(whyNoSession)), now());
        }
        return new Lock(key, state);
    }

    /** The tail that a new item starts from. */
    public long base() {
        return base.next();
    }

    private Instant storeTimeOrWall() {
        Instant told = session.storeTime();
        return told == null ? time.now() : told;
    }

    /** {@link OwnSession#latestNow}. */
    public @Nullable Instant latestNow() {
        return session.latestNow();
    }

    /** What an edit that an operator makes from this item writes as its TTL ({@link Expiry#toWrite}). */
    public @Nullable Instant expiry(LockItem seen) {
        return Expiry.toWrite(seen, null, latestNow(), settings.retention());
    }

    private Now now() {
        return new Now(time.moment(), time.now(), session.validity().isValid());
    }

    private void tellAll(Event event) {
        List.copyOf(locks.keySet()).forEach(key -> happens(key, event));
    }

    /** Carries out what is to be done about one lock. */
    private final class LockEffects implements Effect.Visitor {

        private final LockKey key;
        private final Lock lock;

        LockEffects(LockKey key, Lock lock) {
            this.key = key;
            this.lock = lock;
        }

        @Override
        public void sendEdit(Effect.SendEdit effect) {
            SentEdit call = effect.call();
            edits.send(
                    "edit",
                    () -> store.edit(key, call.edit(), session.latestNow()),
                    answer -> {
                        heard(answer.item(), answer.storeTime());
                        happens(key, new Event.Edited(call, answer));
                    },
                    failure -> happens(key, new Event.EditFailed(call, failure)));
        }

        @Override
        public void sendRead(Effect.SendRead effect) {
            SentRead call = effect.call();
            reads.send(
                    "read",
                    () -> store.read(key, call.isConsistent()),
                    answer -> {
                        heard(answer.content(), answer.storeTime());
                        happens(key, new Event.Read(call, answer));
                    },
                    failure -> happens(key, new Event.ReadFailed(call, failure)));
        }

        @Override
        public void queued(Effect.Queued effect) {
            PendingAcquisition acquisition = acquisitionsOf(key).get(effect.waiter());
            if (acquisition != null) {
                acquisition.queued(effect.ticket(), effect.ahead());
            }
        }

        @Override
        public void foundFull(Effect.FoundFull effect) {
            PendingAcquisition acquisition = acquisitionsOf(key).get(effect.waiter());
            if (acquisition != null) {
                acquisition.foundFull(effect.ahead());
            }
        }

        @Override
        public void granted(Effect.Granted effect) {
            PendingAcquisition acquisition = take(effect.waiter());
            Hold hold = effect.hold();
            LockGrant grant = new LockGrant(
                    hold,
                    session.validity(),
                    time,
                    loop,
                    listener,
                    settings.leastValidity(),
                    event -> happens(key, event));
            lock.grants.put(hold.ticket(), grant);
            if (acquisition != null && acquisition.end(new AcquireOutcome.Granted(grant))) {
                grant.followLimits();
            } else {
                // The caller has given up before, and nobody has seen the grant.
                lock.grants.remove(hold.ticket());
                happens(key, new Event.Released(hold, null, false, ReleaseTerms.AWAITED));
            }
        }

        @Override
        public void ended(Effect.Ended effect) {
            end(effect.waiter(), effect.outcome());
        }

        @Override
        public void ofHold(Effect.OfHold effect) {
            LockGrant grant = lock.grants.get(effect.hold().ticket());
            if (grant != null && grant.hold() == effect.hold() && grant.note(effect)) {
                lock.grants.remove(effect.hold().ticket());
            }
        }

        @Override
        public void watch(Effect.Watch effect) {
            run(peers.watch(key, effect.sessions(), time.moment()));
        }

        @Override
        public void sendNotice(Effect.SendNotice effect) {
            Engine.this.sendNotice(effect.session(), effect.notice());
        }

        @Override
        public void stayEnded(Effect.StayEnded effect) {
            listener.stayEnded(effect.leftBy(), effect.how());
        }

        @Override
        public void wantSession(Effect.WantSession effect) {
            runOwn(session.wanted());
        }
    }

    // The own session

    private void runOwn(List<SessionEffect> effects) {
        effects.forEach(effect -> effect.accept(sessionEffects));
        sessionAlarm.set(session.wakeAt());
    }

    /** Carries out what is to be done about the own session. */
    private final class SessionEffects implements SessionEffect.Visitor {

        @Override
        public void sendBegin(SessionEffect.SendBegin effect) {
            SentBegin call = effect.call();
            Validity candidate = call.candidate();
            beginnings.send(
                    EngineListener.BEGINNING,
                    () -> store.edit(candidate.id(), call.edit(), session.latestNow()),
                    answer -> {
                        clocks.compare(candidate.begun(), answer.storeTime());
                        runOwn(session.beginAnswered(call, answer.isApplied(), answer.storeTime()));
                    },
                    failure -> runOwn(session.beginFailed(call, failure)));
        }

        @Override
        public void sendHeartbeat(SessionEffect.SendHeartbeat effect) {
            SentHeartbeat call = effect.call();
            heartbeats.send(
                    EngineListener.HEARTBEAT,
                    () -> store.edit(call.session(), call.edit(), session.latestNow()),
                    answer -> {
                        clocks.compare(call.sent(), answer.storeTime());
                        runOwn(session.heartbeatAnswered(call, answer.item(), answer.storeTime()));
                    },
                    failure -> runOwn(session.heartbeatFailed(call)));
        }

        @Override
        public void delete(SessionEffect.Delete effect) {
            deletions.delete(effect.id(), effect.isCertain());
        }

        @Override
        public void began(SessionEffect.Began effect) {
            entryNumbers = new EntryNumbers();
            whyNoSession = null;
            SessionId id = effect.validity().id();
            listener.sessionStarted(id);
            tellAll(new Event.SessionBegan(id, entryNumbers));
            deletions.sessionBegan();
        }

        @Override
        public void notBegun(SessionEffect.NotBegun effect) {
            whyNoSession = effect.failure();
            tellAll(new Event.NoSession(effect.failure()));
        }

        @Override
        public void over(SessionEffect.Over effect) {
            SessionId id = effect.id();
            log.warn(
                    "The lock session of {} is lost: {}. All locks held under it are invalid.",
                    PersonalText.owner(settings.owner()),
                    effect.end().inWords);
            listener.sessionLost(id);
            deletions.sessionOver();
            boolean isExpired = effect.end() == SessionEnd.EXPIRED;
            if (!isExpired) {
                // The holders have a moment to hear of it.
                deletions.deleteAfter(isClosed ? Duration.ZERO : settings.driftMargin(), id);
            }
            tellAll(new Event.SessionOver());
            if (isExpired) {
                run(peers.gone(id, time.moment()));
            }
        }

        @Override
        public void noticesFound(SessionEffect.NoticesFound effect) {
            effect.notices().forEach(Engine.this::obey);
        }
    }

    /**
     * An answer about a lock has shown its item.
     *
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     */
    private void heard(LockItem item, @Nullable Instant storeTime) {
        base.seen(item);
        heard(storeTime);
        if (storeTime == null && item.queue().stream().anyMatch(Entry.Kept.class::isInstance)) {
            timelessAnswers.run(
                    () -> log.warn("A lock is kept for a process that has stopped, and this process cannot tell"
                            + " for how long: DynamoDB's answers arrive without a Date header."
                            + " Look for a proxy that removes it."));
        }
    }

    private void heard(@Nullable Instant storeTime) {
        if (storeTime != null) {
            List<SessionEffect> effects = session.storeTold(storeTime);
            if (!effects.isEmpty()) {
                runOwn(effects);
            }
        }
    }

    // Other processes' sessions

    private void run(List<PeerEffect> effects) {
        effects.forEach(effect -> effect.accept(peerEffects));
        peersAlarm.set(peers.wakeAt());
    }

    /** Carries out what is to be done about other processes' sessions. */
    private final class PeerEffects implements PeerEffect.Visitor {

        @Override
        public void sendRead(PeerEffect.SendRead effect) {
            SentSessionRead call = effect.call();
            peerCalls.send(
                    "read sessions",
                    () -> store.sessions(call.sessions()),
                    found -> {
                        heard(found.storeTime());
                        run(peers.answered(call, found.content(), found.storeTime(), time.now(), time.moment()));
                    },
                    failure -> run(peers.failed(call, failure, time.moment())));
        }

        @Override
        public void sendExpiry(PeerEffect.SendExpiry effect) {
            SentExpiry call = effect.call();
            peerCalls.send(
                    "expire session",
                    () -> store.edit(
                            call.session(), new SessionEdit.Expire(call.seen().heartbeat()), time.now()),
                    answer -> {
                        if (answer.isApplied()) {
                            log.info(
                                    "Expired the lock session of {}: its heartbeat had stopped",
                                    PersonalText.owner(call.seen().owner()));
                        }
                        run(peers.answered(call, answer, time.now(), time.moment()));
                    },
                    failure -> run(peers.failed(call, failure, time.moment())));
        }

        @Override
        public void alive(PeerEffect.Alive effect) {
            happens(effect.key(), new Event.Woke());
        }

        @Override
        public void dead(PeerEffect.Dead effect) {
            locksBySession.of(effect.session()).forEach(key -> happens(key, new Event.Woke()));
        }
    }

    /**
     * Leaves a notice in the item of another process's session. Not repeated: if the notice is lost, {@link NextWatch}
     * asks again, a lease later or more.
     */
    private void sendNotice(SessionId id, Notice notice) {
        cleanUp.send(
                "notify",
                () -> store.edit(id, new SessionEdit.Notify(notice), time.now()),
                answer -> {
                    if (answer.item().isEmpty()) {
                        run(peers.gone(id, time.moment()));
                    }
                },
                failure -> {});
    }

    // The end

    /** Makes every grant invalid at once. Thread-safe. */
    public void loseAll(LossReason reason) {
        locks.values().forEach(lock -> lock.grants.values().forEach(grant -> grant.lose(reason)));
    }

    /**
     * Closes the engine, for good: it serves nobody any more, makes every grant invalid, takes the entries of this
     * process out of all queues, except entries that are to be kept, and deletes the session. {@link #stopped()} tells
     * when this is done.
     *
     * <p>All of it takes no longer than one call may take, or a call after the beginning of a session that is under
     * way. The first half of that time is for taking entries out. Entries that are still in queues then are left to the
     * deletion of the session, which makes them entries of the dead for every process ({@link #leave}).
     *
     * @return the callers that wait, in their order. Their waits go on, but no longer with this engine
     */
    public List<PendingAcquisition> close(LossReason reason) {
        isClosed = true;
        loseAll(reason);
        List<PendingAcquisition> waiting = acquisitions.values().stream()
                .flatMap(ofLock -> ofLock.entrySet().stream())
                .sorted(Map.Entry.comparingByKey(Lane.BY_ARRIVAL))
                .map(Map.Entry::getValue)
                .toList();
        acquisitions.clear();
        agenda.removeIf(happening -> happening.event() instanceof Event.Arrived);
        boolean isBeginning = !beginnings.isIdle();
        hadNoSession = !session.validity().isValid();
        Duration call = settings.callTimeout();
        loop.schedule(
                () -> {
                    isTimeToDelete = true;
                    stopIfDone();
                },
                call.dividedBy(2));
        // Locks that are to be kept must not keep all others from being freed.
        loop.schedule(
                () -> {
                    toKeep.clear();
                    stopIfDone();
                },
                call.multipliedBy(3).dividedBy(4));
        loop.schedule(this::stop, isBeginning ? LockStore.timeToBegin(call).plus(call) : call);
        Map<Hold, Instant> kept = new LinkedHashMap<>();
        Instant now = session.storeTime();
        locks.forEach((key, lock) -> {
            for (LockGrant grant : lock.grants.values()) {
                Duration rest = grant.restOfShortestHold();
                if (!rest.isZero() && now != null) {
                    kept.put(grant.hold(), now.plus(rest));
                    toKeep.add(key);
                } else if (!rest.isZero()) {
                    timelessAnswers.run(() -> log.warn(
                            "A lock that is to be held for longer is not kept while this process is gone: DynamoDB's"
                                    + " answers arrive without a Date header, so nobody could tell when its time is"
                                    + " over. Look for a proxy that removes it."));
                }
            }
        });
        deletions.deleteAllNow();
        Event closing = new Event.Closing(reason, kept);
        // The deletion of the session frees all locks. So those that are not to be free come first.
        Set<LockKey> inOrder = new LinkedHashSet<>(toKeep);
        inOrder.addAll(locks.keySet());
        inOrder.forEach(key -> happens(key, closing));
        stopIfDone();
        return waiting;
    }

    private void callEnded(@Nullable StoreFailure failure) {
        isStoreGone = failure != null && failure.kind() == StoreFailure.Kind.UNAVAILABLE;
        stopIfDone();
    }

    /**
     * Stops a closed engine when no lock is left: all entries are out of the queues, are kept ones, or are left to the
     * deletion of the session. First it deletes the session. It stops when the calls under way have ended; {@link
     * #close} sets a timer that stops it in any case. It waits for nothing if the store is gone and nothing was held.
     */
    private void stopIfDone() {
        if (!isClosed || stopped.isDone()) {
            return;
        }
        if (hadNoSession && isStoreGone) {
            stop();
            return;
        }
        if (isTimeToDelete && toKeep.isEmpty()) {
            leave();
        }
        if (!locks.isEmpty()) {
            return;
        }
        runOwn(session.close());
        if (deletions.isEmpty()
                && Stream.of(beginnings, heartbeats, cleanUp).allMatch(StoreCalls::isIdle)
                && (hasLeft || Stream.of(edits, reads, peerCalls).allMatch(StoreCalls::isIdle))) {
            stop();
        }
    }

    /**
     * Leaves the entries that are still in queues to the deletion of the session. No edit is sent any more, so none can
     * append an entry when others may already hold the session for dead. Edits under way may still land: whoever waits
     * takes out what they append, like all entries of the dead.
     */
    private void leave() {
        hasLeft = true;
        Stream.of(edits, reads, peerCalls).forEach(StoreCalls::sendNoMore);
        peersAlarm.cancel();
        locks.values().forEach(lock -> {
            lock.alarm.cancel();
            lock.grants.values().forEach(grant -> grant.holdEnded(null));
        });
        locks.clear();
        agenda.clear();
    }

    private void stop() {
        if (!stopped.isDone()) {
            leave();
            // Entries that could not be taken out in time are taken out by other processes, since the session ends.
            runOwn(session.close());
            stopped.complete(null);
        }
    }

    /**
     * Completes on the event loop when a closed engine has done everything that {@link #close} begins, or has tried it
     * for long enough.
     */
    public CompletableFuture<Void> stopped() {
        return stopped;
    }

    /** Whether no lock is told when a session is dead. For tests of this package. */
    boolean waitsBehindNobody() {
        return locksBySession.isEmpty();
    }

    /** How many locks are not idle. For tests of this package. */
    int locksInUse() {
        return locks.size();
    }

    /** How many things are remembered about locks that are idle. For tests of this package. */
    int rememberedOfIdleLocks() {
        return fronts.size() + returns.size() + leftBehind.size();
    }
}
