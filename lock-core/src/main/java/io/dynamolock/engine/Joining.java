package io.dynamolock.engine;

import io.dynamolock.protocol.Step;
import java.util.List;
import java.util.Set;

/** An ask for a new block, or the growth of one that stands, until it is answered. Lives on the event loop. */
final class Joining {

    private final Block block;
    private final Set<Caller> newcomers;
    private final Step step;
    private int failures;
    private boolean overdue;
    private boolean refused;

    Joining(Block block, Set<Caller> newcomers, Step step) {
        this.block = block;
        this.newcomers = newcomers;
        this.step = step;
    }

    Block block() {
        return block;
    }

    /** Sent again as it is: its effect shows whether it has landed before. */
    Step step() {
        return step;
    }

    boolean isAsk() {
        return step instanceof Step.Ask;
    }

    boolean grows(Block other) {
        return !isAsk() && block == other;
    }

    /** The callers that still wait to join a block that stands. Those of an ask are in their block already. */
    List<Caller> newcomers() {
        return newcomers.stream().filter(Caller::isWaiting).toList();
    }

    boolean isWanted() {
        return isAsk()
                ? block.is(Block.Stage.ASKING) && block.hasCallers()
                : !newcomers().isEmpty();
    }

    int failedAgain() {
        return ++failures;
    }

    /** The end of the block has waited for its growth for too long. */
    boolean isOverdue() {
        return overdue;
    }

    void markOverdue() {
        overdue = true;
    }

    /** A caller that does not wait found the lock taken: is anybody in the queue alive? */
    boolean isRefused() {
        return refused;
    }

    void refused(boolean taken) {
        refused = taken;
    }
}
