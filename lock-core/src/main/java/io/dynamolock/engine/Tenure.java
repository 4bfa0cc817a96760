package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Holder;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time in which this process holds the lock: passes it from caller to caller of the granted block, like a cohort
 * lock but along consecutive tickets only, hands it over to blocks that follow directly, and releases it. A hand-over
 * joins their callers to the granted block, and is sent while that still has some, so that nobody waits for the write.
 * Lives on the event loop.
 */
final class Tenure {

    /** The hand-over under way. */
    private static final class HandOver {

        private final List<Block> following;
        private boolean hasFailed;

        HandOver(List<Block> following) {
            this.following = following;
        }
    }

    /** A generous round trip. */
    private static final Duration NUMBERS_PATIENCE = Duration.ofMillis(250);

    private final KeyQueue queue;
    private final EngineContext context;
    private @Nullable Block block;
    private @Nullable GrantedLock current;
    private @Nullable Block releasing;
    private @Nullable HandOver handOver;
    private boolean handedOverInThisHold;
    private int share;
    private boolean overstayed;
    private EventLoop.@Nullable Timer numbersTimer;
    private boolean numbersOverdue;
    private EventLoop.@Nullable Timer maxHold;
    private EventLoop.@Nullable Timer keepAlive;
    private final List<Runnable> onWritten = new ArrayList<>(1);

    Tenure(KeyQueue queue, EngineContext context) {
        this.queue = queue;
        this.context = context;
    }

    /** The block holds the lock. */
    void begin(Block granted) {
        granted.to(Stage.HOLDING);
        block = granted;
        share = granted.waiting();
        overstayed = false;
        keepItem();
        passOn();
    }

    private void passOn() {
        Block granted = block;
        while (granted != null && granted.is(Stage.HOLDING) && current == null) {
            if (overstayed && granted.hasCallers()) {
                rename(granted);
                return;
            }
            Caller next = granted.nextCaller();
            if (next == null) {
                end(granted);
                return;
            }
            if (!granted.session().isValid() || context.grants.isClosed()) {
                // In a shutdown, its own step ends the wait.
                granted.putBack(next);
                queue.checkSession();
                return;
            }
            grant(granted, next);
        }
        handOverEarly();
    }

    private void grant(Block granted, Caller caller) {
        GrantedLock grant = new GrantedLock(context, queue, caller.spec(), granted.session(), caller.number());
        // The caller may release before these lines are done; its release is a later step of the loop.
        current = grant;
        handedOverInThisHold = false;
        context.grants.add(grant);
        Duration waited = context.since(caller.startedNanos());
        if (!caller.end(new AcquireOutcome.Granted(grant))) {
            context.grants.remove(grant);
            current = null;
            return;
        }
        queue.waitEnded(caller);
        context.listener.acquired(caller.spec(), caller.number(), waited, caller.wasQueued());
        Duration limit = caller.spec().maxHold();
        if (limit != null) {
            maxHold = context.loop.schedule(() -> forceOut(grant), limit);
        }
    }

    /** Its owner has released the grant. */
    void released(GrantedLock grant, boolean stillOwned) {
        if (current != grant) {
            grant.releaseCompleted(stillOwned);
            return;
        }
        cancelMaxHold();
        Duration atLeast = grant.spec().holdAtLeast();
        Duration rest = atLeast == null ? Duration.ZERO : atLeast.minus(grant.held());
        if (rest.isNegative() || rest.isZero()) {
            onWritten.add(() -> grant.releaseCompleted(stillOwned));
            current = null;
            passOn();
            if (current != null || (handOver != null && handOver.hasFailed)) {
                written();
            }
        } else {
            grant.releaseCompleted(stillOwned);
            context.loop.schedule(
                    () -> {
                        if (current == grant) {
                            current = null;
                            passOn();
                        }
                    },
                    rest);
        }
    }

    /** Its longest hold is over; it may still be running, so the rest of the block gets a new id before it goes on. */
    private void forceOut(GrantedLock grant) {
        if (current != grant) {
            return;
        }
        grant.lose(LossReason.MAX_HOLD);
        current = null;
        overstayed = true;
        passOn();
    }

