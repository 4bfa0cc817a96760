package io.dynamolock.engine;

import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;

/** An ask for a new block, or the growth of one that stands, until it is answered. Lives on the event loop. */
final class Joining {

    private final Block block;
    private final Set<Caller> newcomers;
    private final Step step;
    private final boolean hasty;
    private long sentAt;
    private boolean refused;
    private boolean awaited;
    private boolean overdue;

    /**
     * @param newcomers those who join a block that stands; those of an ask are in their block already
     * @param hasty whether they only want the lock if it is free
     */
    Joining(Block block, Set<Caller> newcomers, Step step, boolean hasty) {
        this.block = block;
        this.newcomers = newcomers;
        this.step = step;
        this.hasty = hasty;
    }

    Block block() {
        return block;
    }

    /** Sent again for the same entry: its effect shows whether it has landed before. */
    Step step() {
        return step;
    }

    void sentAt(long nanos) {
        sentAt = nanos;
    }

    /** When it was sent first, or once more after a refusal. */
    long sentAt() {
        return sentAt;
    }

    boolean isAsk() {
        return step instanceof Step.Ask;
    }

    boolean isHasty() {
        return hasty;
    }

    /** How many callers the entry counts with the newcomers. */
    int countsUpTo() {
        return step instanceof Step.Grow growth ? growth.entry().callers() + growth.by() : Integer.MAX_VALUE;
    }

    boolean grows(Block other) {
        return !isAsk() && block == other;
    }

    /** The callers that still wait for the answer. */
    Collection<Caller> callers() {
        return isAsk()
                ? block.callers()
                : newcomers.stream().filter(Caller::isWaiting).toList();
    }

    boolean isWanted() {
        return (!isAsk() || block.is(Block.Stage.ASKING)) && !callers().isEmpty();
    }

    /** Callers that do not wait found the lock taken, or its queue full: is anybody in the queue alive? */
    boolean isRefused() {
        return refused;
    }

    void refused(boolean taken) {
        refused = taken;
    }

    /** Whether the end of the block, which has begun to wait for its growth, has waited for so long. */
    boolean isOverdue(KeyCalls calls, Duration patience) {
        if (!awaited) {
            awaited = true;
            calls.later(() -> overdue = true, patience);
        }
        return overdue;
    }
}
