package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.engine.PeerWatch.Distance;
import io.dynamolock.engine.PeerWatch.Life;
import io.dynamolock.store.BlockId;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockState;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first waiting block of this process: looks until it is first in the table, claims the lock for it.
 * It alone polls, on behalf of all that wait behind it. Lives on the event loop.
 */
final class Front {

    /** Claims for this block that failed one after the other, and why the last one did. */
    private record FailedClaims(Block block, int count, StoreFailure why) {}

    /** The lock and this many rows are one read unit. */
    private static final int LOOK_LIMIT = 8;

    /** The next in line learns of the end of a long hold late by one part in so many of its time. */
    private static final int LATE_BY = 50;

    /** Those behind look again when so much of that time has passed again, for each that is ahead: holds are alike. */
    private static final int AGAIN_AFTER = 4;

    /** Garbage may fill that; then one look shows this much. */
    private static final int WIDE_LOOK_LIMIT = 100;

    private final KeyQueue queue;
    private final EngineContext context;
    private final KeyQueue.Home home;
    private final WaiterRows rows;
    private EventLoop.@Nullable Timer poll;
    private boolean looking;
    private boolean lookAgain;
    private int failedLooks;
    private int lookLimit = LOOK_LIMIT;
    private @Nullable FailedClaims failedClaims;
    private @Nullable BlockId openBefore;
    private long openSince;
    private @Nullable BlockId heldBy;
    private long heldSince;

    Front(KeyQueue queue, WaiterRows rows, EngineContext context, KeyQueue.Home home) {
        this.queue = queue;
        this.rows = rows;
        this.context = context;
        this.home = home;
    }

    /** A block has its numbers and nobody to serve it. */
    void arrive(Block block, LockState state, boolean first) {
        Holder holder = state.holder();
        boolean vacant = holder == null || isDead(holder);
        boolean nobodyBetween = state.serving() > 0 && state.serving() + block.count() == state.tail();
        if (first && vacant && nobodyBetween) {
            claim(block, holder == null ? null : holder.block());
        } else if (block.waitsNotAtAll()) {
            look(block);
        } else {
            rows.enter(block, () -> {});
        }
    }

    /** Looks now if the block is the first of this process. */
    void hurry(Block block) {
        if (queue.first() != block) {
            return;
        }
        if (concerns(block)) {
            look(block);
        } else if (block.is(Stage.NUMBERED)) {
            rows.enter(block, () -> {});
        }
    }

    void stop() {
        if (poll != null) {
            poll.cancel();
            poll = null;
        }
        openBefore = null;
        heldBy = null;
        lookAgain = false;
        lookLimit = LOOK_LIMIT;
        failedClaims = null;
    }

    private void lookLater(Block block, Duration delay) {
        if (poll != null) {
            poll.cancel();
        }
        poll = context.loop.schedule(
                () -> {
                    poll = null;
                    if (queue.first() == block) {
                        look(block);
                    }
                },
                delay);
    }

