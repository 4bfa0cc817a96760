package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Standing;

/**
 * What an answer about the lock means for a block of this process that stands in its queue: it has got the lock, it still
 * waits, or somebody has taken it away. Lives on the event loop.
 */
final class Judging {

    private final KeyParts parts;
    private final Serving turns;

    /** @param turns told when a block has got the lock */
    Judging(KeyParts parts, Serving turns) {
        this.parts = parts;
        this.turns = turns;
    }

    /** @param isFresh whether the answer is newer than all that is known of the block */
    void judge(Block block, LockItem item, boolean isFresh) {
        if ((!block.is(Stage.WAITING) && !block.holds()) || block.isRenamedIn(item)) {
            return;
        }
        int index = item.indexOf(block.id());
        if (index >= 0 && (isFresh || block.is(Stage.WAITING))) {
            block.mayShowAs(item.queue().get(index));
        }
        Standing standing = Standing.of(block.id(), item, block.issued(), isFresh);
        if (standing instanceof Standing.Holds held) {
            if (block.is(Stage.WAITING)) {
                block.holds(held.lastTicket(), held.callers(), parts.outlook.next());
                turns.begin(block);
            }
        } else if (standing instanceof Standing.Waiting) {
            // When there are fewer permits than before, those who have one keep it.
            if (block.holds() && isFresh && parts.kind != Kind.PERMIT) {
                // Somebody has changed the item by hand.
                takenAway(block);
                parts.engine.strays().remove(parts.key, block.id(), false);
            }
        } else if (standing instanceof Standing.Unknown) {
            parts.outlook.doubt();
        } else if (!block.isIn(item)) {
            takenAway(block);
        }
    }

    /** Somebody took the block out, or removed the item: the lock is lost, and the callers behind it ask anew. */
    private void takenAway(Block block) {
        if (block.holds()) {
            parts.hold.lose(block, LossReason.TAKEN_AWAY);
        }
        parts.line.remove(block);
        parts.waits.putBack(block.takeCallers());
    }
}
