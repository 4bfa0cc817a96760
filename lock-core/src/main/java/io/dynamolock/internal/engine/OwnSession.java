package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.Notice;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The life of this process's session. It is begun when somebody needs it; one heartbeat then serves every lock of the process, as in Chubby
 * and etcd; and when it is over, whoever needs one gets another.
 *
 * <p>Each event is noted and answered with what is to be done. Lives on the event loop, but for the {@link Validity} that it gives out.
 */
class OwnSession {

    /**
     * NONE begins when a session is wanted, after a failure not at once; BEGINNING waits for the answer; VALID sends heartbeats;
     * CLOSED is for good.
     */
    enum Stage {
        NONE,
        BEGINNING,
        VALID,
        CLOSED
    }

    /** Why a session is over. */
    enum End {
        NO_HEARTBEAT("no heartbeat got through for a lease"),
        EXPIRED("another process found it without a heartbeat for a lease and expired it"),
        CLOCK_AHEAD("the wall clock of this machine was set ahead by as much as a lease, or the machine was suspended"),
        CLOCK_BACK("the wall clock of this machine was set back by more than half of maxClockSkew"),
        CLOCK_WRONG(
                "the wall clock of this machine and the store's have moved apart by more than half of maxClockSkew");

        final String inWords;

        End(String inWords) {
            this.inWords = inWords;
        }
    }

    /** What is to be done. */
    sealed interface Effect {

        /** Sent at most once for an id: a late second landing would bring an expired session back. */
        record SendBegin(Validity candidate, SessionEdit.Begin edit) implements Effect {}

        record SendHeartbeat(SessionId id, SessionEdit.Heartbeat edit, Moment sending) implements Effect {}

        /**
         * The session's item is to be deleted: again and again until that is answered, unless it is not known whether there is one. In an
         * outage of hours those would be thousands, and TTL removes an item that nobody cares for.
         */
        record Delete(SessionId id, boolean isCertain) implements Effect {}

        record Began(Validity validity) implements Effect {}

        record NotBegun(StoreFailure failure) implements Effect {}

        /** The session is over, and its item is to be deleted when its holders have had a moment to hear of it. */
        record Over(SessionId id, End end) implements Effect {}

        record Heard(List<Notice> notices) implements Effect {}
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

    /** Whoever comes now is owed an answer of its own. */
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

    private final EngineSettings settings;
    private final TimeSource time;
    private final RandomGenerator random;
    private final ClockCheck clocks;

    private Stage stage = Stage.NONE;
    private boolean wanted;
    private volatile Validity validity;
    private long heartbeats;
    private boolean isHeartbeatUnderWay;
    private Set<String> heard = Set.of();
    private Duration greatestLead = Duration.ZERO;
    private long nextAt;
    private Duration pause = Duration.ZERO;
    private boolean wasLate;
    private List<Effect> effects = new ArrayList<>();

    OwnSession(EngineSettings settings, TimeSource time, RandomGenerator random, ClockCheck clocks) {
        this.settings = settings;
        this.time = time;
        this.random = random;
        this.clocks = clocks;
        this.nextAt = time.nanos();
        this.validity = new Validity(SessionId.of(0), Duration.ZERO, time, Moment.now(time));
    }

    Stage stage() {
        return stage;
    }

    /** That of the last session, over if there is none. */
    Validity validity() {
        return validity;
    }

    /** When it is to be {@linkplain #woke() woken}, by the monotonic clock; {@link Long#MAX_VALUE} for never. */
    long wakeAt() {
        long end = time.nanos() + validity.remaining().toNanos() + 1;
        return switch (stage) {
            case NONE -> wanted ? nextAt : Long.MAX_VALUE;
            case BEGINNING, CLOSED -> Long.MAX_VALUE;
            case VALID -> isHeartbeatUnderWay || end - nextAt < 0 ? end : nextAt;
        };
    }

    /** Somebody needs a session. */
    List<Effect> wanted() {
        wanted = true;
        return woke();
    }

    /** An event has come: whatever it is, a session whose time has passed meanwhile is over first. */
    private void begin() {
        effects = new ArrayList<>();
        if (stage == Stage.VALID && !validity.isValid()) {
            // Without heartbeats it ends by whichever clock is a little ahead of the other.
            boolean isByWallClock = validity.monotonicRemaining().compareTo(settings.heartbeat()) > 0;
            over(isByWallClock ? End.CLOCK_AHEAD : End.NO_HEARTBEAT);
        }
    }

    private void sendBegin() {
        wanted = false;
        stage = Stage.BEGINNING;
        Moment sending = Moment.now(time);
        Validity candidate = new Validity(
                SessionId.of(random.nextLong()), settings.lease().minus(settings.driftMargin()), time, sending);
        effects.add(new Effect.SendBegin(
                candidate, new SessionEdit.Begin(settings.lease(), settings.owner(), sending.at())));
    }

