package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that this process knows of those of its callers who want one lock in one way: the callers that gather, the blocks
 * that stand in the lock's queue, the holds. Events come in, one at a time; each notes what happened, and then
 * {@link #settle()} decides what to do next. Goes when its last caller goes. Lives on the event loop.
 */
final class KeyQueue implements KeyCalls.Events, Releases {

    private final KeyParts parts;
    private final Consumer<KeyQueue> retired;
    private final Exit exit;
    private final Entrance entrance;
    private final Serving turns;
    private final Judging judging;
    private final Doubts doubts;
    private final MovingUp movingUp;
    private final Lookout lookout;
    private final Downgrading downgrading;
    private final PuttingOut puttingOut;
    private boolean over;

    /** @param retired told when nobody wants the lock in this way any more */
    KeyQueue(KeyGroup group, Kind kind, Consumer<KeyQueue> retired) {
        this.retired = retired;
        parts = new KeyParts(group, kind, this);
        exit = new Exit(parts);
        doubts = new Doubts(parts, exit);
        entrance = new Entrance(parts, exit);
        turns = parts.hold instanceof SharedHold many
                ? new Together(parts, many, entrance, exit, this)
                : new Turns(parts, entrance, exit, this);
        judging = new Judging(parts, turns);
        downgrading = new Downgrading(parts);
        puttingOut = new PuttingOut(parts, entrance);
        movingUp = new MovingUp(parts, entrance, exit);
        lookout = new Lookout(parts, entrance, exit, () -> group.isDone(this));
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
        parts.waits.expireOverdue(doubts);
        if (parts.isOneByOne() && movingUp.step()) {
            lookout.company();
        }
        entrance.step();
        turns.finish();
        if (parts.isOneByOne()) {
            movingUp.retreat();
        }
        lookout.step();
        if (isIdle()) {
            lookout.stop();
            parts.comeback.end();
            over = true;
            retired.accept(this);
        }
    }

    private boolean isIdle() {
        return parts.gathering.isEmpty() && parts.line.isEmpty() && entrance.isIdle();
    }

    // Callers

    void arrive(Caller caller) {
        on(() -> {
            if (!caller.isWaiting()) {
                return;
            }
            boolean isAlone = parts.gathering.isEmpty() && entrance.isIdle() && !isAhead();
            if (parts.isOneByOne() && caller.spec().waitsNotAtAll() && !isAlone) {
                parts.waits.timeOut(caller);
                return;
            }
            parts.waits.add(caller, isAlone, this::deadlineReached);
            entrance.arrived(caller);
            if (entrance.isAtTheDoor()) {
                lookout.company();
            }
        });
    }

    private void deadlineReached(Caller late) {
        on(() -> parts.waits.deadlineReached(late, this::deadlineReached));
    }

    /** Whether a caller that comes now is behind others of its process. */
    private boolean isAhead() {
        return parts.isOneByOne() ? !parts.line.isDeserted() : parts.line.has(Stage.WAITING);
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        on(() -> parts.waits.left(caller));
    }

    @Override
    public void released(GrantedLock grant, @Nullable LossReason over) {
        on(() -> {
            Duration rest = parts.hold.release(grant, over);
            if (parts.isOneByOne()) {
                parts.comeback.served();
            }
            if (!rest.isZero()) {
                parts.calls.later(() -> parts.hold.keptLongEnough(grant), rest);
            }
        });
    }

    @Override
    public void downgrade(GrantedLock grant, CompletableFuture<Optional<Grant>> result) {
        on(() -> downgrading.begin(grant, result));
    }

    @Override
    public void limited(GrantedLock grant) {
        on(() -> parts.hold.forceOut(grant));
    }

    /** A writer goes on among the readers. */
    void adopt(Block block, GrantedLock grant) {
        on(() -> {
            parts.line.addFirst(block);
            turns.begin(block);
            parts.hold.grant(block, grant, limit -> parts.calls.later(() -> parts.hold.forceOut(grant), limit));
        });
    }

    /** Whether an eviction from this block is one from a block of this queue that does not hold the lock, as far as is known. */
    boolean waitsBy(BlockId id) {
        Block block = parts.line.meantBy(id);
        return block != null && !block.holds();
    }

    /** Whether the eviction is one from a block of this queue; then it is obeyed, by what the item shows. */
    boolean evict(Eviction eviction, @Nullable LockItem item, long sentAt) {
        Block block = parts.line.meantBy(eviction.block());
        if (block != null) {
            on(() -> {
                // In the same event: the caller whose turn has come must not be granted what it loses at once.
                if (item != null) {
                    parts.group.seen(this, item, sentAt, true);
                }
                if (!block.is(Stage.GONE)) {
                    puttingOut.obey(block, eviction);
                }
            });
        }
        return block != null;
    }

    // What an answer means

    @Override
    public void failed(StoreFailure failure) {
        parts.group.failed(this, failure);
    }

    /** A call about the lock has failed. */
    void failImpatient(StoreFailure failure) {
        parts.line.blocks().forEach(block -> parts.waits.failImpatient(block.callers(), failure));
        parts.waits.failImpatient(parts.gathering.all(), failure);
    }

    @Override
    public void seen(LockItem item, long sentAt, boolean consistent) {
        if (over) {
            // A late answer: the lock may be another queue's of this process by now, whose blocks are no strays.
            return;
        }
        parts.group.seen(this, item, sentAt, consistent);
    }

    /** What an answer to this queue or to another one of the lock has shown. */
    void shown(LockItem item, long sentAt, boolean consistent) {
        parts.data.seen(item);
        lookout.news();
        for (Block block : parts.line.blocks()) {
            if (block.is(Stage.ASKING) && item.indexOf(block.id()) >= 0) {
                block.stands(item.tail(), parts.outlook.next());
                entrance.stands(block);
            }
            judging.judge(block, item, consistent && sentAt > block.answeredAt());
        }
        entrance.seen(item);
    }

    /** Whether the block is one that may stand in the queue. */
    boolean knows(BlockId id) {
        return parts.line.knows(id);
    }

    /** Whether callers have the lock, or stand in its queue. */
    boolean hasPlace() {
        return parts.line.blocks().stream()
                .anyMatch(block -> block.holds() || (block.is(Stage.WAITING) && block.hasCallers()));
    }

    boolean needsSession() {
        return !parts.gathering.isEmpty();
    }

    void sessionNotStarted(StoreFailure failure) {
        on(() -> {
            parts.outlook.failed(failure);
            parts.waits.failImpatient(parts.gathering.all(), failure);
        });
    }

    /** What was held is lost; those who wait go on under a new session, in their order. */
    void sessionLost(LossReason reason) {
        on(() -> {
            end(reason);
            parts.waits.sessionLost(this::deadlineReached);
        });
    }

    /** The session is deleted, and what stands in the queue is taken out or kept. Waits end, or go on after a pause. */
    void leave(LossReason why) {
        on(() -> {
            end(why);
            if (why == LossReason.PAUSED) {
                parts.waits.paused();
            } else {
                parts.gathering.all().forEach(parts.waits::close);
            }
        });
    }

    private void end(LossReason reason) {
        Map<Block, Duration> rests = new IdentityHashMap<>();
        for (Block block : parts.line.blocks()) {
            if (reason.isOwnWish() && block.holds() && !parts.hold.rest(block).isZero()) {
                rests.put(block, parts.hold.rest(block));
            }
        }
        Block holding = parts.line.holding();
        LockData left = parts.hold.keptData();
        parts.hold.lose(reason);
        parts.data.drop();
        List<Caller> callers = new ArrayList<>();
        List<Block> out = new ArrayList<>();
        for (Block block : parts.line.blocks()) {
            callers.addAll(block.takeCallers());
            Duration rest = rests.get(block);
            if (rest != null) {
                int place = Math.max(0, parts.outlook.item().indexOf(block.id()));
                parts.engine.kept().keep(parts.key, place, block.entry(), block.renamedId(), rest, left);
            } else if (reason.isOwnWish() && parts.engine.strays().hasRoom()) {
                out.add(block);
            }
            parts.line.remove(block);
        }
        exit.takeOut(out, holding, left);
        callers.addAll(entrance.drop());
        parts.waits.putBack(callers);
    }

    /** The session has begun, or something was found out about another process. */
    void goOn() {
        on(() -> {});
    }
}
