package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.LockState;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The callers of one lock who have no ticket yet, and the one write under way that gets tickets for some of them: a
 * try, which takes the lock with the tickets; a take; or an extension of the block that holds the lock, which hands it
 * over with them. Those who come meanwhile gather for the next. Lives on the event loop.
 */
final class Numbering {

    /** Some turns of callers who do nothing with the lock, and much shorter than a round trip. */
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final KeyQueue queue;
    private final EngineContext context;
    private final KeyQueue.Home home;
    private final Set<Caller> gathering = new LinkedHashSet<>();
    private @Nullable Block numbering;
    private boolean takeUnderWay;
    private long knownTail;
    private EventLoop.@Nullable Timer pause;

    Numbering(KeyQueue queue, EngineContext context, KeyQueue.Home home) {
        this.queue = queue;
        this.context = context;
        this.home = home;
    }

    void add(Caller caller) {
        gathering.add(caller);
    }

    void remove(Caller caller) {
        gathering.remove(caller);
    }

    boolean hasGathered() {
        return !gathering.isEmpty();
    }

    List<Caller> gathered() {
        return List.copyOf(gathering);
    }

    boolean isIdle() {
        return gathering.isEmpty() && numbering == null;
    }

    /**
     * Whether tickets are being taken that may follow directly on this one: nobody was known to have the next when they
     * were asked for. What was seen since may be themselves.
     */
    boolean mayFollow(long ticket) {
        return takeUnderWay && knownTail <= ticket;
    }

    boolean knows(BlockId id) {
        return numbering != null && numbering.goesBy(id);
    }

    /** Back to the front of those who gather, in this order. */
    void putBack(List<Caller> callers) {
        cancelPause();
        callers.forEach(Caller::unnumbered);
        List<Caller> later = List.copyOf(gathering);
        gathering.clear();
        gathering.addAll(callers);
        gathering.addAll(later);
        gathering.removeIf(caller -> !caller.isWaiting());
    }

    /** Drops the write under way, whose answer means nothing any more; its callers. */
    List<Caller> drop() {
        takeUnderWay = false;
        Block dropped = numbering;
        if (dropped == null) {
            return List.of();
        }
        numbering = null;
        dropped.to(Stage.GONE);
        return dropped.takeCallers();
    }

    /** Gets numbers for those who have none, if nothing stands in the way. */
    void pump() {
        if (numbering != null || gathering.isEmpty() || queue.isReleasing() || pause != null) {
            return;
        }
        Session session = home.session();
        if (session == null) {
            return;
        }
        Block block = gatherInto(session, new ArrayList<>());
        if (queue.blocks().isEmpty()) {
            sendTry(block, 1);
        } else {
            takeOrExtend(block, 1);
        }
    }

    /** Those who are served by the last answer may come back at once: they shall share the next write. */
    private void pauseToGather() {
        pause = context.loop.schedule(this::endPause, PAUSE);
    }

    /** Nobody who could come back is being served any more, or it takes too long. */
    void endPause() {
        if (pause != null) {
            cancelPause();
            pump();
        }
    }

    private void cancelPause() {
        if (pause != null) {
            pause.cancel();
            pause = null;
        }
    }

    private void takeOrExtend(Block block, int attempt) {
        Block holding = block.waitsNotAtAll() ? null : queue.extensible();
        if (holding == null) {
            sendTake(block, attempt);
        } else {
            sendExtend(block, holding, attempt);
        }
    }

    private void sendExtend(Block block, Block holding, int attempt) {
        takeUnderWay = true;
        // Whatever lies between is nobody's, or it will be refused.
        knownTail = 0;
        context.calls.send(
                "extend",
                () -> context.store.extend(queue.key(), holding.id(), block.count(), context.time.now()),
                result -> {
                    if (!block.is(Stage.GONE)) {
                        takeUnderWay = false;
                        extended(block, holding, result);
                    }
                },
                failure -> {
                    if (!block.is(Stage.GONE)) {
                        takeUnderWay = false;
                        numberingFailed(block, failure, attempt, () -> takeOrExtend(block, attempt + 1));
                        queue.numbersAnswered();
                    }
                });
    }

    private void extended(Block block, Block holding, WriteResult result) {
        boolean served = result instanceof WriteResult.Applied && !holding.is(Stage.GONE);
        if (served) {
            numbering = null;
            if (block.hasCallers()) {
                pauseToGather();
            }
            block.numbered(result.state().serving());
            queue.extended(holding, block);
        }
        queue.seen(result.state());
        if (holding.is(Stage.GONE)) {
            // The lock was let go; the tickets, if there are any, are nobody's.
            putBack(drop());
        } else if (!served) {
            takeFor(block);
        }
        queue.numbersAnswered();
        pump();
        queue.checkIdle();
    }

