package io.dynamolock.engine;

import io.dynamolock.data.LockData;
import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How blocks get out of a lock's queue, and the one that holds the lock gets a new number. Lives on the event loop. */
final class Exit {

    /** A block that others have gone before so many times lets those behind it go, which moves nobody else. */
    private static final int TRIES = 4;

    private static final Duration APART = Duration.ofMillis(1);

    private final KeyParts parts;
    private final Set<Block> leaving = new LinkedHashSet<>();
    private final Map<Block, LockData> leftData = new IdentityHashMap<>();
    private @Nullable List<Block> underWay;
    private boolean clearing;

    Exit(KeyParts parts) {
        this.parts = parts;
    }

    /** Releases the lock, or gives up a place. */
    void leave(Block block) {
        boolean held = block.is(Stage.HOLDING);
        if (held) {
            takeData(block);
        }
        block.to(held ? Stage.HOLDING : Stage.WAITING, Stage.LEAVING);
        if (held) {
            parts.hold.leaves(block);
        }
        if (held && !block.entry().mode().isJoint()) {
            // Everybody waits for it.
            send("release", List.of(block), 1, () -> {});
        } else {
            leaving.add(block);
            leaveTogether();
        }
    }

    /**
     * By one write at a time, because each that takes out a block moves those behind it. But a write that fails, or whose
     * answer does not come, keeps nobody else.
     */
    private void leaveTogether() {
        leaving.removeIf(block -> !block.is(Stage.LEAVING));
        if (underWay != null || leaving.isEmpty()) {
            return;
        }
        List<Block> together = leaving.stream().limit(Step.Leave.MOST).toList();
        together.forEach(leaving::remove);
        EventLoop.Timer patience = parts.calls.later(() -> goOn(together), Turns.PATIENCE);
        underWay = together;
        send("leave", together, 1, () -> {
            patience.cancel();
            goOn(together);
        });
    }

    private void goOn(List<Block> gone) {
        if (underWay == gone) {
            underWay = null;
            leaveTogether();
        }
    }

    private void send(String operation, List<Block> blocks, int attempt, Runnable done) {
        parts.calls.take(
                operation,
                () -> leaving(blocks),
                () -> blocks.stream().anyMatch(block -> block.is(Stage.LEAVING)),
                answer -> left(operation, blocks, attempt, done, answer),
                failure -> {
                    blocks.forEach(block -> parts.hold.left(block, null));
                    done.run();
                },
                done);
    }

    private Step leaving(List<Block> blocks) {
        NavigableMap<Integer, Entry> entries = standing(blocks, parts.outlook.item());
        if (entries.isEmpty()) {
            // A refusal says that they are gone.
            entries.put(0, blocks.get(0).entry());
        }
        return new Step.Leave(entries, leftData.get(blocks.get(0)));
    }

    private static NavigableMap<Integer, Entry> standing(List<Block> blocks, LockItem item) {
        NavigableMap<Integer, Entry> entries = new TreeMap<>();
        for (Block block : blocks) {
            int index = item.indexOf(block.id());
            if (index >= 0) {
                entries.put(index, block.entry());
            }
        }
        return entries;
    }

    private void left(String operation, List<Block> blocks, int attempt, Runnable done, Answer<LockItem> answer) {
        LockItem item = answer.item();
        List<Block> rest = new ArrayList<>();
        for (Block block : blocks) {
            int index = item.indexOf(block.id());
            if (!block.is(Stage.LEAVING)) {
                continue;
            }
            if (index >= 0) {
                // Blocks ahead have gone, or the block had grown.
                block.showsAs(item.queue().get(index));
                rest.add(block);
            } else {
                parts.line.remove(block);
                leftData.remove(block);
                // An ask of it may still come, and find that its entry is gone.
                parts.undo(block);
                parts.hold.left(block, answer.isApplied() ? null : LossReason.TAKEN_AWAY);
            }
        }
        if (rest.isEmpty()) {
            done.run();
            return;
        }
        NavigableMap<Integer, Entry> places = standing(rest, item);
        // Nobody moves the first.
        if (attempt % TRIES != 0 || places.firstKey() == 0) {
            send(operation, rest, attempt + 1, done);
        } else {
            int last = places.lastKey();
            int behind = (last < item.holders() ? item.holders() : item.queue().size()) - 1 - last;
            parts.calls.later(() -> send(operation, rest, attempt + 1, done), APART.multipliedBy(behind));
        }
    }

