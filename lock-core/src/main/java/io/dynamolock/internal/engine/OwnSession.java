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
 * The life of this process's session. It is begun when somebody needs it; one heartbeat then serves every lock of the
 * process, as in Chubby and etcd; and when it is over, whoever needs one gets another.
 *
 * <p>Each event is noted and answered with what is to be done. Lives on the event loop, but for the {@link Validity}
 * that it gives out.
 */
class OwnSession {

    /**
     * NONE begins when a session is wanted, after a failure not at once; BEGINNING waits for the answer; VALID sends
     * heartbeats; CLOSED is for good.
     */
    enum Stage {
        NONE,
        BEGINNING,
        VALID,
        CLOSED
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** Longest pause after a beginning that has failed: a caller that comes now is owed an answer of its own. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final EngineSettings settings;
    private final TimeSource time;
    private final Jitter jitter;
    private final RandomGenerator random;
    private final ClockCheck clocks;

    /** See {@link Stage}. */
    private Stage stage = Stage.NONE;

    /**
     * Whether somebody needs a session and has not been told that beginning one has failed. Cleared when a begin is
     * sent or succeeds.
     */
    private boolean isWanted;

    /** The validity of the present session, or of the last one, which is over. Read by any thread. */
    private volatile Validity validity;

    /** The number of the last heartbeat of the present session; 0 before the first. */
    private long heartbeats;

    /** The begin or heartbeat that is under way and waited for. Cleared when it ends, and when the session is over. */
    private @Nullable SentCall underWay;

    /** The notices that the last answer to a heartbeat has shown: the next heartbeat takes them out. */
    private Set<String> noticesToRemove = Set.of();

    /**
     * How far the wall clock was at most ahead of the monotonic clock during the present session, counted from its
     * beginning.
     */
    private Duration greatestLead = Duration.ZERO;

    /** When the next begin or heartbeat may be sent. */
    private Moment nextAt;

    /** Pauses between beginnings that fail. */
    private final Backoff pause = new Backoff(FIRST_PAUSE);

    /** Whether a beginning was answered too late since the last session began. */
    private boolean wasLate;

    /** What is to be done about the present event. Begins empty with each event. */
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

    /** When the session is to be {@linkplain #woke() woken}. */
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

    /** Somebody needs a session. */
    List<SessionEffect> wanted() {
        isWanted = true;
        return woke();
    }

    /** An event has come: whatever it is, a session whose time has passed meanwhile is over first. */
    private void startEvent() {
        effects = new ArrayList<>();
        if (stage == Stage.VALID && !validity.isValid()) {
            // Without heartbeats it ends by whichever clock is a little ahead of the other.
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
     * @param storeTime what the store's clock said then; {@code null} if it does not tell
     */
    List<SessionEffect> beginAnswered(SentBegin call, boolean isApplied, @Nullable Instant storeTime) {
        startEvent();
        Validity candidate = call.candidate();
        // So late that a heartbeat might not get through before the end. The first time the way had to be paved.
        boolean isLate = isApplied && candidate.remaining().compareTo(settings.heartbeatTimeout()) <= 0;
        boolean isInTime = underWay == call && isApplied && !isLate;
        StoreFailure wrongClock = isInTime ? clocks.compare(candidate.begun(), storeTime) : null;
        if (isInTime && wrongClock == null) {
            began(candidate);
            return effects;
        }
        if (isApplied) {
            // If the beginning was not applied, the item may be another process's.
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
        // Everybody who wanted a session meanwhile has got one.
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
            // Nobody is told, so nobody says again that a session is wanted.
            isWanted = true;
        }
    }

    /** The time has come that was asked for. */
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
            // With this heartbeat the session would look long dead.
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
     * How far the wall clock has fallen back behind its greatest lead over the monotonic clock. The monotonic clock
     * stands still whenever the machine does: measured from the beginning, that would hide a fall.
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
     * @param item the session lives if there is one, even if it shows a later heartbeat
     * @param storeTime what the store's clock said then; {@code null} if it does not tell
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
            // A clock that is slewed, or drifts, is never seen to jump.
            over(SessionEnd.CLOCK_WRONG);
            return effects;
        }
        Duration fallen = storeTime == null ? Duration.ZERO : fallenBack(ClockReading.of(time));
        if (clocks.allows(fallen)) {
            // The clock is right. What two clocks drift apart in weeks does not add up to a fall.
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

    /** Ends it for good. */
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
