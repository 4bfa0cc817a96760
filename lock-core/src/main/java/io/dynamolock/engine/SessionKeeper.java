package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.TimeSource;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins this process's session when someone needs it, beats it, and notices when it is lost. One beat serves every lock
 * of the process, as in Chubby and etcd. Lives on the event loop.
 */
final class SessionKeeper {

    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);

    /** Who depends on the session. */
    interface Dependants {

        /** Whether anyone waits for a session to be there. */
        boolean needSession();

        void sessionStarted(Session session);

        /** Beginning a session failed; it is tried again as long as someone needs it. */
        void sessionNotStarted(StoreFailure failure);

        void sessionLost(Session session, SessionEnd why);

        void disputed(Set<Dispute> disputes);

        /** An operator wants these places given up. */
        void evicted(Set<Eviction> evictions);

        /** What the store's clock said when it answered a call that was sent then, by the monotonic clock. */
        void storeClockSays(Instant at, long sentNanos);
    }

    private final EngineContext context;
    private final EngineSettings settings;
    private final TimeSource time;
    private final EndedSessions ended;
    private final ClockCheck clockCheck;
    private final Dependants dependants;
    private final SessionStart start;
    /** A beat has its answer, or is given up, well inside the lease. */
    private final Duration timeToBeat;

    private final Set<Dispute> settled = new HashSet<>();
    private final HeardEvictions evictions = new HeardEvictions();
    /** Written on the event loop only. */
    private volatile @Nullable Session session;

    private long startedNanos;
    private long beats;

    private EventLoop.Timer beatTimer = () -> {};
    private EventLoop.Timer expiryTimer = () -> {};

    SessionKeeper(EngineContext context, EndedSessions ended, Dependants dependants) {
        this.context = context;
        this.settings = context.settings;
        this.time = context.time;
        this.ended = ended;
        this.clockCheck = new ClockCheck(context);
        this.dependants = dependants;
        this.timeToBeat = settings.beatTimeout();
        this.start = new SessionStart(context, ended, clockCheck, dependants, this::begun);
    }

    /** The session if it is valid at this moment. Changes nothing: losing it is an event of its own. */
    @Nullable
    Session current() {
        assert context.loop.isCurrent();
        Session present = session;
        return present != null && present.isValid() ? present : null;
    }

    /** What there is to be seen of the session, on any thread; empty without a valid one. */
    Optional<OwnSession> view() {
        return OwnSession.of(session, settings.owner());
    }

    /** Makes the session invalid at once, on any thread: {@link #pause()} is to follow on the event loop. */
    void endAtOnce() {
        Session present = session;
        if (present != null) {
            present.pause();
        }
    }

    /** Begins a session if there is none and none is on its way, be it in the pause after a failure. */
    void want() {
        assert context.loop.isCurrent();
        Session present = session;
        if (present != null && !present.isValid()) {
            context.loop.execute(this::check);
        } else if (present == null) {
            start.want();
        }
    }

    /** Whether this is the present session. */
    boolean isOwn(SessionId id) {
        assert context.loop.isCurrent();
        Session present = session;
        return present != null && present.id().equals(id);
    }

    /** Why there is no session, though it was asked for long enough; {@code null} once there is one. */
    @Nullable
    StoreFailure failure() {
        assert context.loop.isCurrent();
        return start.failure();
    }

    /** How long there has been a session; without a valid one, for ever. */
    Duration age() {
        assert context.loop.isCurrent();
        return current() == null ? AcquireSpec.FOREVER : context.since(startedNanos);
    }

    /** How long it may take after the closing until the table has no session of this process. */
    Duration timeToEnd() {
        return start.timeToEnd();
    }

    /** Declares the session lost if its validity is over, but for a pause: that is told as such. */
    void check() {
        assert context.loop.isCurrent();
        Session present = session;
        if (present != null && !present.isValid() && !present.isPaused()) {
            lose(present, present.isOverByWallClockAlone() ? SessionEnd.WALL_CLOCK_AHEAD : SessionEnd.NO_BEAT);
        }
    }

    /** Ends the session without telling anyone, for good; the id of the item to delete, if there may be one. */
    @Nullable
    SessionId close() {
        start.close();
        return endQuietly();
    }

    /** As {@link #close()}, but until it resumes. What has only begun is deleted as soon as that is known. */
    @Nullable
    SessionId pause() {
        start.pause();
        return endQuietly();
    }

    private @Nullable SessionId endQuietly() {
        assert context.loop.isCurrent();
        Session present = session;
        if (present == null) {
            return null;
        }
        end(present);
        return present.id();
    }

    void resume() {
        start.resume();
    }

    ClockCheck clockCheck() {
        return clockCheck;
    }

    boolean isPaused() {
        return start.isPaused();
    }

    private StoreCall<Answer<Optional<SessionItem>>> call(
            String operation, SessionId id, SessionStep step, Session.Sending sending) {
        return StoreCall.of(Lane.BEAT, operation, () -> context.store.take(id, step, sending.at()));
    }

    private void begun(Session begun, Session.Sending sending) {
        startedNanos = time.nanos();
        context.store.lastAnsweredAt().ifPresent(at -> dependants.storeClockSays(at, sending.nanos()));
        session = begun;
        beats = 0;
        settled.clear();
        evictions.clear();
        expireLater(begun);
        beatLater(begun, restOfInterval(sending));
        dependants.sessionStarted(begun);
    }

    private Duration restOfInterval(Session.Sending last) {
        Duration rest = settings.heartbeat().minus(context.since(last.nanos()));
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    private void beatLater(Session present, Duration delay) {
        beatTimer = context.loop.schedule(() -> beat(present), delay);
    }

    private void beat(Session present) {
        if (session != present) {
            return;
        }
        Session.Sending sending = Session.Sending.now(time);
        check();
        if (session == present && !clockCheck.allows(present.wallClockFellBack(sending))) {
            // Writing this beat would make the session look long dead.
            lose(present, SessionEnd.WALL_CLOCK_BACK);
        }
        if (session != present) {
            return;
        }
        SessionStep.Beat beat = new SessionStep.Beat(++beats, settled, evictions.toTakeAway(), sending.at());
        context.calls.send(
                call("beat", present.id(), beat, sending).within(timeToBeat),
                answer -> beaten(present, sending, beat, answer.item()),
                why -> {
                    if (session == present) {
                        log.warn("A heartbeat of the lock session failed, it will be repeated: {}", why.getMessage());
                        Duration quarter = settings.heartbeat().dividedBy(4);
                        beatLater(present, context.backoff.jittered(quarter));
                    }
                });
    }

    /** @param item the session lives if there is one, even if it shows a later beat than this */
    private void beaten(Session present, Session.Sending sending, SessionStep.Beat beat, Optional<SessionItem> item) {
        if (session != present) {
            return;
        }
        if (item.isEmpty()) {
            lose(present, SessionEnd.BURIED);
            return;
        }
        check();
        if (session != present) {
            return;
        }
        present.extend(sending);
        expireLater(present);
        beatLater(present, restOfInterval(sending));
        Set<Dispute> disputes = item.get().disputes();
        settled.removeAll(beat.settled());
        settled.addAll(disputes);
        if (!disputes.isEmpty()) {
            dependants.disputed(disputes);
        }
        Set<Eviction> told = evictions.shown(item.get().evictions(), beat.obeyed());
        if (!told.isEmpty()) {
            dependants.evicted(told);
        }
    }

    private void expireLater(Session present) {
        expiryTimer.cancel();
        Runnable expiry = () -> {
            check();
            if (session == present) {
                expireLater(present);
            }
        };
        expiryTimer = context.loop.schedule(expiry, present.remaining().plusNanos(1));
    }

    private void lose(Session present, SessionEnd why) {
        log.warn(
                "The lock session of {} is lost: {}. All locks held under it are invalid.",
                SafeText.quote(settings.owner()),
                why.inWords());
        end(present);
        if (why == SessionEnd.BURIED) {
            ended.knownDead(present.id());
        } else {
            ended.end(present.id());
        }
        dependants.sessionLost(present, why);
    }

    private void end(Session present) {
        present.end();
        session = null;
        beatTimer.cancel();
        expiryTimer.cancel();
    }
}
