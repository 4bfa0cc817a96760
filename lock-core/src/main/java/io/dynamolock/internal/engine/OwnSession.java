package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Jitter;
import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.StoreClock;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The life of this process's session. A session begins when a lock needs one. One heartbeat then serves every lock of
 * the process, as in Chubby and etcd. When the session is over, another one begins as soon as a lock needs it.
 *
 * <p>Each event is noted and answered with what is to be done. Lives on the event loop, except for the thread-safe
 * {@link Validity} that it gives out.
 */
final class OwnSession {

    /**
     * NONE: no session; one begins when it is wanted, after a failure with a pause. BEGINNING: the beginning was sent
     * and is not answered. VALID: the session lives, and heartbeats are sent. CLOSED: the engine closes, for good.
     */
    enum Stage {
        NONE,
        BEGINNING,
        VALID,
        CLOSED
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /**
     * Longest pause after a beginning that has failed. A caller that comes in the pause is owed an answer within a
     * second; an outage costs one write a second.
     */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final EngineSettings settings;
    private final TimeSource time;
    private final Jitter jitter;
    private final RandomGenerator random;

    /** See {@link Stage}. */
    private Stage stage = Stage.NONE;

    /**
     * Whether a lock needs a session, and no beginning for it was sent yet. Cleared when a beginning is sent or
     * succeeds.
     */
    private boolean isWanted;

    /**
     * The validity of the present session, or of the last one, which is over. Before the first session, a validity of
     * no duration, which was never valid. Read by any thread.
     */
    private volatile Validity validity;

    /** The number of the last heartbeat of the present session; 0 before the first. */
    private long heartbeats;

    /**
     * The beginning or heartbeat that is under way and whose answer counts; {@code null} if there is none. Cleared when
     * it ends, and when the session is over.
     */
    private @Nullable SentCall underWay;

    /** The notices that the last answer to a heartbeat has shown: the next heartbeat removes them from the item. */
    private Set<String> noticesToRemove = Set.of();

    /**
     * The latest that the store's clock can have said when it answered the last heartbeat that counts, or the
     * beginning; {@code null} if that answer told no time. The time in the heartbeat itself would not do: if the wall
     * clock is ahead, it lies in the future.
     */
    private @Nullable Instant lastAnsweredAt;

    /**
     * Whether the store's latest answer has told a time by which the session is over. Cleared by an answer that tells
     * an earlier time, and by a heartbeat that counts.
     */
    private boolean isOverByStoreClock;

    /**
     * Tells the latest that the store's clock can say. It outlives sessions, so that only the first session of a
     * process begins without such a bound.
     */
    private final StoreClock storeClock = new StoreClock();

    /** When the next beginning or heartbeat may be sent. */
    private Moment nextAt;

    /** The pauses between beginnings that fail. */
    private final Backoff pause = new Backoff(FIRST_PAUSE);

    /**
     * Until when the beginning under way is awaited; never if until its timeout. Set when a beginning is sent. The
     * first one is awaited until its timeout, because a first call is slow. After a failure, another is sent if one is
     * silent for a second: the last call that is lost in an outage would else be awaited in vain after its end.
     */
    private Deadline beginAwaitedUntil = Deadline.NEVER;

    /** Whether a beginning was answered too late, since the last session began or the process started. */
    private boolean wasLate;

    /** What is to be done about the present event. Each event begins a new list. */
    private List<SessionEffect> effects = new ArrayList<>();

    OwnSession(EngineSettings settings, TimeSource time, RandomGenerator random) {
        this.settings = settings;
        this.time = time;
        this.random = random;
        this.jitter = new Jitter(random);
        this.nextAt = time.moment();
        this.validity = new Validity(SessionId.of(0), Duration.ZERO, time, ClockReading.of(time));
    }

    Stage stage() {
        return stage;
    }

    /** Whether the next beginning waits for the end of a pause, or was sent after such a pause and is not answered. */
    boolean isBeginningAgain() {
        boolean isPausing = stage == Stage.NONE && time.moment().isBefore(nextAt);
        return !pause.pause().isZero() && (isPausing || stage == Stage.BEGINNING);
    }

    /** The validity of the present session, or of the last one, which is over. Thread-safe. */
    Validity validity() {
        return validity;
    }

    /** When to call {@link #woke()} if nothing happens before. */
    Deadline wakeAt() {
        return switch (stage) {
            case NONE -> isWanted ? Deadline.at(nextAt) : Deadline.NEVER;
            case BEGINNING -> beginAwaitedUntil;
            case CLOSED -> Deadline.NEVER;
            case VALID -> {
                Moment end = time.moment().plus(validity.remaining()).plus(Duration.ofNanos(1));
                yield Deadline.at(underWay == null ? Moment.earlier(nextAt, end) : end);
            }
        };
    }

    /** A lock needs a session. */
    List<SessionEffect> wanted() {
        isWanted = true;
        return woke();
    }

