package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockState;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All callers of this process for one lock, in their order: those who still need a number, and the blocks that have
 * theirs. The first block is either at the {@link Front} of this process's waiting, or in its {@link Tenure}. Goes when
 * its last caller goes. Lives on the event loop.
 */
final class KeyQueue {

    /** A shorter wait may be over before a healthy store has answered. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    /** The engine, as its queues see it. */
    interface Home {

        /** The valid session, or {@code null} while one is being created. */
        @Nullable
        Session session();

        /** Why there is no session yet, if creating it has failed. */
        @Nullable
        StoreFailure sessionFailure();

        /** Declares the session lost if its validity is over. */
        void checkSession();

        boolean isOwnSession(SessionId id);

        PeerWatch peers();

        HeldLongWatch heldLong();

        /** The caller no longer waits. */
        void waitEnded(Caller caller);

        void queueIsIdle(KeyQueue queue);
    }

    private final LockKey key;
    private final EngineContext context;
    private final Home home;
    private final WaiterRows rows;
    private final Front front;
    private final Tenure tenure;
    private final Numbering numbering;
    private final Deque<Block> blocks = new ArrayDeque<>();
    private LockState lastSeen = LockState.ABSENT;
    private @Nullable StoreFailure lastFailure;
    private boolean answered;
    private long lastAnswer;

    KeyQueue(LockKey key, EngineContext context, Home home) {
        this.key = key;
        this.context = context;
        this.home = home;
        this.numbering = new Numbering(this, context, home);
        this.rows = new WaiterRows(this, context);
        this.front = new Front(this, rows, context, home);
        this.tenure = new Tenure(this, context);
    }

    LockKey key() {
        return key;
    }

    // Arrivals and departures

    void arrive(Caller caller) {
        if (!caller.isWaiting()) {
            return;
        }
        if (caller.spec().waitsNotAtAll() && !isIdle()) {
            timeOut(caller);
            return;
        }
        numbering.add(caller);
        if (!caller.spec().waitsNotAtAll() && !caller.spec().waitsForever()) {
            Duration rest = caller.spec().waitLimit().minus(context.since(caller.startedNanos()));
            caller.expectBefore(
                    context.loop.schedule(() -> deadlineReached(caller), rest.isNegative() ? Duration.ZERO : rest));
        }
        numbering.pump();
    }

    /** The caller has ended its wait by itself. */
    void left(Caller caller) {
        waitEnded(caller);
        context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
        forget(caller);
    }

    void waitEnded(Caller caller) {
        home.waitEnded(caller);
    }

    void checkSession() {
        home.checkSession();
    }

    private void deadlineReached(Caller caller) {
        StoreFailure failure = lastFailure != null ? lastFailure : home.sessionFailure();
        if (failure == null) {
            failure = silence(caller);
        }
        if (failure != null) {
            fail(caller, failure);
        } else {
            timeOut(caller);
        }
    }

    /** A store that has answered nothing since the caller came is why it waited, though no call has failed yet. */
    private @Nullable StoreFailure silence(Caller caller) {
        Duration waited = context.since(caller.startedNanos());
        boolean answeredSince = answered && lastAnswer - caller.startedNanos() >= 0;
        if (answeredSince || waited.compareTo(SILENCE) < 0) {
            return null;
        }
        return new StoreFailure(
                StoreFailure.Kind.UNAVAILABLE,
                "The store has answered nothing for " + waited + ". Check that it can be reached.",
                null);
    }

    void timeOut(Caller caller) {
        Duration waited = context.since(caller.startedNanos());
        Holder holder = tenure.holder() != null ? tenure.holder() : lastSeen.holder();
        if (caller.end(new AcquireOutcome.TimedOut(waited, ahead(caller), holder))) {
            home.waitEnded(caller);
            context.listener.timedOut(caller.spec(), waited);
            forget(caller);
        }
    }

    void fail(Caller caller, StoreFailure failure) {
        Duration waited = context.since(caller.startedNanos());
        if (caller.end(new AcquireOutcome.Failed(waited, failure))) {
            home.waitEnded(caller);
            context.listener.abandoned(caller.spec(), waited);
            forget(caller);
        }
    }

    private void forget(Caller caller) {
        Block block = caller.block();
        if (block == null) {
            numbering.remove(caller);
        } else {
            block.forget(caller);
            if (!block.hasCallers() && !block.is(Stage.GONE)) {
                emptied(block);
            }
        }
        checkIdle();
    }

    /** The last caller of a block has left. Blocks with a call under way are dealt with when it is answered. */
    private void emptied(Block block) {
        if (block.is(Stage.QUEUED) || (block.is(Stage.NUMBERED) && block == blocks.peekFirst())) {
            leave(block);
        } else if (block.is(Stage.NUMBERED)) {
            discard(block);
        }
    }

    // What the front and the tenure tell

    @Nullable
    Block first() {
        return blocks.peekFirst();
    }

