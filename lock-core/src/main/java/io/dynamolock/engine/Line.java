package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.BlockId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blocks of this process that stand in the queue of one lock, or ask for a place, in their order. */
final class Line {

    private final Deque<Block> blocks = new ArrayDeque<>();
    private final boolean oneByOne;

    /** @param oneByOne whether nobody need look while a block of this line holds the lock */
    Line(boolean oneByOne) {
        this.oneByOne = oneByOne;
    }

    void add(Block block) {
        blocks.addLast(block);
    }

    /** It stands before all others of this line. */
    void addFirst(Block block) {
        blocks.addFirst(block);
    }

    void remove(Block block) {
        blocks.remove(block);
        block.gone();
    }

    boolean isEmpty() {
        return blocks.isEmpty();
    }

    /** Whether nobody holds the lock or waits for it here: what still stands is about to leave. */
    boolean isDeserted() {
        return blocks.stream()
                .allMatch(block -> block.is(Stage.LEAVING) || (block.is(Stage.WAITING) && !block.hasCallers()));
    }

    /** A copy: what is done with a block may remove it. */
    List<Block> blocks() {
        return List.copyOf(blocks);
    }

    @Nullable
    Block last() {
        return blocks.peekLast();
    }

    /** The block that holds the lock. */
    @Nullable
    Block holding() {
        return blocks.stream().filter(Block::holds).findFirst().orElse(null);
    }

    /** The first block that waits for others: none while those ahead of it are of this line. */
    @Nullable
    Block waiting() {
        return oneByOne && holding() != null ? null : find(Stage.WAITING);
    }

    boolean has(Stage stage) {
        return find(stage) != null;
    }

    private @Nullable Block find(Stage stage) {
        return blocks.stream().filter(block -> block.is(stage)).findFirst().orElse(null);
    }

    /** The block from which this is an eviction. */
    @Nullable
    Block meantBy(BlockId id) {
        return blocks.stream()
                .filter(block -> block.isMeantBy(id) && !block.is(Stage.LEAVING))
                .findFirst()
                .orElse(null);
    }

    /** Whether the block is one that may stand in the queue. */
    boolean knows(BlockId id) {
        return blocks.stream().anyMatch(block -> block.goesBy(id));
    }
}
