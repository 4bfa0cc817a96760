package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.Kind;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Grants the lock to all callers of all blocks that hold it, and lets each block go when the last of its callers is done.
 * Lives on the event loop.
 */
final class Together implements Serving {

    private final KeyParts parts;
    private final SharedHold hold;
    private final Entrance entrance;
    private final Exit exit;
    private final Releases releases;
    private final Map<Block, EventLoop.Timer> keeping = new IdentityHashMap<>();

    Together(KeyParts parts, SharedHold hold, Entrance entrance, Exit exit, Releases releases) {
        this.parts = parts;
        this.hold = hold;
        this.entrance = entrance;
        this.exit = exit;
        this.releases = releases;
    }

    @Override
    public void begin(Block block) {
        stopKeeping(block);
        keeping.put(
                block,
                parts.calls.later(
                        () -> {
                            if (block.is(Stage.HOLDING)) {
                                exit.keep(block);
                                begin(block);
                            }
                        },
                        parts.context.settings.retention().dividedBy(2)));
    }

    @Override
    public void serve() {
        keeping.entrySet().removeIf(entry -> {
            boolean isOver = !entry.getKey().holds();
            if (isOver) {
                entry.getValue().cancel();
            }
            return isOver;
        });
        for (Block block : parts.line.blocks()) {
            if (!block.is(Stage.HOLDING) || !block.hasCallers()) {
                continue;
            }
            if (!block.session().isValid() || parts.engine.grants().isClosed()) {
                // The loss is an event of its own.
                parts.context.loop.execute(parts.engine.keeper()::check);
                return;
            }
            if (parts.kind == Kind.WRITE && block.mayHaveLanded()) {
                // As in Turns: a writer may have a fence.
                exit.rename(block);
                continue;
            }
            block.takeCallers().forEach(caller -> Turns.grant(parts, releases, block, caller));
        }
    }

    @Override
    public void finish() {
        for (Block block : parts.line.blocks()) {
            if (block.is(Stage.HOLDING)) {
                letGo(block);
            } else if (block.is(Stage.WAITING) && !block.hasCallers() && entrance.growthOf(block) == null) {
                exit.leave(block);
            }
        }
    }

    private void letGo(Block block) {
        if (!hold.isOut(block) && !block.hasCallers()) {
            if (entrance.mayGrow(block)) {
                entrance.step();
            }
            Joining growth = entrance.growthOf(block);
            if (growth == null || growth.isOverdue(parts.calls, Turns.PATIENCE)) {
                stopKeeping(block);
                exit.leave(block);
                return;
            }
        }
        hold.stays(block);
    }

    private void stopKeeping(Block block) {
        EventLoop.Timer timer = keeping.remove(block);
        if (timer != null) {
            timer.cancel();
        }
    }
}