    Collection<Block> blocks() {
        return blocks;
    }

    /** All callers of the block that holds the lock are done. */
    void done() {
        numbering.endPause();
    }

    boolean mayBeFollowed(Block block) {
        return numbering.mayFollow(block.last());
    }

    long knownTail() {
        return lastSeen.tail();
    }

    boolean isReleasing() {
        return tenure.isReleasing();
    }

    void numbersAnswered() {
        tenure.numbersAnswered();
    }

    /** A try has got the lock. */
    void acquired(Block block) {
        List<Caller> callers = block.waitingCallers();
        blocks.addLast(block);
        tenure.begin(block);
        for (Caller caller : callers) {
            if (caller.isWaiting() && caller.block() == block) {
                tellQueued(caller);
            }
        }
    }

    /** Once for each caller, however often it takes a new number. */
    private void tellQueued(Caller caller) {
        if (!caller.wasQueued()) {
            caller.markQueued();
            context.listener.queued(caller.spec(), caller.number(), ahead(caller));
        }
    }

    /** A try of a caller that does not wait has found the lock not free. */
    void triedInVain(Block block, LockState state) {
        front.triedInVain(block, state);
    }

    /** The lock is not to be had at once, but nobody is ahead: on with tickets. */
    void takeFor(Block block) {
        numbering.takeFor(block);
    }

    /** A take has got the block its tickets. */
    void numbered(Block block, LockState state) {
        Block predecessor = blocks.peekLast();
        blocks.addLast(block);
        if (predecessor != null && block.waitsNotAtAll()) {
            // It was passed and numbered anew, and others of this process are ahead by now.
            giveUp(block);
            return;
        }
        block.waitingCallers().forEach(this::tellQueued);
        boolean served = predecessor != null && block.directlyFollows(predecessor) && willServe(predecessor);
        if (served) {
            tenure.handOverEarly();
        } else {
            front.arrive(block, state, predecessor == null);
        }
    }

    /** Whether a block of this process will hand over to one that follows it directly, without that having a row. */
    private static boolean willServe(Block predecessor) {
        return predecessor.hasCallers()
                || predecessor.is(Stage.CLAIMING)
                || predecessor.is(Stage.HOLDING)
                || predecessor.is(Stage.CHANGING);
    }

    /** The only block of this process, if it holds the lock and nobody else is known to have a ticket. */
    @Nullable
    Block extensible() {
        Block first = blocks.peekFirst();
        boolean holds = first != null && first.is(Stage.HOLDING) && lastSeen.isHeldBy(first.id());
        return holds && blocks.size() == 1 && lastSeen.tail() == lastSeen.serving() ? first : null;
    }

    /** The block that holds the lock has got the tickets of this one, too. To be told before the state of then is seen. */
    void extended(Block holding, Block by) {
        by.waitingCallers().forEach(this::tellQueued);
        join(holding, by);
        tenure.extended(holding);
    }

    void claimed(Block block) {
        rows.delete(block);
        tenure.begin(block);
    }

    /** The lock has been handed over to the next block along with the one that holds it. */
    void join(Block holding, Block next) {
        if (!next.is(Stage.GONE)) {
            blocks.remove(next);
            withdraw(next);
            holding.join(next);
            next.to(Stage.GONE);
        }
    }

    /** Removes a block, mostly the first: its tenure is over or its place in the queue is given up. */
    void remove(Block block) {
        if (blocks.peekFirst() == block) {
            blocks.removeFirst();
        } else {
            drop(block);
        }
        block.to(Stage.GONE);
    }

    /** Takes a block out of the middle; the one behind it then follows the one before it. */
    private void drop(Block block) {
        Iterator<Block> rest = blocks.iterator();
        while (rest.hasNext()) {
            if (rest.next() == block) {
                rest.remove();
                break;
            }
        }
        if (rest.hasNext()) {
            rest.next().closeUpTo(block);
        }
    }

    /** The lock is no longer held by this process: on with the next block, and with those who gathered. */
    void released() {
        numbering.pump();
        hurryNext();
        checkIdle();
    }

    void hurry(Block block) {
        front.hurry(block);
    }

    /** Nobody holds up the first block that somebody waits in: it looks at once. */
    private void hurryNext() {
        Block next = blocks.peekFirst();
        if (next == null) {
            return;
        }
        if (!next.hasCallers() && (next.is(Stage.NUMBERED) || next.is(Stage.QUEUED))) {
            leave(next);
        } else {
            front.hurry(next);
        }
    }

    /** Gives up a block's place; one that follows it directly and relied on it enters before its row goes. */
    void leave(Block block) {
        Block successor = null;
        boolean found = false;
        for (Block other : blocks) {
            if (found && other.hasCallers()) {
                successor = other;
                break;
            }
            found |= other == block;
        }
        remove(block);
        if (successor != null && successor.is(Stage.NUMBERED)) {
            rows.enter(successor, () -> withdraw(block));
        } else {
            withdraw(block);
        }
        hurryNext();
        checkIdle();
    }