    private void rename(Block granted) {
        if (handOver != null) {
            // The write under way names the old id; its answer comes back here.
            return;
        }
        Claimant renamed = context.newClaimant(granted.session());
        granted.renaming(renamed.block());
        granted.to(Stage.CHANGING);
        context.calls.persist(
                "rename",
                () -> context.store.rename(queue.key(), granted.id(), renamed, context.time.now()),
                () -> granted.is(Stage.CHANGING),
                result -> {
                    if (!granted.is(Stage.CHANGING)) {
                        return;
                    }
                    queue.seen(result.state());
                    granted.renamed(renamed);
                    overstayed = false;
                    if (result instanceof WriteResult.Applied) {
                        granted.to(Stage.HOLDING);
                        keepItem();
                        passOn();
                    } else {
                        takenAway(granted);
                    }
                },
                () -> {});
    }

    /** Nobody in the block waits any more. */
    private void end(Block granted) {
        HandOver underWay = handOver;
        if (underWay != null) {
            if (granted.nextId() != null || underWay.following.stream().anyMatch(Block::hasCallers)) {
                return;
            }
            // Everybody has left whom it is for. Whether it lands before the release or after it, both name the same
            // holder.
            underWay.following.forEach(queue::discard);
            handOver = null;
        }
        queue.done();
        if (block != granted) {
            return;
        }
        List<Block> following = following(granted);
        if (!following.isEmpty()) {
            handOver(granted, following);
        } else if (queue.mayBeFollowed(granted) && !numbersOverdue) {
            // The numbers may follow directly; releasing now would let others pass callers who are already numbered.
            waitForNumbers();
        } else {
            release(granted);
        }
    }

    private void waitForNumbers() {
        if (numbersTimer == null) {
            numbersTimer = context.loop.schedule(
                    () -> {
                        numbersOverdue = true;
                        numbersAnswered();
                    },
                    NUMBERS_PATIENCE);
        }
    }

    /** The answer that the end of the block waited for has come, or takes too long. */
    void numbersAnswered() {
        if (numbersTimer != null) {
            numbersTimer.cancel();
            numbersTimer = null;
            passOn();
            if (current != null) {
                written();
            }
        }
        numbersOverdue = false;
    }

    /** The blocks up to the last one with callers between which only tickets of this process lie. */
    private List<Block> following(Block granted) {
        List<Block> reached = new ArrayList<>();
        int withCallers = 0;
        Block previous = granted;
        for (Block other : queue.blocks()) {
            if (other == granted) {
                continue;
            }
            boolean reachable = other.directlyFollows(previous)
                    && (other.is(Stage.NUMBERED) || other.is(Stage.QUEUED) || other.is(Stage.ENTERING));
            if (!reachable) {
                break;
            }
            reached.add(other);
            if (other.hasCallers()) {
                withCallers = reached.size();
            }
            previous = other;
        }
        return List.copyOf(reached.subList(0, withCallers));
    }

    /**
     * Not for each block that comes, but when half of those are served who could be served without it; and once in a
     * hold, because behind a long one callers come and leave without end.
     */
    void handOverEarly() {
        Block granted = block;
        if (granted == null
                || current == null
                || !granted.is(Stage.HOLDING)
                || handOver != null
                || handedOverInThisHold
                || granted.waiting() > share / 2) {
            return;
        }
        List<Block> following = following(granted);
        if (!following.isEmpty()) {
            handedOverInThisHold = true;
            handOver(granted, following);
        }
    }

    private void handOver(Block granted, List<Block> following) {
        BlockId from = granted.id();
        boolean renaming = overstayed;
        Claimant claimant = renaming ? context.newClaimant(granted.session()) : granted.claimant();
        if (renaming) {
            granted.renaming(claimant.block());
        }
        long last = following.get(following.size() - 1).last();
        following.forEach(next -> next.to(Stage.CLAIMING));
        HandOver sent = new HandOver(following);
        handOver = sent;
        context.calls.persist(
                "hand over",
                () -> context.store.handOver(queue.key(), from, claimant, last, context.time.now()),
                () -> handOver == sent,
                result -> {
                    if (handOver == sent) {
                        handOver = null;
                        if (renaming) {
                            granted.renamed(claimant);
                            overstayed = false;
                        }
                        handedOver(granted, following, result);
                    }
                },
                () -> {
                    if (handOver == sent) {
                        sent.hasFailed = true;
                        written();
                    }
                });
    }

