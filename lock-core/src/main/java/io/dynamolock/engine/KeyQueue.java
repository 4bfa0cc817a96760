package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockData;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.Standing;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that this process knows of one lock: the callers that gather, the blocks that stand in its queue, the hold. Events
 * come in, one at a time; each notes what happened, and then {@link #settle()} decides what to do next. Goes when its last
 * caller goes. Lives on the event loop.
 */
final class KeyQueue implements KeyCalls.Events {

    private final KeyParts parts;
    private final Consumer<KeyQueue> retired;
    private final Entrance entrance;
    private final Turns turns;
    private final MovingUp movingUp;
    private final Lookout lookout;
    private boolean over;

    /** @param retired told when nobody of this process wants the lock any more */
    KeyQueue(LockKey key, EngineParts engine, Consumer<KeyQueue> retired) {
        this.retired = retired;
        parts = new KeyParts(key, engine, this);
        Exit exit = new Exit(parts);
        entrance = new Entrance(parts, exit);
        turns = new Turns(parts, entrance, exit, this::released);
        movingUp = new MovingUp(parts, entrance, exit);
        lookout = new Lookout(parts, entrance, exit);
    }

    /** What all events of the lock go through. */
    @Override
    public void on(Runnable event) {
        assert parts.context.loop.isCurrent() : "not on the event loop";
        event.run();
        settle();
    }

    private void settle() {
        turns.serve();
        parts.waits.tellQueued();
        parts.waits.expireOverdue();
        if (movingUp.step()) {
            lookout.company();
        }
        entrance.step();
        turns.finish();
        movingUp.retreat();
        lookout.step();
        if (isIdle()) {
            lookout.stop();
            parts.comeback.end();
            over = true;
            retired.accept(this);
        }
    }

    private boolean isIdle() {
        return parts.waits.isEmpty() && parts.line.isEmpty() && entrance.isIdle();
    }

    // Callers

    void arrive(Caller caller) {
        on(() -> {
            if (!caller.isWaiting()) {
                return;
            }
            boolean isAlone = parts.waits.isEmpty() && entrance.isIdle() && parts.line.isDeserted();
            if (caller.spec().waitsNotAtAll() && !isAlone) {
                parts.waits.timeOut(caller);
                return;
            }
            parts.waits.add(caller, isAlone, late -> on(() -> parts.waits.deadlineReached(late)));
            entrance.arrived(caller);
            if (entrance.isAtTheDoor()) {
                lookout.company();
            }
        });
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        on(() -> parts.waits.left(caller));
    }

    /** The owner of a grant has released it. */
    void released(GrantedLock grant, @Nullable LossReason over) {
        on(() -> {
            Duration rest = parts.hold.release(grant, over);
            parts.comeback.served();
            if (!rest.isZero()) {
                parts.calls.later(() -> parts.hold.keptLongEnough(grant), rest);
            }
        });
    }

    // What an answer means

    @Override
    public void failed(StoreFailure failure) {
        parts.outlook.failed(failure);
        parts.line.blocks().forEach(block -> parts.waits.failImpatient(block.callers(), failure));
        parts.waits.failImpatient(parts.waits.gathered(), failure);
    }

    @Override
    public void seen(LockItem item, long sentAt, boolean consistent) {
        if (over) {
            // A late answer: the lock may be another queue's of this process by now, whose blocks are no strays.
            return;
        }
        parts.outlook.seen(item, sentAt, consistent);
        parts.data.seen(item);
        lookout.news();
        for (Block block : parts.line.blocks()) {
            if (block.is(Stage.ASKING) && item.indexOf(block.id()) >= 0) {
                block.stands(item.tail(), parts.outlook.next());
                entrance.stands(block);
            }
            judge(block, item, consistent && sentAt > block.answeredAt());
        }
        entrance.seen(item);
        for (Entry entry : item.queue()) {
            if (parts.engine.keeper().isOwn(entry.session()) && !parts.line.knows(entry.block())) {
                stray(entry.block(), consistent);
            }
        }
    }

    private void judge(Block block, LockItem item, boolean isFresh) {
        if ((!block.is(Stage.WAITING) && !block.holds()) || block.isRenamedIn(item)) {
            return;
        }
        int index = item.indexOf(block.id());
        if (index >= 0 && (isFresh || block.is(Stage.WAITING))) {
            block.mayShowAs(item.queue().get(index));
        }
        Standing standing = Standing.of(block.id(), item, block.issued(), isFresh);
        if (standing instanceof Standing.First first) {
            if (block.is(Stage.WAITING)) {
                block.holds(first.lastTicket(), first.callers(), parts.outlook.next());
                turns.begin(block);
            }
        } else if (standing instanceof Standing.Waiting) {
            if (block.holds() && isFresh) {
                // Somebody has changed the item by hand.
                takenAway(block);
                stray(block.id(), true);
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
            parts.hold.lose(LossReason.TAKEN_AWAY);
        }
        parts.line.remove(block);
        parts.waits.putBack(block.takeCallers());
    }

    /** An entry of this process that it does not know: a write that was given up has landed after all. */
    private void stray(BlockId block, boolean consistent) {
        if (consistent) {
            parts.engine.strays().remove(parts.key, block, false);
        } else {
            parts.outlook.doubt();
        }
    }

    /** Whether the block is one that may stand in the queue. */
    boolean knows(BlockId id) {
        return parts.line.knows(id);
    }

    // The session and others

    boolean needsSession() {
        return !parts.waits.isEmpty();
    }

    void sessionNotStarted(StoreFailure failure) {
        on(() -> {
            parts.outlook.failed(failure);
            parts.waits.failImpatient(parts.waits.gathered(), failure);
        });
    }

    /** What was held is lost; those who wait go on under a new session, in their order. */
    void sessionLost(LossReason reason) {
        on(() -> end(reason));
    }

    /** Ends every wait; the session is about to be deleted, and what stands in the queue is taken out or kept before. */
    void close() {
        on(() -> {
            end(LossReason.CLOSED);
            parts.waits.gathered().forEach(parts.waits::close);
        });
    }

    private void end(LossReason reason) {
        Block keeping = reason == LossReason.CLOSED ? parts.line.holding() : null;
        Duration rest = parts.hold.rest();
        LockData left = parts.hold.keptData();
        parts.hold.lose(reason);
        parts.data.drop();
        List<Caller> callers = new ArrayList<>();
        for (Block block : parts.line.blocks()) {
            callers.addAll(block.takeCallers());
            if (block == keeping && !rest.isZero()) {
                parts.engine.kept().keep(parts.key, block.entry(), rest, left);
            } else if (reason == LossReason.CLOSED && parts.engine.strays().hasRoom()) {
                takeOut(block);
            }
            parts.line.remove(block);
        }
        callers.addAll(entrance.drop());
        parts.waits.putBack(callers);
    }

    private void takeOut(Block block) {
        if (block.mayHaveLanded()) {
            parts.engine.strays().remove(parts.key, block.id(), true);
        } else {
            parts.engine
                    .strays()
                    .remove(parts.key, Math.max(0, parts.outlook.item().indexOf(block.id())), block.entry());
        }
        BlockId renamed = block.renamedId();
        if (renamed != null) {
            parts.engine.strays().remove(parts.key, renamed, true);
        }
    }

    /** The session has begun, or something was found out about another process. */
    void goOn() {
        on(() -> {});
    }
}