    /** Takes back what the block has, or may have, in the table. */
    void withdraw(Block block) {
        rows.delete(block);
        if (block.isUncertain()) {
            context.undo.release(key, block.id(), () -> {});
        }
    }

    /** Drops a block that is passed over because nobody in it waits any more. */
    void discard(Block block) {
        withdraw(block);
        remove(block);
    }

    /** Someone is ahead of a caller that does not wait. */
    void giveUp(Block block) {
        block.waitingCallers().forEach(this::timeOut);
        if (!numbering.end(block) && !block.is(Stage.GONE)) {
            leave(block);
        }
        numbering.pump();
        checkIdle();
    }

    /** The block was passed or evicted: its callers, and those of blocks that relied on it, take new numbers. */
    void renumber(Block block) {
        List<Caller> callers = new ArrayList<>();
        Block previous = null;
        Block next = block;
        while (next != null && (previous == null || next.directlyFollows(previous) && next.is(Stage.NUMBERED))) {
            callers.addAll(next.takeCallers());
            withdraw(next);
            remove(next);
            previous = next;
            next = blocks.peekFirst();
        }
        numbering.putBack(callers);
        numbering.pump();
        hurryNext();
        checkIdle();
    }

    /** The callers of this block put up with no more failures. */
    void failed(Block block, StoreFailure failure) {
        block.waitingCallers().forEach(caller -> fail(caller, failure));
    }

    /** The store said no for good: everyone who waits is told. */
    void refused(StoreFailure failure) {
        for (Block block : List.copyOf(blocks)) {
            if (block.is(Stage.HOLDING) || block.is(Stage.CHANGING)) {
                failed(block, failure);
            } else {
                List<Caller> callers = block.takeCallers();
                callers.forEach(Caller::unnumbered);
                callers.forEach(caller -> fail(caller, failure));
                withdraw(block);
                remove(block);
            }
        }
        checkIdle();
    }

    // The session

    void sessionStarted() {
        numbering.pump();
    }

    void sessionNotStarted(StoreFailure failure) {
        failed(failure);
        for (Caller caller : numbering.gathered()) {
            if (failure.kind() == StoreFailure.Kind.REFUSED || caller.isOutOfPatience(context)) {
                fail(caller, failure);
            }
        }
    }

    /** What was held is lost; those who wait go on under a new session with new numbers. */
    void sessionLost(LossReason reason) {
        tenure.lose(reason);
        List<Caller> callers = new ArrayList<>();
        for (Block block : blocks) {
            callers.addAll(block.takeCallers());
            rows.delete(block);
            block.to(Stage.GONE);
        }
        blocks.clear();
        callers.addAll(numbering.drop());
        front.stop();
        numbering.putBack(callers);
        numbering.pump();
        checkIdle();
    }

    /** Ends every wait; the session is about to be deleted. */
    void close() {
        sessionLost(LossReason.CLOSED);
        for (Caller caller : numbering.gathered()) {
            if (caller.end(new AcquireOutcome.Closed())) {
                home.waitEnded(caller);
                context.listener.abandoned(caller.spec(), context.since(caller.startedNanos()));
            }
            numbering.remove(caller);
        }
    }

    void peerDied() {
        Block block = blocks.peekFirst();
        if (block != null) {
            front.hurry(block);
        }
    }

    boolean needsSession() {
        return numbering.hasGathered();
    }

    // What is known

    void released(GrantedLock grant, boolean stillOwned) {
        tenure.released(grant, stillOwned);
    }

    /** The state of the lock from the latest answer. */
    void seen(LockState state) {
        lastSeen = state;
        recovered();
    }

    /** A call got through: an earlier failure is no longer why somebody waits. */
    void recovered() {
        lastFailure = null;
        lastAnswer = context.time.nanos();
        answered = true;
    }

    void failed(StoreFailure failure) {
        lastFailure = failure;
    }

    /** How many are ahead of the caller, as far as this process knows. */
    private long ahead(Caller caller) {
        long number = caller.number() > 0 ? caller.number() : lastSeen.tail() + 1;
        long current = tenure.currentNumber();
        if (current > 0) {
            return Math.max(1, number - current);
        }
        boolean held = lastSeen.holder() != null;
        if (lastSeen.serving() == 0) {
            return held ? 1 : 0;
        }
        return Math.max(held ? 1 : 0, number - lastSeen.serving() - (held ? 0 : 1));
    }

    /** Whether the block is one of this queue's that may still hold or get the lock. */
    boolean knows(BlockId id) {
        return numbering.knows(id) || tenure.knows(id) || blocks.stream().anyMatch(block -> block.goesBy(id));
    }

    private boolean isIdle() {
        return numbering.isIdle() && blocks.isEmpty() && !tenure.isReleasing();
    }

    void checkIdle() {
        if (isIdle()) {
            front.stop();
            home.queueIsIdle(this);
        }
    }
}