    private void takeData(Block block) {
        LockData data = parts.hold.takeData();
        if (data != null) {
            leftData.put(block, data);
        }
    }

    /**
     * The process stops: the blocks are taken out in the background, also if a write under way does the same. What a holder
     * leaves goes with whichever write is first.
     *
     * @param holder the block whose caller leaves the data, if that is not being written yet
     */
    void takeOut(List<Block> blocks, @Nullable Block holder, @Nullable LockData data) {
        if (holder != null && data != null) {
            leftData.put(holder, data);
        }
        NavigableMap<Integer, Entry> seen = standing(blocks, parts.outlook.item());
        LockData left = null;
        for (Block block : blocks) {
            if (!seen.isEmpty() && seen.firstEntry().getValue().equals(block.entry())) {
                left = leftData.get(block);
            }
        }
        parts.engine.strays().remove(parts.key, seen, left);
        for (Block block : blocks) {
            if (block.mayHaveLanded() || !seen.containsValue(block.entry())) {
                parts.engine.strays().remove(parts.key, block.id(), block.mayHaveLanded());
            }
            BlockId renamed = block.renamedId();
            if (renamed != null) {
                parts.engine.strays().remove(parts.key, renamed, true);
            }
        }
        leftData.clear();
    }

    // Others that are gone

    /** Whether nobody will ever ask for the lock by this entry. */
    boolean isAbandoned(Entry entry) {
        boolean isStray = parts.engine.keeper().isOwn(entry.session()) && !parts.group.knows(entry.block());
        return isStray || parts.engine.peers().isDead(entry.session());
    }

    /** Takes out these, all of them abandoned, from the places where they stand in the last answer. */
    void clear(NavigableMap<Integer, Entry> abandoned) {
        if (clearing) {
            return;
        }
        clearing = true;
        int place = abandoned.firstKey();
        Entry first = abandoned.firstEntry().getValue();
        Step clear = new Step.Leave(abandoned);
        parts.calls.take(
                "clear",
                () -> clear,
                () -> place < parts.outlook.item().queue().size()
                        && first.equals(parts.outlook.item().queue().get(place))
                        && !(parts.line.isEmpty() && parts.gathering.isEmpty()),
                answer -> clearing = false,
                failure -> {},
                () -> clearing = false);
    }

    // The block that holds the lock

    /** The rest of the block goes on under a new number. */
    void rename(Block block) {
        parts.hold.leaves(block);
        takeData(block);
        rename(block, block.rename());
    }

    private void rename(Block block, Entry to) {
        parts.calls.take(
                "rename",
                () -> new Step.Rename(block.entry(), to, leftData.get(block)),
                () -> block.is(Stage.RENAMING),
                answer -> renamed(block, to, answer.item()),
                failure -> {
                    if (failure.mayHaveTakenEffect()) {
                        block.markRenamed();
                    }
                    parts.hold.left(block, null);
                },
                () -> {});
    }

    private void renamed(Block block, Entry to, LockItem item) {
        Entry first = item.first();
        if (!block.is(Stage.RENAMING)) {
            leftData.remove(block);
        } else if (first != null) {
            if (first.block().equals(to.block())) {
                parts.undo(block);
                leftData.remove(block);
                block.isRenamed(item.tail(), parts.outlook.next());
                parts.hold.begins();
            } else if (first.block().equals(block.id())) {
                // It had grown meanwhile.
                block.showsAs(first);
                rename(block, to);
            }
        }
    }

    /** Writes the entry as it is, so that the table's TTL does not take the item of a lock that is held for days. */
    void keep(Block block) {
        parts.calls.take(
                "keep item",
                () -> new Step.Rename(
                        Math.max(0, parts.outlook.item().indexOf(block.id())), block.entry(), block.entry()),
                () -> block.is(Stage.HOLDING),
                answer -> {
                    int index = answer.item().indexOf(block.id());
                    if (!answer.isApplied() && block.is(Stage.HOLDING) && index >= 0) {
                        // Blocks ahead have gone, or it had grown.
                        block.showsAs(answer.item().queue().get(index));
                        keep(block);
                    }
                });
    }
}