    /**
     * Begins a new list of effects. If the session has run out since the last event, it is over before the event
     * counts.
     */
    private void startEvent() {
        effects = new ArrayList<>();
        if (stage == Stage.VALID && !validity.isValid()) {
            // If heartbeats were missing, both clocks say so at about the same time. If much is left by the monotonic
            // clock, the wall clock has jumped ahead.
            boolean isByWallClock = validity.monotonicRemaining().compareTo(settings.heartbeat()) > 0;
            over(isByWallClock ? SessionEnd.CLOCK_AHEAD : SessionEnd.NO_HEARTBEAT);
        }
    }

    private void sendBegin() {
        isWanted = false;
        stage = Stage.BEGINNING;
        ClockReading sending = ClockReading.of(time);
        Validity candidate = new Validity(
                SessionId.of(random.nextLong()), settings.lease().minus(settings.driftMargin()), time, sending);
        SentBegin call = new SentBegin(
                candidate, new SessionEdit.Begin(settings.lease(), settings.owner(), latestTime(sending)));
        underWay = call;
        beginAwaitedUntil = pause.pause().isZero()
                ? Deadline.NEVER
                : Deadline.at(sending.moment().plus(jitter.shorten(LONGEST_PAUSE)));
        effects.add(new SessionEffect.SendBegin(call));
    }

    /**
     * The store has answered the beginning.
     *
     * @param storeTime the store's wall clock as the answer tells it; {@code null} if the store does not tell
     */
    List<SessionEffect> beginAnswered(SentBegin call, boolean isApplied, @Nullable Instant storeTime) {
        startEvent();
        Validity candidate = call.candidate();
        storeClock.answered(storeTime, candidate.begun());
        // Late: a heartbeat might not get through before the session's end. The first late answer is no failure,
        // because a first call is slow: it opens connections.
        boolean isLate = isApplied && candidate.remaining().compareTo(settings.heartbeatTimeout()) <= 0;
        // Perhaps another beginning was sent meanwhile. The first one that is answered counts.
        boolean isOpen = stage == Stage.NONE || stage == Stage.BEGINNING;
        boolean isConfirmed = StoreClock.isConfirmed(call.edit().at(), storeTime);
        if (isOpen && isApplied && !isLate && isConfirmed) {
            began(call, storeTime);
            return effects;
        }
        if (isApplied) {
            // Not if the beginning was refused: the item may be another process's.
            effects.add(new SessionEffect.Delete(candidate.id(), true));
        }
        notBegun(call, isLate && wasLate ? tooLate() : null);
        wasLate |= isLate;
        return effects;
    }

    private StoreFailure tooLate() {
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store answered the beginning of a session too late for a lease of " + settings.lease()
                        + ": check the network to it",
                null);
    }

    private void began(SentBegin call, @Nullable Instant storeTime) {
        Validity candidate = call.candidate();
        stage = Stage.VALID;
        validity = candidate;
        heartbeats = 0;
        underWay = null;
        noticesToRemove = Set.of();
        counts(storeTime);
        pause.end();
        wasLate = false;
        // Every lock that wanted a session meanwhile has one now.
        isWanted = false;
        // A session that began without a time gets one at once if the answer has told the store's: without a time,
        // other processes can expire the session only by watching it.
        boolean isTimeNew = call.edit().at() == null && latestTime(ClockReading.of(time)) != null;
        nextAt = isTimeNew ? time.moment() : candidate.begun().moment().plus(settings.heartbeat());
        effects.add(new SessionEffect.Began(candidate));
    }

    /**
     * The time for a heartbeat that is sent now: the later of what the store's clock and this machine's wall clock say,
     * because one of them may be wrong; {@code null} if no answer has told the store's time lately. Then the item must
     * not keep the time of an earlier heartbeat either.
     */
    private @Nullable Instant latestTime(ClockReading now) {
        Instant latest = storeClock.timeToWrite(now);
        return latest == null || SessionItem.isTime(latest) ? latest : null;
    }

    /** The beginning has failed. */
    List<SessionEffect> beginFailed(SentBegin call, StoreFailure failure) {
        startEvent();
        if (failure.mayHaveTakenEffect()) {
            effects.add(new SessionEffect.Delete(call.candidate().id(), false));
        }
        notBegun(call, failure);
        return effects;
    }

    private void notBegun(SentBegin call, @Nullable StoreFailure failure) {
        if (underWay != call) {
            return;
        }
        underWay = null;
        stage = Stage.NONE;
        pause.begin(LONGEST_PAUSE, time.moment());
        nextAt = time.moment().plus(jitter.shorten(pause.pause()));
        if (failure != null) {
            effects.add(new SessionEffect.NotBegun(failure));
        } else {
            // No lock hears of this failure, so none would ask for a session again.
            isWanted = true;
        }
    }

    /** The time of {@link #wakeAt()} has come. */
    List<SessionEffect> woke() {
        startEvent();
        boolean isDue = !time.moment().isBefore(nextAt);
        if (isDue && stage == Stage.NONE && isWanted) {
            sendBegin();
        } else if (isDue && stage == Stage.VALID && underWay == null) {
            sendHeartbeat();
        } else if (stage == Stage.BEGINNING && beginAwaitedUntil.isPast(time.moment())) {
            underWay = null;
            stage = Stage.NONE;
            nextAt = time.moment();
            effects.add(new SessionEffect.NotBegun(silent()));
        }
        return effects;
    }

