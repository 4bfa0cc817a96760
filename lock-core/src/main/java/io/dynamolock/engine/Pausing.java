package io.dynamolock.engine;

import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.protocol.SafeText;
import io.dynamolock.internal.protocol.SessionId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pause of the engine: the process leaves the table as at its end, and then sends nothing until it goes on. Those who wait
 * are not told. Lives on the event loop.
 */
final class Pausing {

    private static final Logger log = LoggerFactory.getLogger(Pausing.class);

    private final EngineContext context;
    private final EngineParts parts;
    private final Farewell farewell;
    private final List<CompletableFuture<Void>> untold = new ArrayList<>();
    private boolean paused;
    private boolean quiet;
    /** Counts the pauses: what ends an earlier one does not end this one. */
    private int count;

    Pausing(EngineContext context, EngineParts parts, Farewell farewell) {
        this.context = context;
        this.parts = parts;
        this.farewell = farewell;
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether the caller, which does not wait, has been told that nobody is asked in a pause. */
    boolean refuses(Caller caller) {
        boolean isRefused = paused && caller.spec().waitsNotAtAll();
        if (isRefused && caller.end(new AcquireOutcome.Paused())) {
            context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
        }
        return isRefused;
    }

    /**
     * @param leave has the queues give up what they have, when there is no session any more
     * @param done completes when no call is under way any more, or that took for too long
     */
    void pause(Runnable leave, CompletableFuture<Void> done) {
        untold.add(done);
        if (paused) {
            if (quiet) {
                tell();
            }
            return;
        }
        paused = true;
        quiet = false;
        int pause = ++count;
        EventLoop.Timer patience =
                context.loop.schedule(() -> giveUp(pause), parts.keeper().timeToEnd());
        SessionId session = parts.keeper().pause();
        leave.run();
        farewell.take(session, () -> isQuiet(pause, patience), () -> {
            giveUp(pause);
            patience.cancel();
            if (session != null) {
                // It would keep others from its locks for a lease: it is deleted as soon as anything is called again.
                parts.ended().end(session);
            }
        });
    }

    private void isQuiet(int pause, EventLoop.Timer patience) {
        if (paused && count == pause) {
            context.calls.hold();
            context.calls.whenIdle(() -> {
                patience.cancel();
                stopCalling(pause);
            });
        } else {
            patience.cancel();
        }
    }

    private void giveUp(int pause) {
        if (paused && count == pause && !quiet) {
            log.warn(
                    "The lock session of {} could not be ended in time for a pause: others have to wait for its locks until its"
                            + " lease of {} is over",
                    SafeText.quote(context.settings.owner()),
                    context.settings.lease());
        }
        stopCalling(pause);
    }

    private void stopCalling(int pause) {
        if (paused && count == pause) {
            context.calls.hold();
            quiet = true;
            tell();
        }
    }

    /** What was left to do is done now, too. */
    void goOn() {
        if (paused) {
            paused = false;
            parts.keeper().resume();
            context.calls.goOn();
            tell();
        }
    }

    /** Nobody is told anything any more after that. */
    void tell() {
        List<CompletableFuture<Void>> all = List.copyOf(untold);
        untold.clear();
        all.forEach(each -> each.complete(null));
    }
}
