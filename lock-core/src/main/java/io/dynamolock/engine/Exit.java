package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockData;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** How blocks get out of a lock's queue, and the one that holds the lock gets a new number. Lives on the event loop. */
final class Exit {

    private final KeyParts parts;
    private boolean clearing;

    Exit(KeyParts parts) {
        this.parts = parts;
    }

    /** Releases the lock, or gives up a place. */
    void leave(Block block) {
        boolean held = block.is(Stage.HOLDING);
        LockData data = held ? parts.hold.takeData() : null;
        block.to(held ? Stage.HOLDING : Stage.WAITING, Stage.LEAVING);
        if (held) {
            parts.hold.leaves(block);
        }
        send(block, held ? "release" : "leave", data);
    }

    private void send(Block block, String operation, @Nullable LockData data) {
        parts.calls.take(
                operation,
                () -> Step.Leave.of(Math.max(0, parts.outlook.item().indexOf(block.id())), block.entry(), data),
                () -> block.is(Stage.LEAVING),
                answer -> left(block, operation, data, answer),
                failure -> parts.hold.left(block, null),
                () -> {});
    }

    private void left(Block block, String operation, @Nullable LockData data, Answer<LockItem> answer) {
        if (!block.is(Stage.LEAVING)) {
            return;
        }
        int index = answer.item().indexOf(block.id());
        if (index >= 0) {
            // Blocks ahead have gone, or the block had grown.
            block.showsAs(answer.item().queue().get(index));
            send(block, operation, data);
            return;
        }
        parts.line.remove(block);
        // An ask of it may still come, and find that its entry is gone.
        parts.undo(block);
        parts.hold.left(block, answer.isApplied() ? null : LossReason.TAKEN_AWAY);
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
                        && !(parts.line.isEmpty() && parts.waits.isEmpty()),
                answer -> clearing = false,
                failure -> {},
                () -> clearing = false);
    }

    // The block that holds the lock

    /** The rest of the block goes on under a new number. */
    void rename(Block block) {
        parts.hold.leaves(block);
        rename(block, block.rename(), parts.hold.takeData());
    }

    private void rename(Block block, Entry to, @Nullable LockData data) {
        parts.calls.take(
                "rename",
                () -> new Step.Rename(block.entry(), to, data),
                () -> block.is(Stage.RENAMING),
                answer -> renamed(block, to, data, answer.item()),
                failure -> {
                    if (failure.mayHaveTakenEffect()) {
                        block.markRenamed();
                    }
                    parts.hold.left(block, null);
                },
                () -> {});
    }

    private void renamed(Block block, Entry to, @Nullable LockData data, LockItem item) {
        Entry first = item.first();
        if (block.is(Stage.RENAMING) && first != null) {
            if (first.block().equals(to.block())) {
                parts.undo(block);
                block.isRenamed(item.tail(), parts.outlook.next());
                parts.hold.begins();
            } else if (first.block().equals(block.id())) {
                // It had grown meanwhile.
                block.showsAs(first);
                rename(block, to, data);
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
                answer -> {});
    }
}