    /**
     * The store has answered the beginning.
     *
     * @param storeTime what its clock said then; {@code null} if it does not tell
     */
    List<Effect> beginAnswered(Validity candidate, boolean isApplied, @Nullable Instant storeTime) {
        begin();
        // So late that a heartbeat might not get through before the end. The first time the way had to be paved.
        boolean isLate = isApplied && candidate.remaining().compareTo(settings.heartbeatTimeout()) <= 0;
        boolean isInTime = stage == Stage.BEGINNING && isApplied && !isLate;
        StoreFailure wrongClock = isInTime ? clocks.compare(candidate.begun, storeTime) : null;
        if (isInTime && wrongClock == null) {
            began(candidate);
            return effects;
        }
        if (isApplied) {
            // If not, the item may be another process's.
            effects.add(new Effect.Delete(candidate.id, true));
        }
        notBegun(isLate && wasLate ? tooLate() : wrongClock);
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
        isHeartbeatUnderWay = false;
        heard = Set.of();
        greatestLead = Duration.ZERO;
        pause = Duration.ZERO;
        wasLate = false;
        // Whoever wanted one meanwhile has got it.
        wanted = false;
        nextAt = candidate.begun.nanos() + settings.heartbeat().toNanos();
        effects.add(new Effect.Began(candidate));
    }

    /** The beginning has failed. */
    List<Effect> beginFailed(Validity candidate, StoreFailure failure) {
        begin();
        if (failure.mayHaveTakenEffect()) {
            effects.add(new Effect.Delete(candidate.id, false));
        }
        notBegun(failure);
        return effects;
    }

    private void notBegun(@Nullable StoreFailure failure) {
        if (stage != Stage.BEGINNING) {
            return;
        }
        stage = Stage.NONE;
        pause = pause.isZero() ? FIRST_PAUSE : Collections.min(List.of(pause.multipliedBy(2), LONGEST_PAUSE));
        nextAt = time.nanos() + jittered(pause).toNanos();
        if (failure != null) {
            effects.add(new Effect.NotBegun(failure));
        } else {
            // Nobody is told, so nobody says again that it wants one.
            wanted = true;
        }
    }

    /** The time has come that was asked for. */
    List<Effect> woke() {
        begin();
        boolean isDue = time.nanos() - nextAt >= 0;
        if (isDue && stage == Stage.NONE && wanted) {
            sendBegin();
        } else if (isDue && stage == Stage.VALID && !isHeartbeatUnderWay) {
            sendHeartbeat();
        }
        return effects;
    }

    private void sendHeartbeat() {
        Moment sending = Moment.now(time);
        if (!clocks.allows(fallenBack(sending))) {
            // With this heartbeat the session would look long dead.
            over(End.CLOCK_BACK);
            return;
        }
        isHeartbeatUnderWay = true;
        effects.add(new Effect.SendHeartbeat(
                validity.id, new SessionEdit.Heartbeat(++heartbeats, heard, sending.at()), sending));
    }

    /**
     * How far the wall clock has fallen back behind its greatest lead over the monotonic clock. The monotonic clock stands still whenever
     * the machine does: measured from the beginning, that would hide a fall.
     */
    private Duration fallenBack(Moment sending) {
        Moment begun = validity.begun;
        Duration lead = Duration.between(begun.at(), sending.at()).minusNanos(sending.nanos() - begun.nanos());
        greatestLead = lead.compareTo(greatestLead) > 0 ? lead : greatestLead;
        return greatestLead.minus(lead);
    }

    /**
     * The store has answered a heartbeat.
     *
     * @param item the session lives if there is one, even if it shows a later heartbeat
     * @param storeTime what the store's clock said then; {@code null} if it does not tell
     */
    List<Effect> heartbeatAnswered(
            SessionId id, Moment sending, Optional<SessionItem> item, @Nullable Instant storeTime) {
        begin();
        if (stage != Stage.VALID || !validity.id.equals(id)) {
            return effects;
        }
        isHeartbeatUnderWay = false;
        if (item.isEmpty()) {
            over(End.EXPIRED);
            return effects;
        }
        if (clocks.compare(sending, storeTime) != null) {
            // A clock that is slewed, or drifts, is never seen to jump.
            over(End.CLOCK_WRONG);
            return effects;
        }
        Duration fallen = storeTime == null ? Duration.ZERO : fallenBack(Moment.now(time));
        if (clocks.allows(fallen)) {
            // The clock is right. What two clocks drift apart in weeks does not add up to a fall.
            greatestLead = greatestLead.minus(fallen);
        }
        validity.extend(sending);
        nextAt = sending.nanos() + settings.heartbeat().toNanos();
        heard = item.get().notices();
        if (!heard.isEmpty()) {
            effects.add(new Effect.Heard(
                    heard.stream().map(Notice::read).flatMap(Optional::stream).toList()));
        }
        return effects;
    }

    List<Effect> heartbeatFailed(SessionId id) {
        begin();
        if (stage == Stage.VALID && validity.id.equals(id)) {
            isHeartbeatUnderWay = false;
            nextAt = time.nanos() + jittered(settings.heartbeat().dividedBy(4)).toNanos();
        }
        return effects;
    }

    /** Ends it for good. */
    List<Effect> close() {
        effects = new ArrayList<>();
        if (stage == Stage.VALID) {
            validity.end();
            effects.add(new Effect.Delete(validity.id, true));
        }
        stage = Stage.CLOSED;
        return effects;
    }

    private void over(End why) {
        validity.end();
        stage = Stage.NONE;
        nextAt = time.nanos();
        effects.add(new Effect.Over(validity.id, why));
    }

    /** Anything from three quarters of the time to the whole, so that processes do not march in step. */
    private Duration jittered(Duration some) {
        long nanos = some.toNanos();
        return Duration.ofNanos(nanos - (long) (nanos * 0.25 * random.nextDouble()));
    }
}
