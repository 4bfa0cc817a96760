package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.SessionStep;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Begins a session, again and again as long as someone needs one and until there is one; none during a pause, or after the
 * end. Lives on the event loop.
 */
final class SessionStart {

    private final EngineContext context;
    private final EndedSessions ended;
    private final ClockCheck clockCheck;
    private final SessionKeeper.Dependants dependants;
    private final BiConsumer<Session, Session.Sending> began;
    private final Beginning beginning;
    private boolean closed;
    private boolean paused;
    /** Counts the pauses: what was begun before one concerns nobody after it. */
    private int pauses;

    /** @param began told of a session that is there, and when its beginning was sent */
    SessionStart(
            EngineContext context,
            EndedSessions ended,
            ClockCheck clockCheck,
            SessionKeeper.Dependants dependants,
            BiConsumer<Session, Session.Sending> began) {
        this.context = context;
        this.ended = ended;
        this.clockCheck = clockCheck;
        this.dependants = dependants;
        this.began = began;
        this.beginning = new Beginning(context);
    }

    /** Begins one if none is on its way, be it in the pause after a failure. */
    void want() {
        if (!beginning.isUnderWay() && !closed && !paused) {
            beginning.begins();
            begin();
        }
    }

    /** Why there is no session, though it was asked for long enough; {@code null} once there is one. */
    @Nullable
    StoreFailure failure() {
        return beginning.failure();
    }

    /** How long it may take after the closing until the table has no session of this process. */
    Duration timeToEnd() {
        Duration callTimeout = context.settings.callTimeout();
        Duration usual = callTimeout.multipliedBy(2);
        Duration begun = beginning.limit().plus(callTimeout);
        return beginning.isUnderWay() && begun.compareTo(usual) > 0 ? begun : usual;
    }

    void close() {
        closed = true;
    }

    void pause() {
        paused = true;
        pauses++;
        beginning.paused();
    }

    void resume() {
        paused = false;
    }

    boolean isPaused() {
        assert context.loop.isCurrent();
        return paused;
    }

    private void begin() {
        int before = pauses;
        SessionId id = context.newSessionId();
        Session.Sending sending = Session.Sending.now(context.time);
        SessionStep begin = new SessionStep.Begin(context.settings.lease(), context.settings.owner(), sending.at());
        // Never sent twice for one id: a late second landing would bring a buried session back.
        context.calls.send(
                StoreCall.of(Lane.BEAT, Beginning.OPERATION, () -> context.store.take(id, begin, sending.at()))
                        .within(beginning.limit()),
                answer -> {
                    if (pauses != before) {
                        if (answer.isApplied()) {
                            ended.end(id);
                        }
                    } else if (answer.isApplied()) {
                        begun(new Session(id, context.settings, context.time, sending), sending);
                    } else {
                        // The item may be another process's: it must not be deleted.
                        notBegun(null);
                    }
                },
                why -> {
                    if (why.mayHaveTakenEffect()) {
                        ended.end(id);
                    }
                    if (pauses == before) {
                        notBegun(why);
                    }
                });
    }

    private void begun(Session candidate, Session.Sending sending) {
        if (closed) {
            ended.end(candidate.id());
            return;
        }
        // An answer so late that a beat might not get through before the end.
        if (candidate.remaining().compareTo(context.settings.beatTimeout()) <= 0) {
            // It says nothing of the clock: this process may have stood still since it came.
            refuse(candidate, beginning.tooLate(context.since(sending.nanos())));
            return;
        }
        StoreFailure wrongClock = clockCheck.answered();
        if (wrongClock != null) {
            refuse(candidate, wrongClock);
            return;
        }
        beginning.succeeded();
        began.accept(candidate, sending);
    }

    private void refuse(Session candidate, @Nullable StoreFailure why) {
        ended.end(candidate.id());
        notBegun(why);
    }

    private void notBegun(@Nullable StoreFailure why) {
        if (closed) {
            return;
        }
        if (why != null) {
            beginning.failed(why);
            dependants.sessionNotStarted(why);
        }
        int before = pauses;
        Runnable retry = () -> {
            if (pauses != before) {
                return;
            }
            if (dependants.needSession() && !closed) {
                begin();
            } else {
                beginning.isGivenUp();
            }
        };
        context.loop.schedule(retry, beginning.pause());
    }
}
