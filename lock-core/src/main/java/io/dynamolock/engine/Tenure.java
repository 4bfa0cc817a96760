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
 * lock but along consecutive tickets only, hands it over to a block that follows directly, and releases it. Lives on
 * the event loop.
 */
final class Tenure {

    /** A generous round trip. */
    private static final Duration NUMBERS_PATIENCE = Duration.ofMillis(250);

    private final KeyQueue queue;
    private final EngineContext context;
    private @Nullable Block block;
    private @Nullable GrantedLock current;
    private @Nullable Block releasing;
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
        keepItem();
        passOn();
    }

    private void passOn() {
        Block granted = block;
        while (granted != null && current == null) {
            Caller next = granted.nextCaller();
            if (next == null) {
                end();
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
    }

    private void grant(Block granted, Caller caller) {
        GrantedLock grant = new GrantedLock(context, queue, caller.spec(), granted.session(), caller.number());
        // The caller may release before these lines are done; its release is a later step of the loop.
        current = grant;
        context.grants.add(grant);
        Duration waited = context.since(caller.startedNanos());
        if (!caller.end(new AcquireOutcome.Granted(grant))) {
            context.grants.remove(grant);
            current = null;
            return;
        }
        granted.callerLeft();
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
            if (current != null) {
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
        Block granted = block;
        if (granted != null && granted.hasCallers()) {
            rename(granted);
        } else {
            passOn();
        }
    }

    private void rename(Block granted) {
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
                    granted.renamed(renamed);
                    if (result instanceof WriteResult.Applied) {
                        granted.to(Stage.HOLDING);
                        passOn();
                    } else {
                        takenAway(granted);
                    }
                },
                () -> {});
    }

    /** Nobody in the block waits any more. */
    private void end() {
        Block granted = block;
        if (granted == null || !granted.is(Stage.HOLDING)) {
            return;
        }
        if (queue.isTakeUnderWay() && !numbersOverdue) {
            // The numbers may follow directly; releasing now would let others pass callers who are already numbered.
            waitForNumbers();
            return;
        }
        cancelKeepAlive();
        Block next = nextInLine(granted);
        if (next == null) {
            release(granted);
        } else {
            handOver(granted, next);
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
        }
        numbersOverdue = false;
    }

    /** The next block with callers, if only tickets of this process lie between. */
    private @Nullable Block nextInLine(Block granted) {
        Block previous = granted;
        for (Block other : queue.blocks()) {
            if (other == granted) {
                continue;
            }
            boolean reachable = other.directlyFollows(previous)
                    && (other.is(Stage.NUMBERED) || other.is(Stage.QUEUED) || other.is(Stage.ENTERING));
            if (!reachable) {
                return null;
            }
            if (other.hasCallers()) {
                return other;
            }
            previous = other;
        }
        return null;
    }

    private void handOver(Block from, Block next) {
        for (Block skipped : List.copyOf(queue.blocks())) {
            if (skipped == next) {
                break;
            }
            if (skipped != from) {
                queue.discard(skipped);
            }
        }
        from.to(Stage.CHANGING);
        next.to(Stage.CLAIMING);
        context.calls.persist(
                "hand over",
                () -> context.store.handOver(queue.key(), from.id(), next.claimant(), next.last(), context.time.now()),
                () -> from.is(Stage.CHANGING),
                result -> {
                    if (!from.is(Stage.CHANGING)) {
                        return;
                    }
                    queue.seen(result.state());
                    written();
                    queue.remove(from);
                    if (result instanceof WriteResult.Applied) {
                        queue.claimed(next);
                    } else {
                        block = null;
                        next.to(next.hasRow() ? Stage.QUEUED : Stage.NUMBERED);
                        queue.released();
                    }
                },
                this::written);
    }

    private void release(Block granted) {
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

    /** The table names another holder though the session lives: somebody changed the item by hand. */
    private void takenAway(Block granted) {
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
        if (current != null) {
            current.lose(reason);
            current = null;
        }
        cancelMaxHold();
        cancelKeepAlive();
        cancelNumbersTimer();
        block = null;
        releasing = null;
        written();
    }

    /** Keeps the table's TTL from taking the item of a lock that is held for days. */
    private void keepItem() {
        cancelKeepAlive();
        keepAlive = context.loop.schedule(
                () -> {
                    Block granted = block;
                    if (granted != null && granted.is(Stage.HOLDING)) {
                        context.calls.send(
                                "keep item",
                                () -> context.store.rename(
                                        queue.key(), granted.id(), granted.claimant(), context.time.now()),
                                result -> {},
                                failure -> {});
                    }
                    if (granted != null) {
                        keepItem();
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