    private void handedOver(Block granted, List<Block> following, WriteResult result) {
        queue.seen(result.state());
        written();
        if (result instanceof WriteResult.Applied) {
            following.forEach(next -> queue.join(granted, next));
            share = granted.waiting();
            passOn();
        } else {
            following.stream().filter(next -> next.is(Stage.CLAIMING)).forEach(Block::backToWaiting);
            takenAway(granted);
        }
    }

    /** The block has got further callers, who can be served without another write. */
    void extended(Block granted) {
        share = granted.waiting();
    }

    private void release(Block granted) {
        cancelKeepAlive();
        block = null;
        releasing = granted;
        queue.remove(granted);
        BlockId id = granted.id();
        context.calls.persist(
                "release",
                () -> context.store.release(queue.key(), id, context.time.now()),
                () -> releasing == granted,
                result -> {
                    if (releasing == granted) {
                        releasing = null;
                        queue.seen(result.state());
                        written();
                        queue.released();
                    }
                },
                this::written);
    }

    /** The table names another holder: somebody changed the item by hand, or the session is over. */
    private void takenAway(Block granted) {
        loseHold(LossReason.TAKEN_AWAY);
        cancelKeepAlive();
        block = null;
        queue.renumber(granted);
    }

    /** Whoever waits for the write of its release need not wait any longer. */
    private void written() {
        List<Runnable> waiting = List.copyOf(onWritten);
        onWritten.clear();
        waiting.forEach(Runnable::run);
    }

    /** The session is lost, or the engine closed. */
    void lose(LossReason reason) {
        loseHold(reason);
        cancelKeepAlive();
        cancelNumbersTimer();
        if (reason == LossReason.CLOSED) {
            giveBack(block);
            giveBack(releasing);
        }
        block = null;
        releasing = null;
        handOver = null;
        written();
    }

    private void loseHold(LossReason reason) {
        if (current != null) {
            current.lose(reason);
            current = null;
        }
        cancelMaxHold();
    }

    /** The end of the session frees the lock, too, but those who wait for it would notice late. */
    private void giveBack(@Nullable Block held) {
        if (held != null && context.undo.hasRoom()) {
            context.undo.release(queue.key(), held.id(), () -> {});
            BlockId next = held.nextId();
            if (next != null) {
                context.undo.release(queue.key(), next, () -> {});
            }
        }
    }

    /** Keeps the table's TTL from taking the item of a lock that is held for days. A rename does so, too. */
    private void keepItem() {
        cancelKeepAlive();
        keepAlive = context.loop.schedule(
                () -> {
                    Block granted = block;
                    if (granted != null && granted.is(Stage.HOLDING)) {
                        context.calls.persist(
                                "keep item",
                                () -> context.store.rename(
                                        queue.key(), granted.id(), granted.claimant(), context.time.now()),
                                () -> granted.is(Stage.HOLDING),
                                result -> {
                                    if (granted == block) {
                                        keepItem();
                                    }
                                },
                                () -> {});
                    }
                },
                context.settings.retention().dividedBy(2));
    }

    private void cancelNumbersTimer() {
        if (numbersTimer != null) {
            numbersTimer.cancel();
            numbersTimer = null;
        }
    }

    private void cancelKeepAlive() {
        if (keepAlive != null) {
            keepAlive.cancel();
            keepAlive = null;
        }
    }

    private void cancelMaxHold() {
        if (maxHold != null) {
            maxHold.cancel();
            maxHold = null;
        }
    }

    boolean isReleasing() {
        return releasing != null;
    }

    /** The ticket of the caller who holds the lock, 0 if none does. */
    long currentNumber() {
        return current == null ? 0 : current.number();
    }

    /** The holder, if it is a caller of this process. */
    @Nullable
    Holder holder() {
        return block == null || current == null ? null : new Holder(block.claimant(), current.since());
    }

    boolean knows(BlockId id) {
        return (block != null && block.goesBy(id)) || (releasing != null && releasing.goesBy(id));
    }
}
