package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
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
final class KeyQueue {

    private final LockKey key;
    private final EngineParts parts;
    private final EngineContext context;
    private final Consumer<KeyQueue> retired;
    private final Outlook outlook;
    private final Hold hold;
    private final Waits waits;
    private final Line line = new Line();
    private final KeyCalls calls;
    private final Exit exit;
    private final Entrance entrance;
    private final Turns turns;
    private final MovingUp movingUp;
    private final Lookout lookout;
    private boolean over;

    /** @param retired told when nobody of this process wants the lock any more */
    KeyQueue(LockKey key, EngineParts parts, Consumer<KeyQueue> retired) {
        this.key = key;
        this.parts = parts;
        this.context = parts.context();
        this.retired = retired;
        outlook = new Outlook(context);
        hold = new Hold();
        waits = new Waits(parts, outlook, hold);
        calls = new KeyCalls(key, context, outlook, new KeyEvents());
        exit = new Exit(parts, calls, outlook, hold, line);
        entrance = new Entrance(parts, calls, outlook, waits, line, exit);
        turns = new Turns(parts, calls, hold, line, entrance, exit, this::released);
        movingUp = new MovingUp(context, calls, waits, line);
        lookout = new Lookout(parts, calls, outlook, waits, line, entrance, exit);
    }

    LockKey key() {
        return key;
    }

    /** What the calls of this queue tell. */
    private final class KeyEvents implements KeyCalls.Events {

        @Override
        public void on(Runnable event) {
            KeyQueue.this.on(event);
        }

        @Override
        public void seen(LockItem item, long sentAt, boolean consistent) {
            KeyQueue.this.seen(item, sentAt, consistent);
        }

        @Override
        public void failed(StoreFailure failure) {
            outlook.failed(failure);
            if (failure.isForGood()) {
                // The store has said no for good: everybody who waits is told.
                line.blocks().forEach(block -> waits.failImpatient(block.callers(), failure));
                waits.failImpatient(waits.gathered(), failure);
            }
        }
    }

    private void on(Runnable event) {
        assert context.loop.isCurrent() : "not on the event loop";
        event.run();
        settle();
    }

    private void settle() {
        turns.serve();
        waits.tellQueued();
        waits.expireOverdue();
        if (movingUp.step(entrance)) {
            lookout.company();
        }
        entrance.step();
        turns.finish();
        retreat();
        lookout.step();
        if (isIdle()) {
            lookout.stop();
            entrance.waitForNobody();
            over = true;
            retired.accept(this);
        }
    }

    /** Blocks in which nobody waits any more give up their places. */
    private void retreat() {
        for (Block block : line.blocks()) {
            if (block.is(Stage.WAITING)
                    && !block.hasCallers()
                    && entrance.growthOf(block) == null
                    && movingUp.mayLeave(block)) {
                exit.leave(block);
            }
        }
    }

    private boolean isIdle() {
        return waits.isEmpty() && line.isEmpty() && entrance.isIdle();
    }

    // Callers

    void arrive(Caller caller) {
        on(() -> {
            boolean isAlone = waits.isEmpty() && entrance.isIdle() && line.isDeserted();
            if (!caller.isWaiting()) {
                return;
            }
            if (caller.spec().waitsNotAtAll() && !isAlone) {
                waits.timeOut(caller);
                return;
            }
            waits.add(caller, isAlone, late -> on(() -> waits.deadlineReached(late)));
            entrance.arrived(caller);
            if (entrance.isAtTheDoor()) {
                lookout.company();
            }
        });
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        on(() -> waits.left(caller));
    }

    /** The owner of a grant has released it. */
    void released(GrantedLock grant, @Nullable LossReason over) {
        on(() -> {
            Duration rest = hold.release(grant, over);
            entrance.served();
            if (!rest.isZero()) {
                calls.later(() -> hold.keptLongEnough(grant), rest);
            }
        });
    }

    // What an answer means

    private void seen(LockItem item, long sentAt, boolean consistent) {
        if (over) {
            // A late answer: the lock may be another queue's of this process by now, whose blocks are no strays.
            return;
        }
        outlook.seen(item, consistent);
        lookout.news();
        for (Block block : line.blocks()) {
            if (block.is(Stage.ASKING) && item.indexOf(block.id()) >= 0) {
                block.stands(item.tail(), outlook.next());
                entrance.stands(block);
            }
            judge(block, item, consistent && sentAt > block.answeredAt());
        }
        entrance.seen(item);
        for (Entry entry : item.queue()) {
            if (parts.keeper().isOwn(entry.session()) && !line.knows(entry.block())) {
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
                block.holds(first.lastTicket(), first.callers(), outlook.next());
                turns.begin(block);
            }
        } else if (standing instanceof Standing.Waiting) {
            if (block.holds() && isFresh) {
                // Somebody has changed the item by hand.
                takenAway(block);
                stray(block.id(), true);
            }
        } else if (standing instanceof Standing.Unknown) {
            outlook.doubt();
        } else if (!block.isIn(item)) {
            takenAway(block);
        }
    }

    /** Somebody took the block out, or removed the item: the lock is lost, and the callers behind it ask anew. */
    private void takenAway(Block block) {
        if (block.holds()) {
            hold.lose(LossReason.TAKEN_AWAY);
        }
        line.remove(block);
        waits.putBack(block.takeCallers());
    }

    /** An entry of this process that it does not know: a write that was given up has landed after all. */
    private void stray(BlockId block, boolean consistent) {
        if (consistent) {
            parts.strays().remove(key, block, false);
        } else {
            outlook.doubt();
        }
    }

    /** Whether the block is one that may stand in the queue. */
    boolean knows(BlockId id) {
        return line.knows(id);
    }

    // The session and others

    boolean needsSession() {
        return !waits.isEmpty();
    }

    void sessionStarted() {
        on(() -> {});
    }

    void sessionNotStarted(StoreFailure failure) {
        on(() -> {
            outlook.failed(failure);
            waits.failImpatient(waits.gathered(), failure);
        });
    }

    /** What was held is lost; those who wait go on under a new session, in their order. */
    void sessionLost(LossReason reason) {
        on(() -> end(reason));
    }

    /** Ends every wait; the session is about to be deleted, and what stands in the queue is taken out before. */
    void close() {
        on(() -> {
            end(LossReason.CLOSED);
            waits.gathered().forEach(waits::close);
        });
    }

    private void end(LossReason reason) {
        hold.lose(reason);
        List<Caller> callers = new ArrayList<>();
        for (Block block : line.blocks()) {
            callers.addAll(block.takeCallers());
            if (reason == LossReason.CLOSED && parts.strays().hasRoom()) {
                takeOut(block);
            }
            line.remove(block);
        }
        callers.addAll(entrance.drop());
        waits.putBack(callers);
    }

    private void takeOut(Block block) {
        if (block.mayHaveLanded()) {
            parts.strays().remove(key, block.id(), true);
        } else {
            parts.strays().remove(key, Math.max(0, outlook.item().indexOf(block.id())), block.entry());
        }
        BlockId renamed = block.renamedId();
        if (renamed != null) {
            parts.strays().remove(key, renamed, true);
        }
    }

    /** Something was found out about another process. */
    void peersChanged() {
        on(() -> {});
    }
}