    private void look(Block block) {
        if (poll != null) {
            poll.cancel();
            poll = null;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        int limit = lookLimit;
        lookLimit = LOOK_LIMIT;
        context.calls.send(
                "look",
                () -> context.store.look(queue.key(), limit),
                view -> {
                    looking = false;
                    failedLooks = 0;
                    if (concerns(block)) {
                        looked(block, view, limit);
                    }
                    lookAgainIfAsked();
                },
                failure -> {
                    looking = false;
                    queue.failed(failure);
                    if (concerns(block)) {
                        lookFailed(block, failure);
                    }
                    lookAgainIfAsked();
                });
    }

    private void lookAgainIfAsked() {
        Block block = queue.first();
        if (lookAgain && block != null && concerns(block)) {
            lookAgain = false;
            look(block);
        }
        lookAgain = false;
    }

    private boolean concerns(Block block) {
        return queue.first() == block
                && (block.is(Stage.QUEUED) || (block.is(Stage.NUMBERED) && block.waitsNotAtAll()));
    }

    private void lookFailed(Block block, StoreFailure failure) {
        failedLooks++;
        if (isFinal(block, failure)) {
            giveUp(block, failure);
        } else {
            lookLater(block, context.backoff.delay(failedLooks));
        }
    }

    private void looked(Block block, QueueView view, int limit) {
        LockState state = view.lock();
        queue.seen(state);
        if (state.isHeldBy(block.id())) {
            queue.claimed(block);
            return;
        }
        if (state.isAbsent() || state.serving() >= block.last() || isEvicted(block, view)) {
            queue.renumber(block);
            return;
        }
        boolean inSight = isInSight(block, view);
        List<WaiterRow> ahead = new ArrayList<>(0);
        List<WaiterRow> served = new ArrayList<>(0);
        for (WaiterRow row : view.rows()) {
            if (row.first() >= block.first()) {
                break;
            }
            if (isAbandoned(row)) {
                delete(row);
            } else if (row.last() <= state.serving()) {
                served.add(row);
            } else {
                ahead.add(row);
            }
        }
        Holder holder = state.holder();
        if (holder != null && home.isOwnSession(holder.session()) && !queue.knows(holder.block())) {
            // A write of this process that was given up has landed after all.
            context.undo.release(queue.key(), holder.block(), this::hurryFirst);
            lookLater(block, context.settings.pollMax());
            return;
        }
        boolean vacant = holder == null || isDead(holder);
        if (vacant) {
            heldBy = null;
        }
        boolean isNext = inSight && ahead.size() <= (vacant ? 1 : 0);
        Distance distance = distance(inSight, isNext, limit);
        ahead.forEach(row -> home.peers().watch(row.claimant().session(), distance));
        if (vacant && ahead.isEmpty()) {
            // Their owners are about to delete them; if one is not, this block is the last to see it.
            served.forEach(this::delete);
            if (inSight) {
                FailedClaims failed = claimsFailedFor(block);
                if (failed != null) {
                    // That a look gets through does not make the claim get through.
                    queue.failed(failed.why());
                }
                claim(block, holder == null ? null : holder.block());
            } else if (limit == WIDE_LOOK_LIMIT && block.waitsNotAtAll()) {
                queue.giveUp(block);
            } else {
                // Garbage fills the view; whoever is ahead behind it must not be passed.
                lookLimit = WIDE_LOOK_LIMIT;
                lookLater(block, context.backoff.jittered(context.settings.pollMin()));
            }
            return;
        }
        failedClaims = null;
        if (holder != null && !vacant) {
            watch(holder, distance);
        }
        if (block.waitsNotAtAll()) {
            if (!ahead.isEmpty()) {
                noWaitBehind(block, ahead.get(0).claimant().session());
            } else if (holder != null) {
                noWaitBehind(block, holder.session());
            }
            return;
        }
        if (vacant) {
            evictIfOpenForLong(ahead);
        } else {
            openBefore = null;
        }
        rows.refresh(block);
        if (poll == null) {
            lookLater(block, pollDelay(inSight ? ahead.size() : ahead.size() + rowsOutOfSight(block, view)));
        }
    }

    /** Whether the view shows all that is ahead of the block. */
    private static boolean isInSight(Block block, QueueView view) {
        return view.complete() || lastRow(view).first() >= block.first();
    }

    /** How many more rows are ahead than the view shows, if each has as many numbers as those that it shows. */
    private static long rowsOutOfSight(Block block, QueueView view) {
        long shown = lastRow(view).last() - view.rows().get(0).first() + 1;
        long perRow = Math.max(1, shown / view.rows().size());
        return (block.first() - lastRow(view).last()) / perRow;
    }

    private static WaiterRow lastRow(QueueView view) {
        return view.rows().get(view.rows().size() - 1);
    }

    /** A wide look comes after many have died at once: more of them may be among those that it shows. */
    private static Distance distance(boolean inSight, boolean isNext, int limit) {
        if (isNext || limit == WIDE_LOOK_LIMIT) {
            return Distance.NEXT;
        }
        return inSight ? Distance.NEAR : Distance.OUT_OF_SIGHT;
    }

    private void delete(WaiterRow row) {
        context.undo.deleteGarbage(queue.key(), row.first(), row.claimant().block());
    }

    private void hurryFirst() {
        Block block = queue.first();
        if (block != null) {
            hurry(block);
        }
    }

    private boolean isEvicted(Block block, QueueView view) {
        if (!block.is(Stage.QUEUED)) {
            return false;
        }
        for (WaiterRow row : view.rows()) {
            if (row.first() == block.first()) {
                return false;
            }
            if (row.first() > block.first()) {
                return true;
            }
        }
        return view.complete();
    }

    /** Whether nobody will ever ask for the lock by this row. */
    private boolean isAbandoned(WaiterRow row) {
        SessionId session = row.claimant().session();
        boolean strayOfOurs =
                home.isOwnSession(session) && !queue.knows(row.claimant().block());
        return strayOfOurs || home.peers().isDead(session);
    }

    private void claim(Block block, @Nullable BlockId dead) {
        block.to(Stage.CLAIMING);
        context.calls.send(
                "claim",
                () -> context.store.claim(queue.key(), block.claimant(), block.last(), dead, context.time.now()),
                result -> {
                    if (!block.is(Stage.GONE)) {
                        claimAnswered(block, result);
                    }
                },
                failure -> {
                    if (!block.is(Stage.GONE)) {
                        claimFailed(block, failure);
                    }
                });
    }

    private void claimAnswered(Block block, WriteResult result) {
        LockState state = result.state();
        failedClaims = null;
        queue.seen(state);
        if (result instanceof WriteResult.Applied) {
            queue.claimed(block);
        } else if (state.isAbsent() || state.serving() >= block.last()) {
            queue.renumber(block);
        } else {
            block.backToWaiting();
            if (!block.hasCallers()) {
                queue.leave(block);
            } else if (block.is(Stage.NUMBERED) && !block.waitsNotAtAll()) {
                rows.enter(block, () -> {});
            } else if (block.waitsNotAtAll()) {
                look(block);
            } else {
                lookLater(block, pollDelay(0));
            }
        }
    }

    private void claimFailed(Block block, StoreFailure failure) {
        queue.failed(failure);
        block.backToWaiting();
        if (failure.mayHaveTakenEffect()) {
            block.markUncertain();
        }
        FailedClaims before = claimsFailedFor(block);
        int count = before == null ? 1 : before.count() + 1;
        failedClaims = new FailedClaims(block, count, failure);
        if (!block.hasCallers() || isFinal(block, failure)) {
            if (block.hasCallers()) {
                giveUp(block, failure);
            } else {
                queue.leave(block);
            }
        } else if (block.is(Stage.NUMBERED) && !block.waitsNotAtAll()) {
            // The look behind the entry tells whether the claim landed.
            rows.enter(block, () -> {});
        } else {
            lookLater(block, context.backoff.delay(count));
        }
    }

    private @Nullable FailedClaims claimsFailedFor(Block block) {
        FailedClaims last = failedClaims;
        return last != null && last.block() == block ? last : null;
    }

    private boolean isFinal(Block block, StoreFailure failure) {
        return failure.kind() == StoreFailure.Kind.REFUSED || block.isOutOfPatience(context);
    }

    /** A refusal is for everyone; the end of one's patience is for one who does not wait only. */
    private void giveUp(Block block, StoreFailure failure) {
        if (failure.kind() == StoreFailure.Kind.REFUSED) {
            queue.refused(failure);
        } else {
            queue.failed(block, failure);
        }
    }

    private void watch(Holder holder, Distance distance) {
        if (!home.isOwnSession(holder.session())) {
            home.peers().watch(holder.session(), distance);
            home.heldLong().seen(queue.key(), holder);
        }
        if (!holder.block().equals(heldBy)) {
            heldBy = holder.block();
            heldSince = context.time.nanos();
        }
    }

    private boolean isDead(Holder holder) {
        return home.peers().isDead(holder.session());
    }

    /**
     * A live process that does not take an open lock for a whole lease loses its place: rows order, they never own. The
     * next in line sees to it; those behind wait a lease more each, in case the next is such a row, too.
     */
    private void evictIfOpenForLong(List<WaiterRow> ahead) {
        if (ahead.isEmpty()) {
            return;
        }
        WaiterRow first = ahead.get(0);
        BlockId block = first.claimant().block();
        if (!block.equals(openBefore)) {
            openBefore = block;
            openSince = context.time.nanos();
        } else if (context.since(openSince).compareTo(context.settings.lease().multipliedBy(ahead.size())) >= 0) {
            openBefore = null;
            context.undo.deleteRow(queue.key(), first.first(), block);
        }
    }

    /** The next in line polls often, a deeper one less, all of them less if one block holds the lock for long; never in step. */
    private Duration pollDelay(long rowsAhead) {
        Duration min = context.settings.pollMin();
        Duration max = context.settings.pollMax();
        Duration seenHeld = heldBy == null ? Duration.ZERO : context.since(heldSince);
        if (rowsAhead == 0) {
            return context.backoff.jittered(within(min, seenHeld.dividedBy(LATE_BY), max));
        }
        // More places make no difference, and would be more nanoseconds than there are.
        long places = Math.min(rowsAhead, max.dividedBy(min) + 1);
        Duration each = within(min, seenHeld.dividedBy(AGAIN_AFTER), max);
        return context.backoff.jittered(within(min, each.multipliedBy(places), max));
    }

    private static Duration within(Duration least, Duration delay, Duration most) {
        Duration atLeast = delay.compareTo(least) < 0 ? least : delay;
        return atLeast.compareTo(most) > 0 ? most : atLeast;
    }

    // Callers who do not wait

    /** A caller that does not wait has found the lock not free: it goes on only if nobody live is ahead. */
    void triedInVain(Block block, LockState state) {
        Holder holder = state.holder();
        if (holder == null || isDead(holder)) {
            queue.takeFor(block);
        } else if (home.isOwnSession(holder.session())) {
            if (queue.knows(holder.block())) {
                queue.giveUp(block);
            } else {
                queue.takeFor(block);
            }
        } else {
            home.heldLong().seen(queue.key(), holder);
            home.peers().ask(holder.session(), life -> {
                if (block.is(Stage.GONE)) {
                    return;
                }
                if (life == Life.DEAD) {
                    queue.takeFor(block);
                } else {
                    queue.giveUp(block);
                }
            });
        }
    }

    private void noWaitBehind(Block block, SessionId session) {
        home.peers().ask(session, life -> {
            if (!concerns(block)) {
                return;
            }
            if (life == Life.DEAD) {
                look(block);
            } else {
                queue.giveUp(block);
            }
        });
    }
}
