package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes the lock from caller to caller of the block that holds it. Lives on the event loop. */
final class Turns {

    /** The end of a block waits for its growth a generous round trip. A slow call must not keep the lock from others. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private final EngineParts parts;
    private final EngineContext context;
    private final KeyCalls calls;
    private final Hold hold;
    private final Line line;
    private final Entrance entrance;
    private final Exit exit;
    private final GrantedLock.Releases releases;
    private EventLoop.@Nullable Timer keepAlive;
    private EventLoop.@Nullable Timer patience;

    Turns(
            EngineParts parts,
            KeyCalls calls,
            Hold hold,
            Line line,
            Entrance entrance,
            Exit exit,
            GrantedLock.Releases releases) {
        this.parts = parts;
        this.context = parts.context();
        this.calls = calls;
        this.hold = hold;
        this.line = line;
        this.entrance = entrance;
        this.exit = exit;
        this.releases = releases;
    }

    /** The block has got the lock. Its item is written in time, so that the table's TTL does not take it. */
    void begin(Block block) {
        stopKeeping();
        keepAlive = calls.later(
                () -> {
                    exit.keep(block);
                    begin(block);
                },
                context.settings.retention().dividedBy(2));
    }

    void serve() {
        Block block = line.holding();
        if (block == null) {
            stopKeeping();
        }
        while (block != null && block.is(Stage.HOLDING) && !hold.isOut() && block.hasCallers()) {
            if (hold.hasOverstayed()) {
                exit.rename(block);
                return;
            }
            if (!block.session().isValid() || parts.grants().isClosed()) {
                // The loss is an event of its own.
                context.loop.execute(parts.keeper()::check);
                return;
            }
            Caller next = block.nextCaller();
            if (next != null) {
                grant(block, next);
            }
        }
    }

    private void grant(Block block, Caller caller) {
        GrantedLock grant =
                new GrantedLock(context, parts.grants(), releases, caller.spec(), block.session(), caller.number());
        parts.grants().add(grant);
        Duration waited = context.since(caller.startedNanos());
        // The caller may release before these lines are done; its release is a later event.
        if (!caller.end(new AcquireOutcome.Granted(grant))) {
            parts.grants().remove(grant);
            return;
        }
        caller.cancelDeadline();
        hold.grant(grant, limit -> calls.later(() -> hold.forceOut(grant), limit));
        context.listener.acquired(caller.spec(), caller.number(), waited, caller.wasQueued());
    }

    /** Releases the lock when nobody in the block waits, and nobody is about to join it. */
    void finish() {
        Block block = line.holding();
        if (block == null || !block.is(Stage.HOLDING) || hold.isOut() || block.hasCallers()) {
            stopWaiting();
            return;
        }
        if (entrance.mayGrow(block)) {
            entrance.waitForNobody();
            entrance.step();
        }
        Joining growth = entrance.growthOf(block);
        if (growth == null || growth.isOverdue()) {
            hold.begins();
            stopWaiting();
            stopKeeping();
            exit.leave(block);
        } else if (patience == null) {
            patience = calls.later(
                    () -> {
                        patience = null;
                        growth.markOverdue();
                    },
                    PATIENCE);
        }
    }

    private void stopWaiting() {
        if (patience != null) {
            patience.cancel();
            patience = null;
        }
    }

    private void stopKeeping() {
        if (keepAlive != null) {
            keepAlive.cancel();
            keepAlive = null;
        }
    }
}
