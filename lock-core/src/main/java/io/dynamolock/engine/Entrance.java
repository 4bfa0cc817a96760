package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.StoreFailure;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the callers of one lock get a place in its queue: one write at a time, for all that have gathered. Lives on the
 * event loop.
 */
final class Entrance {

    /** A block behind so few others has its turn before callers have waited for long. */
    private static final int SOON = 3;

    private final EngineParts parts;
    private final EngineContext context;
    private final KeyCalls calls;
    private final Outlook outlook;
    private final Waits waits;
    private final Line line;
    private final Knock knock;
    private final Comeback comeback;
    private @Nullable Joining joining;
    private boolean atTheDoor;

    Entrance(EngineParts parts, KeyCalls calls, Outlook outlook, Waits waits, Line line, Exit exit) {
        this.parts = parts;
        this.context = parts.context();
        this.calls = calls;
        this.outlook = outlook;
        this.waits = waits;
        this.line = line;
        this.knock = new Knock(parts, calls, outlook, waits, exit);
        this.comeback = new Comeback(context, calls);
    }

    boolean isIdle() {
        return joining == null;
    }

    void arrived(Caller caller) {
        Block holding = line.holding();
        comeback.arrived(caller.spec().waitLimit(), isInTurn(), holding != null && growable() == holding);
    }

    /** A caller has released the lock, and may come back. */
    void served() {
        comeback.served();
    }

    /** Nobody waits for callers that may come back any more. */
    void waitForNobody() {
        comeback.end();
    }

    /** Whether a block of this process has its turn, or will have it soon. */
    private boolean isInTurn() {
        if (line.holding() != null || line.has(Block.Stage.LEAVING)) {
            return true;
        }
        Block next = line.waiting();
        int place = next == null ? -1 : outlook.item().indexOf(next.id());
        return place > 0 && place <= SOON;
    }

    /** Whether callers wait because the queue was full. */
    boolean isAtTheDoor() {
        return atTheDoor && waits.hasPatient();
    }

    void seen(LockItem item) {
        atTheDoor &= isFull(item);
    }

    private boolean isFull(LockItem item) {
        return item.queue().size() >= context.settings.maxQueue();
    }

    /** The block stands in the queue: its ask has landed. */
    void stands(Block block) {
        waits.haveAPlace(block.callers());
        if (joining != null && joining.block() == block) {
            joining = null;
        }
    }

    /** The callers of a write whose answer means nothing any more, because the session is lost. */
    List<Caller> drop() {
        Joining dropped = joining;
        joining = null;
        atTheDoor = false;
        comeback.end();
        return dropped == null ? List.of() : dropped.newcomers();
    }

    /** Whether those who gather may join this block, which is about to end. */
    boolean mayGrow(Block block) {
        return waits.hasPatient() && growable() == block;
    }

    /** What is under way to get callers that still wait into this block, which stands. */
    @Nullable
    Joining growthOf(Block block) {
        Joining growth = joining;
        return growth != null && growth.grows(block) && growth.isWanted() ? growth : null;
    }

    /** Gets a place for those who have none, if nothing stands in the way. */
    void step() {
        if (joining != null && joining.isRefused() && joining.isWanted() && knock.mayTryAgain(joining)) {
            joining.refused(false);
            send(joining);
        }
        if (joining != null && joining.isRefused() && !joining.isWanted()) {
            giveUp(joining);
        }
        if (joining != null) {
            return;
        }
        if (!isInTurn()) {
            comeback.turnIsOver();
        }
        Caller first = waits.first();
        Session session = parts.keeper().current();
        if (first == null) {
            return;
        }
        if (session == null) {
            parts.keeper().want();
            return;
        }
        if (waits.isHasty(first) && enterIfFree(session, first)) {
            return;
        }
        if (!waits.hasPatient() || comeback.isUnderWay() || atTheDoor) {
            return;
        }
        Block last = growable();
        if (isFull(outlook.item())) {
            atTheDoor = true;
            waits.answered();
        } else if (last != null) {
            grow(last);
        } else if (!line.has(Stage.WAITING) || outlook.item().queue().size() < context.settings.maxQueue() / 2) {
            long number = session.nextBlock();
            Block block = new Block(session, number, waits.take(Entry.mostCallers(number)), false);
            enter(block, new Step.Ask(block.entry(), base(), context.settings.maxQueue()));
        }
    }

    // Asking and growing

