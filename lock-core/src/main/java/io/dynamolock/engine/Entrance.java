package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
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

    private final KeyParts parts;
    private final Knocking knocking;
    private @Nullable Joining joining;
    private boolean atTheDoor;

    Entrance(KeyParts parts, Exit exit) {
        this.parts = parts;
        this.knocking = new Knocking(parts, exit);
    }

    boolean isIdle() {
        return joining == null;
    }

    void arrived(Caller caller) {
        if (parts.comeback.isExpected() && !parts.gathering.isHasty(caller)) {
            Block holding = parts.line.holding();
            parts.comeback.arrived(parts.gathering.shortest(), isInTurn(), holding != null && growable() == holding);
        }
    }

    /** Whether a block of this process has its turn, or will have it soon. */
    private boolean isInTurn() {
        if (parts.line.holding() != null || parts.line.has(Stage.LEAVING)) {
            return true;
        }
        Block next = parts.line.waiting();
        int place = next == null ? -1 : parts.outlook.item().indexOf(next.id());
        return place > 0 && place <= SOON;
    }

    /** Whether callers wait because the queue was full. */
    boolean isAtTheDoor() {
        return atTheDoor && parts.gathering.hasPatient();
    }

    void seen(LockItem item) {
        atTheDoor &= isFull(item);
    }

    private boolean isFull(LockItem item) {
        return item.queue().size() >= parts.context.settings.maxQueue();
    }

    /** The block stands in the queue: its ask has landed. */
    void stands(Block block) {
        parts.waits.haveAPlace(block.callers());
        if (joining != null && joining.block() == block) {
            joining = null;
        }
    }

    /** The callers of a write whose answer means nothing any more, because the session is lost. */
    Collection<Caller> drop() {
        Joining dropped = joining;
        joining = null;
        atTheDoor = false;
        parts.comeback.end();
        return dropped == null ? List.of() : dropped.callers();
    }

    /** Whether those who gather may join this block, which is about to end. */
    boolean mayGrow(Block block) {
        return parts.gathering.hasPatient() && growable() == block;
    }

    /** What is under way to get callers that still wait into this block, which stands. */
    @Nullable
    Joining growthOf(Block block) {
        return joining != null && joining.grows(block) && joining.isWanted() ? joining : null;
    }

    /** Gets a place for those who have none, if nothing stands in the way. */
    void step() {
        if (joining != null && joining.isRefused()) {
            knockAgain(joining);
        }
        if (!parts.isOneByOne() && (atTheDoor || isTaken())) {
            parts.waits.expireGathered();
        }
        if (joining == null && !isInTurn()) {
            parts.comeback.turnIsOver();
        }
        Caller first = parts.gathering.first();
        if (joining != null || first == null) {
            return;
        }
        Session session = parts.engine.keeper().current();
        if (session == null) {
            parts.engine.keeper().want();
            return;
        }
        if (parts.gathering.isHasty(first) && parts.line.isEmpty()) {
            first.owed(parts.outlook.next());
            ask(session, true);
            return;
        }
        // While blocks of this process are leaving, the answer for a caller that does not wait is still to come.
        if (parts.isOneByOne()
                && first.spec().waitsNotAtAll()
                && (!parts.line.isDeserted() || first.isOutOfPatience(parts.engine))) {
            parts.waits.timeOut(first);
        }
        if (parts.gathering.hasPatient() && !parts.comeback.isUnderWay() && !atTheDoor) {
            enter(session);
        }
    }

    /** Whether a caller that does not wait would be behind others of this process. */
    private boolean isTaken() {
        return parts.line.has(Stage.WAITING)
                || parts.kind == Kind.WRITE && parts.line.holding() != null
                || parts.group.isTakenByOthersThan(parts.kind);
    }

    private void enter(Session session) {
        LockItem item = parts.outlook.item();
        Block last = growable();
        if (last != null) {
            Set<Caller> newcomers = parts.gathering.take(last.room());
            int index = item.queue().size() - 1;
            send(new Joining(last, newcomers, new Step.Grow(index, last.entry(), newcomers.size()), false));
        } else if (isFull(item) && !Caller.waitNotAtAll(parts.gathering.all())) {
            // If nobody waits, one asks all the same: its answer is the others' too.
            atTheDoor = true;
            if (!parts.isOneByOne()) {
                parts.waits.expireGathered();
            }
        } else if (!parts.line.has(Stage.WAITING) || item.queue().size() < parts.context.settings.maxQueue() / 2) {
            ask(session, false);
        }
    }

    private void ask(Session session, boolean hasty) {
        long number = session.nextBlock();
        int room = parts.kind.needsEntryForItself() == false ? Entry.mostCallers(number) : 1;
        Set<Caller> callers = hasty ? parts.gathering.takeHasty(room) : parts.gathering.take(room);
        int permits = callers.iterator().next().spec().permits();
        Block block = new Block(session, number, parts.kind, callers);
        Step.Ask ask = hasty
                ? Step.Ask.ifFree(block.entry(), 0)
                : new Step.Ask(block.entry(), 0, parts.context.settings.maxQueue(), permits);
        boolean mustExist =
                block.callers().stream().allMatch(caller -> caller.spec().onlyIfExists());
        parts.line.add(block);
        send(new Joining(block, Set.of(), mustExist ? ask.ifExists() : ask, hasty));
    }

    /** However long an ask has been repeated, the tickets of a new item start from now: an item that is gone had greater ones. */
    private Step asOfNow(Step step) {
        return step instanceof Step.Ask ask
                ? ask.from(ChronoUnit.MICROS.between(Instant.EPOCH, parts.context.time.now()))
                : step;
    }

    /** The last block, if more callers may join it because it is known to be the last in the whole queue. */
    private @Nullable Block growable() {
        Block last = parts.line.last();
        LockItem item = parts.outlook.item();
        // A late ask finds its entry and does nothing, as long as that does not change. A block that stands in the
        // queue twice all the same is not last where it stands first.
        boolean mayGrow = last != null
                && (last.is(Stage.WAITING) || last.is(Stage.HOLDING))
                && !last.mayHaveLanded()
                && !last.isGivenUp()
                && last.room() > 0
                && item.first() != null
                && item.indexOf(last.id()) == item.queue().size() - 1;
        return mayGrow ? last : null;
    }

    private void send(Joining sent) {
        joining = sent;
        sent.sentAt(parts.context.time.nanos());
        parts.calls.take(
                sent.isAsk() ? "ask" : "grow",
                () -> asOfNow(sent.step()),
                () -> joining == sent && sent.isWanted(),
                answer -> answered(sent, answer.item()),
                failure -> failed(sent, failure),
                () -> giveUp(sent));
    }

    // What an answer means. If an ask has got its block into the queue, that was seen before.

    private void answered(Joining sent, LockItem item) {
        Block block = sent.block();
        if (joining != sent) {
            if (item.indexOf(block.id()) >= 0) {
                takeBack(sent, false);
            }
        } else if (sent.step() instanceof Step.Grow growth) {
            joining = null;
            grown(sent, growth, item);
        } else if (!item.exists() && sent.step() instanceof Step.Ask ask && ask.mustExist()) {
            parts.waits.notFound(block.takeCallers());
            giveUp(sent);
        } else if (Waits.wantsOtherPermits(block.callers(), item)) {
            List<Caller> callers = block.takeCallers();
            giveUp(sent);
            callers.forEach(caller -> parts.waits.refuse(caller, item.permits()));
            parts.waits.refuseThoseOfOtherPermits(item, sent.sentAt());
        } else if (sent.isHasty() || (isFull(item) && Caller.waitNotAtAll(sent.callers()))) {
            sent.refused(true);
        } else {
            atTheDoor = isFull(item);
            List<Caller> callers = block.takeCallers();
            giveUp(sent);
            parts.waits.putBack(callers);
        }
    }

    private void grown(Joining sent, Step.Grow growth, LockItem item) {
        Block block = sent.block();
        int index = item.indexOf(block.id());
        boolean hasLanded =
                index >= 0 && item.queue().get(index).equals(growth.entry().grownBy(growth.by()));
        Collection<Caller> newcomers = sent.callers();
        if (hasLanded && (block.is(Stage.WAITING) || block.holds())) {
            block.grownBy(newcomers, growth, item);
            parts.waits.haveAPlace(newcomers);
            if (parts.isOneByOne() && block.is(Stage.HOLDING) && parts.gathering.hasPatient()) {
                parts.comeback.joined(parts.gathering.shortest(), parts.context.since(sent.sentAt()));
            }
        } else {
            parts.waits.putBack(newcomers);
        }
    }

    /** Callers that do not wait found the lock taken, or its queue full. They ask again when that has changed. */
    private void knockAgain(Joining sent) {
        knocking.listen(sent);
        LockItem item = parts.outlook.item();
        if (!sent.isWanted()) {
            giveUp(sent);
        } else if (sent.isHasty() ? item.queue().isEmpty() : !isFull(item)) {
            sent.refused(false);
            send(sent);
        }
    }

    private void failed(Joining sent, StoreFailure failure) {
        boolean mayHaveLanded = failure.mayHaveTakenEffect();
        if (joining != sent) {
            if (mayHaveLanded) {
                takeBack(sent, true);
            }
            return;
        }
        if (sent.isAsk() && mayHaveLanded) {
            sent.block().markLanded();
        }
        parts.waits.failImpatient(sent.callers(), failure);
    }

    private void giveUp(Joining sent) {
        if (joining == sent) {
            joining = null;
            if (sent.isAsk()) {
                parts.line.remove(sent.block());
                parts.undo(sent.block());
            }
        }
    }

    /** The engine was shut down or paused while the ask was under way: nobody else takes out what has landed. */
    private void takeBack(Joining sent, boolean mayComeLate) {
        boolean isOver =
                parts.engine.grants().isClosed() || parts.engine.keeper().isPaused();
        if (sent.isAsk() && isOver) {
            parts.engine.strays().remove(parts.key, sent.block().id(), mayComeLate);
        }
    }
}
