package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Deadline;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.Jitter;
import io.dynamolock.internal.time.Moment;
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
     * Longest pause after a beginning that has failed. It is short, because a caller that comes now is owed an answer.
     */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final EngineSettings settings;
    private final TimeSource time;
    private final Jitter jitter;
    private final RandomGenerator random;
    private final ClockCheck clocks;

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
     * How far the wall clock was at most ahead of the monotonic clock during the present session, both counted from the
     * session's beginning. If the store tells its time, slow drift between the two clocks is taken off with each
     * heartbeat.
     */
    private Duration greatestLead = Duration.ZERO;

    /** When the next beginning or heartbeat may be sent. */
    private Moment nextAt;

    /** The pauses between beginnings that fail. */
    private final Backoff pause = new Backoff(FIRST_PAUSE);

    /** Whether a beginning was answered too late, since the last session began or the process started. */
    private boolean wasLate;

    /** What is to be done about the present event. Each event begins a new list. */
    private List<SessionEffect> effects = new ArrayList<>();

    OwnSession(EngineSettings settings, TimeSource time, RandomGenerator random, ClockCheck clocks) {
        this.settings = settings;
        this.time = time;
        this.random = random;
        this.jitter = new Jitter(random);
        this.clocks = clocks;
        this.nextAt = time.moment();
        this.validity = new Validity(SessionId.of(0), Duration.ZERO, time, ClockReading.of(time));
    }

    Stage stage() {
        return stage;
    }

    /** The validity of the present session, or of the last one, which is over. Thread-safe. */
    Validity validity() {
        return validity;
    }

    /** When to call {@link #woke()} if nothing happens before. */
    Deadline wakeAt() {
        return switch (stage) {
            case NONE -> isWanted ? Deadline.at(nextAt) : Deadline.NEVER;
            case BEGINNING, CLOSED -> Deadline.NEVER;
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
        SentBegin call =
                new SentBegin(candidate, new SessionEdit.Begin(settings.lease(), settings.owner(), sending.wall()));
        underWay = call;
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
        // Late: a heartbeat might not get through before the session's end. The first late answer is no failure,
        // because a first call is slow: it opens connections.
        boolean isLate = isApplied && candidate.remaining().compareTo(settings.heartbeatTimeout()) <= 0;
        boolean isInTime = underWay == call && isApplied && !isLate;
        StoreFailure wrongClock = isInTime ? clocks.compare(candidate.begun(), storeTime) : null;
        if (isInTime && wrongClock == null) {
            began(candidate);
            return effects;
        }
        if (isApplied) {
            // Not if the beginning was refused: the item may be another process's.
            effects.add(new SessionEffect.Delete(candidate.id(), true));
        }
        notBegun(call, isLate && wasLate ? tooLate() : wrongClock);
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

    private void began(Validity candidate) {
        stage = Stage.VALID;
        validity = candidate;
        heartbeats = 0;
        underWay = null;
        noticesToRemove = Set.of();
        greatestLead = Duration.ZERO;
        pause.end();
        wasLate = false;
        // Every lock that wanted a session meanwhile has one now.
        isWanted = false;
        nextAt = candidate.begun().moment().plus(settings.heartbeat());
        effects.add(new SessionEffect.Began(candidate));
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
        }
        return effects;
    }

    private void sendHeartbeat() {
        ClockReading sending = ClockReading.of(time);
        if (!clocks.allows(fallenBack(sending))) {
            // By the time in this heartbeat, other processes would find the session expired.
            over(SessionEnd.CLOCK_BACK);
            return;
        }
        heartbeats++;
        SentHeartbeat call = new SentHeartbeat(
                validity.id(), new SessionEdit.Heartbeat(heartbeats, noticesToRemove, sending.wall()), sending);
        underWay = call;
        effects.add(new SessionEffect.SendHeartbeat(call));
    }

    /**
     * How far the wall clock has fallen back behind its greatest lead over the monotonic clock. The lead is not
     * compared with the lead at the session's beginning: the monotonic clock stands still while the machine is
     * suspended, and the lead that this adds would hide a later fall.
     */
    private Duration fallenBack(ClockReading sending) {
        ClockReading begun = validity.begun();
        Duration lead = Duration.between(begun.wall(), sending.wall())
                .minus(sending.moment().since(begun.moment()));
        greatestLead = Durations.longer(lead, greatestLead);
        return greatestLead.minus(lead);
    }

    /**
     * The store has answered a heartbeat.
     *
     * @param item the session's item; as long as there is one, the session lives, even if it shows a later heartbeat
     * @param storeTime the store's wall clock as the answer tells it; {@code null} if the store does not tell
     */
    List<SessionEffect> heartbeatAnswered(SentHeartbeat call, Optional<SessionItem> item, @Nullable Instant storeTime) {
        startEvent();
        if (underWay != call) {
            return effects;
        }
        underWay = null;
        if (item.isEmpty()) {
            over(SessionEnd.EXPIRED);
            return effects;
        }
        if (clocks.compare(call.sent(), storeTime) != null) {
            // The clock did not jump, or sendHeartbeat would have seen that: it was slewed, or has drifted.
            over(SessionEnd.CLOCK_WRONG);
            return effects;
        }
        Duration fallen = storeTime == null ? Duration.ZERO : fallenBack(ClockReading.of(time));
        if (clocks.allows(fallen)) {
            // The wall clock is right, so the fall was drift between the two clocks. Taking it off keeps the drift of
            // weeks from adding up to a fall.
            greatestLead = greatestLead.minus(fallen);
        }
        validity.extend(call.sent());
        nextAt = call.sentAt().plus(settings.heartbeat());
        noticesToRemove = item.get().notices();
        if (!noticesToRemove.isEmpty()) {
            effects.add(new SessionEffect.NoticesFound(noticesToRemove.stream()
                    .map(Notice::read)
                    .flatMap(Optional::stream)
                    .toList()));
        }
        return effects;
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
