package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Passes the lock from caller to caller of the block that holds it. Lives on the event loop. */
final class Turns implements Serving {

    /** The end of a block waits for its growth a generous round trip. A slow call must not keep the lock from others. */
    static final Duration PATIENCE = Duration.ofMillis(250);

    private final KeyParts parts;
    private final Entrance entrance;
    private final Exit exit;
    private final Releases releases;
    private EventLoop.@Nullable Timer keepAlive;

    Turns(KeyParts parts, Entrance entrance, Exit exit, Releases releases) {
        this.parts = parts;
        this.entrance = entrance;
        this.exit = exit;
        this.releases = releases;
    }

    @Override
    public void begin(Block block) {
        stopKeeping();
        keepAlive = parts.calls.later(
                () -> {
                    exit.keep(block);
                    begin(block);
                },
                parts.context.settings.retention().dividedBy(2));
    }

    @Override
    public void serve() {
        Block block = parts.line.holding();
        if (block == null) {
            stopKeeping();
        }
        while (block != null && block.is(Stage.HOLDING) && !parts.hold.isOut(block) && block.hasCallers()) {
            // A late first sending of an ask that was repeated must not bring a number back that a fence carries.
            if (parts.hold.needsNewNumber() || block.mayHaveLanded()) {
                exit.rename(block);
                return;
            }
            if (!block.session().isValid() || parts.engine.grants().isClosed()) {
                // The loss is an event of its own.
                parts.context.loop.execute(parts.engine.keeper()::check);
                return;
            }
            block.takeFirst(1).forEach(next -> grant(parts, releases, block, next));
        }
    }

    /** The caller has the lock by this block. */
    static void grant(KeyParts parts, Releases releases, Block block, Caller caller) {
        GrantedLock grant = new GrantedLock(
                parts.context,
                parts.engine.grants(),
                releases,
                parts.data,
                caller.spec(),
                block.session(),
                block.id(),
                caller.number(),
                caller.joinedAs());
        parts.engine.grants().add(grant);
        block.serves();
        Duration waited = parts.context.since(caller.startedNanos());
        // The caller may release before these lines are done; its release is a later event.
        if (!caller.end(new AcquireOutcome.Granted(grant))) {
            parts.engine.grants().remove(grant);
            return;
        }
        caller.cancelDeadline();
        parts.hold.grant(block, grant, limit -> parts.calls.later(() -> parts.hold.forceOut(grant), limit));
        parts.context.listener.acquired(caller.spec(), caller.number(), waited, caller.wasQueued());
    }

    @Override
    public void finish() {
        Block block = parts.line.holding();
        if (block == null || !block.is(Stage.HOLDING) || parts.hold.isOut(block) || block.hasCallers()) {
            return;
        }
        if (entrance.mayGrow(block)) {
            if (parts.comeback.isMissed()) {
                return;
            }
            parts.comeback.end();
            entrance.step();
        }
        Joining growth = entrance.growthOf(block);
        if (growth == null || growth.isOverdue(parts.calls, PATIENCE)) {
            parts.hold.begins();
            stopKeeping();
            exit.leave(block);
        }
    }

    private void stopKeeping() {
        if (keepAlive != null) {
            keepAlive.cancel();
            keepAlive = null;
        }
    }
}