    /** A new block of these callers and of those who gathered; one who does not wait shares with nobody. */
    private Block gatherInto(Session session, List<Caller> callers) {
        Iterator<Caller> more = gathering.iterator();
        while (more.hasNext() && (callers.isEmpty() || !callers.get(0).spec().waitsNotAtAll())) {
            Caller next = more.next();
            if (next.spec().waitsNotAtAll() && !callers.isEmpty()) {
                break;
            }
            callers.add(next);
            more.remove();
        }
        Block block = new Block(session, context.newClaimant(session), callers);
        block.attach();
        numbering = block;
        return block;
    }

    private void sendTry(Block block, int attempt) {
        context.calls.send(
                "try",
                () -> context.store.tryAcquire(queue.key(), block.claimant(), block.count(), context.time.now()),
                result -> {
                    if (!block.is(Stage.GONE)) {
                        tried(block, result);
                    }
                },
                failure -> {
                    if (!block.is(Stage.GONE)) {
                        if (failure.mayHaveTakenEffect()) {
                            block.markUncertain();
                        }
                        numberingFailed(block, failure, attempt, () -> sendTry(block, attempt + 1));
                    }
                });
    }

    private void tried(Block block, WriteResult result) {
        queue.seen(result.state());
        if (result instanceof WriteResult.Applied) {
            numbering = null;
            block.numbered(result.state().serving());
            queue.acquired(block);
            pump();
        } else if (block.waitsNotAtAll()) {
            queue.triedInVain(block, result.state());
        } else {
            takeFor(block);
        }
    }

    /** The lock was not free: the block's callers take numbers, together with those who came meanwhile. */
    void takeFor(Block tried) {
        // First, because finding the session lost puts every caller back among those who gather.
        Session session = home.session();
        if (session == null || tried.is(Stage.GONE)) {
            return;
        }
        List<Caller> callers = tried.takeCallers();
        tried.to(Stage.GONE);
        numbering = null;
        if (callers.isEmpty() && gathering.isEmpty()) {
            queue.checkIdle();
        } else {
            sendTake(gatherInto(session, callers), 1);
        }
    }

    private void sendTake(Block block, int attempt) {
        takeUnderWay = true;
        knownTail = queue.knownTail();
        context.calls.send(
                "take numbers",
                () -> context.store.takeNumbers(queue.key(), block.count(), context.time.now()),
                state -> {
                    if (!block.is(Stage.GONE)) {
                        takeUnderWay = false;
                        taken(block, state);
                    }
                },
                failure -> {
                    if (!block.is(Stage.GONE)) {
                        takeUnderWay = false;
                        numberingFailed(block, failure, attempt, () -> sendTake(block, attempt + 1));
                        queue.numbersAnswered();
                    }
                });
    }

    private void taken(Block block, LockState state) {
        queue.seen(state);
        numbering = null;
        if (block.hasCallers()) {
            block.numbered(state.tail());
            queue.numbered(block, state);
        } else {
            block.to(Stage.GONE);
        }
        queue.numbersAnswered();
        pump();
        queue.checkIdle();
    }

    private void numberingFailed(Block block, StoreFailure failure, int attempt, Runnable again) {
        queue.failed(failure);
        if (failure.kind() == StoreFailure.Kind.REFUSED || !block.hasCallers() || block.isOutOfPatience(context)) {
            giveUpNumbering(block, failure);
            return;
        }
        context.loop.schedule(
                () -> {
                    if (block.is(Stage.GONE)) {
                        return;
                    }
                    if (block.hasCallers() && block.session().isValid()) {
                        again.run();
                    } else {
                        giveUpNumbering(block, failure);
                    }
                },
                context.backoff.delay(attempt));
    }

    private void giveUpNumbering(Block block, StoreFailure failure) {
        end(block);
        List<Caller> callers = block.takeCallers();
        callers.forEach(Caller::unnumbered);
        callers.forEach(caller -> queue.fail(caller, failure));
        pump();
        queue.checkIdle();
    }

    /** The block gets no tickets; false if it is not the one that was to get some. */
    boolean end(Block block) {
        if (numbering != block) {
            return false;
        }
        numbering = null;
        block.to(Stage.GONE);
        queue.withdraw(block);
        return true;
    }
}