    private static StoreFailure silent() {
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store has not answered the beginning of a session yet: check the network to it",
                null);
    }

    private void sendHeartbeat() {
        ClockReading sending = ClockReading.of(time);
        heartbeats++;
        SentHeartbeat call = new SentHeartbeat(
                validity.id(), new SessionEdit.Heartbeat(heartbeats, noticesToRemove, latestTime(sending)), sending);
        underWay = call;
        effects.add(new SessionEffect.SendHeartbeat(call));
    }

    /**
     * The store has answered a heartbeat.
     *
     * @param item the session's item; as long as there is one, the session lives, even if it shows a later heartbeat
     * @param storeTime the store's wall clock as the answer tells it; {@code null} if the answer does not tell
     */
    List<SessionEffect> heartbeatAnswered(SentHeartbeat call, Optional<SessionItem> item, @Nullable Instant storeTime) {
        startEvent();
        storeClock.answered(storeTime, call.sent());
        if (underWay != call) {
            return effects;
        }
        underWay = null;
        if (item.isEmpty()) {
            over(SessionEnd.EXPIRED);
            return effects;
        }
        if (!StoreClock.isConfirmed(call.edit().at(), storeTime)) {
            // Others may find this heartbeat too old too early. The next has the bound that this answer has told.
            noteStoreTime(storeTime);
            if (stage == Stage.VALID && underWay == null) {
                sendHeartbeat();
            }
            return effects;
        }
        validity.extend(call.sent());
        counts(storeTime);
        nextAt = call.sentAt().plus(settings.heartbeat());
        noticesToRemove = item.get().notices();
        List<Notice> notices = noticesToRemove.stream()
                .map(Notice::read)
                .flatMap(Optional::stream)
                .toList();
        if (!noticesToRemove.isEmpty()) {
            effects.add(new SessionEffect.NoticesFound(notices));
        }
        if (notices.stream()
                .anyMatch(notice -> notice.wish() == Notice.Wish.EVICT
                        && !call.edit().heard().contains(notice.text()))) {
            // The next heartbeat removes the notice, and an operator waits for that.
            nextAt = time.moment();
        }
        return effects;
    }

    private void counts(@Nullable Instant storeTime) {
        lastAnsweredAt = storeTime == null ? null : storeTime.plus(StoreClock.STEP);
        isOverByStoreClock = false;
    }

    /**
     * An answer of the store about anything but the own session has told the store's time: a third clock, which goes on
     * when both clocks of this machine stand still.
     */
    List<SessionEffect> storeTold(Instant storeTime) {
        if (stage != Stage.VALID) {
            return List.of();
        }
        startEvent();
        noteStoreTime(storeTime);
        return effects;
    }

    /**
     * The session is over if two answers in a row tell a time by which it is. One answer alone may come from a machine
     * of the store whose clock is wrong, so a heartbeat asks again at once. While that heartbeat is under way, other
     * answers decide nothing: they may come from the same machine.
     */
    private void noteStoreTime(@Nullable Instant storeTime) {
        if (stage != Stage.VALID || storeTime == null || lastAnsweredAt == null) {
            return;
        }
        boolean wasOver = isOverByStoreClock;
        isOverByStoreClock =
                storeTime.isAfter(lastAnsweredAt.plus(settings.lease()).minus(settings.driftMargin()));
        if (isOverByStoreClock && underWay == null) {
            if (wasOver) {
                over(SessionEnd.STORE_CLOCK);
            } else {
                sendHeartbeat();
            }
        }
    }

    /**
     * The latest time that the store's clock or this machine's wall clock may show now; {@code null} if no answer has
     * told the store's time lately. The wall clock alone might be behind.
     */
    @Nullable
    Instant latestNow() {
        return latestTime(ClockReading.of(time));
    }

    /** The store's time by the last answer that told it, however long ago; {@code null} if none ever did. */
    @Nullable
    Instant storeTime() {
        return storeClock.lastKnown(ClockReading.of(time));
    }

    List<SessionEffect> heartbeatFailed(SentHeartbeat call) {
        startEvent();
        if (underWay == call) {
            underWay = null;
            nextAt = time.moment().plus(jitter.shorten(settings.heartbeat().dividedBy(4)));
        }
        return effects;
    }

    /** Ends the session, and lets no other begin. */
    List<SessionEffect> close() {
        effects = new ArrayList<>();
        if (stage == Stage.VALID) {
            validity.end();
            effects.add(new SessionEffect.Delete(validity.id(), true));
        }
        stage = Stage.CLOSED;
        underWay = null;
        return effects;
    }

    private void over(SessionEnd why) {
        validity.end();
        stage = Stage.NONE;
        underWay = null;
        nextAt = time.moment();
        effects.add(new SessionEffect.Over(validity.id(), why));
    }
}