    /** While blocks of this process are leaving, the answer is still to come. */
    private boolean enterIfFree(Session session, Caller first) {
        if (line.isEmpty()) {
            first.owed(true);
            long number = session.nextBlock();
            Block block = new Block(session, number, waits.takeHasty(Entry.mostCallers(number)), true);
            enter(block, Step.Ask.ifFree(block.entry(), base()));
            return true;
        }
        if (first.spec().waitsNotAtAll() && (!line.isDeserted() || first.isOutOfPatience(context))) {
            waits.timeOut(first);
        }
        return false;
    }

    private void enter(Block block, Step.Ask ask) {
        line.add(block);
        send(new Joining(block, Set.of(), ask));
    }

    private long base() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, context.time.now());
    }

    /** The last block, if more callers may join it because it is known to be the last in the whole queue. */
    private @Nullable Block growable() {
        Block last = line.last();
        List<Entry> queue = outlook.item().queue();
        // A late ask finds its entry and does nothing, as long as that does not change.
        if (last == null || last.isHasty() || last.mayHaveLanded() || queue.isEmpty() || roomIn(last) == 0) {
            return null;
        }
        boolean mayGrow = (last.is(Stage.WAITING) || last.is(Stage.HOLDING))
                && queue.get(queue.size() - 1).block().equals(last.id());
        return mayGrow ? last : null;
    }

    private static int roomIn(Block block) {
        return Entry.mostCallers(block.id().number()) - block.entry().callers();
    }

    private void grow(Block block) {
        Set<Caller> newcomers = waits.take(roomIn(block));
        int index = outlook.item().queue().size() - 1;
        send(new Joining(block, newcomers, new Step.Grow(index, block.entry(), newcomers.size())));
    }

    private void send(Joining sent) {
        joining = sent;
        calls.take(
                sent.isAsk() ? "ask" : "grow",
                sent.step(),
                sent::isWanted,
                answer -> answered(sent, answer.item()),
                failure -> failed(sent, failure),
                () -> giveUp(sent));
    }

    /** If an ask has got its block into the queue, that was seen before this. */
    private void answered(Joining sent, LockItem item) {
        if (joining != sent) {
            if (item.indexOf(sent.block().id()) >= 0) {
                takeBack(sent, false);
            }
            return;
        }
        if (sent.step() instanceof Step.Grow growth) {
            joining = null;
            grown(sent, growth, item);
        } else if (sent.block().isHasty()) {
            sent.block().callers().forEach(caller -> caller.owed(false));
            sent.refused(true);
        } else {
            atTheDoor = isFull(item);
            List<Caller> callers = sent.block().takeCallers();
            callers.forEach(caller -> caller.owed(false));
            giveUp(sent);
            waits.putBack(callers);
        }
    }

    private void grown(Joining sent, Step.Grow growth, LockItem item) {
        Block block = sent.block();
        int index = item.indexOf(block.id());
        boolean hasLanded =
                index >= 0 && item.queue().get(index).equals(growth.entry().grownBy(growth.by()));
        List<Caller> newcomers = sent.newcomers();
        if (hasLanded && (block.is(Stage.WAITING) || block.holds())) {
            block.grownBy(newcomers, growth, item);
            waits.haveAPlace(newcomers);
        } else {
            waits.putBack(newcomers);
        }
    }

    /** The engine was shut down while the ask was under way: nobody else takes out what has landed. */
    private void takeBack(Joining sent, boolean mayComeLate) {
        if (sent.isAsk() && parts.grants().isClosed()) {
            parts.strays().remove(calls.key(), sent.block().id(), mayComeLate);
        }
    }

    private void failed(Joining sent, StoreFailure failure) {
        if (joining != sent) {
            if (failure.mayHaveTakenEffect()) {
                takeBack(sent, true);
            }
            return;
        }
        if (sent.isAsk() && failure.mayHaveTakenEffect()) {
            sent.block().markLanded();
        }
        waits.failImpatient(sent.isAsk() ? sent.block().callers() : sent.newcomers(), failure);
        if (sent.isWanted()) {
            calls.later(() -> again(sent), context.backoff.delay(sent.failedAgain()));
        } else {
            giveUp(sent);
        }
    }

    private void again(Joining sent) {
        if (joining == sent) {
            if (sent.isWanted()) {
                send(sent);
            } else {
                giveUp(sent);
            }
        }
    }

    private void giveUp(Joining sent) {
        if (joining == sent) {
            joining = null;
            if (sent.isAsk()) {
                line.remove(sent.block());
                if (sent.block().mayHaveLanded()) {
                    parts.strays().remove(calls.key(), sent.block().id(), true);
                }
            }
        }
    }
}
