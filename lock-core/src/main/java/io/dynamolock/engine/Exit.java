package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.StoreFailure;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** How blocks get out of a lock's queue, and the one that holds the lock gets a new number. Lives on the event loop. */
final class Exit {

    /** A block on its way out. */
    private static final class Leaving {

        private final Block block;
        private final boolean held;
        private boolean mayHaveLanded;
        private int failures;

        Leaving(Block block, boolean held) {
            this.block = block;
            this.held = held;
        }
    }

    private final EngineParts parts;
    private final EngineContext context;
    private final KeyCalls calls;
    private final Outlook outlook;
    private final Hold hold;
    private final Line line;
    private boolean clearing;
    private int failedClears;

    Exit(EngineParts parts, KeyCalls calls, Outlook outlook, Hold hold, Line line) {
        this.parts = parts;
        this.context = parts.context();
        this.calls = calls;
        this.outlook = outlook;
        this.hold = hold;
        this.line = line;
    }

    /** Releases the lock, or gives up a place. */
    void leave(Block block) {
        Leaving leaving = new Leaving(block, block.is(Stage.HOLDING));
        block.to(leaving.held ? Stage.HOLDING : Stage.WAITING, Stage.LEAVING);
        if (leaving.held) {
            hold.leaves(block);
        }
        send(leaving);
    }

    private void send(Leaving leaving) {
        Block block = leaving.block;
        int index = Math.max(0, outlook.item().indexOf(block.id()));
        calls.take(
                leaving.held ? "release" : "leave",
                Step.Leave.of(index, block.entry()),
                () -> block.is(Stage.LEAVING),
                answer -> left(leaving, answer),
                failure -> notLeft(leaving, failure),
                () -> {});
    }

    private void left(Leaving leaving, Answer<LockItem> answer) {
        Block block = leaving.block;
        if (!block.is(Stage.LEAVING)) {
            return;
        }
        int index = answer.item().indexOf(block.id());
        if (index >= 0) {
            // Blocks ahead have gone, or the block had grown.
            block.showsAs(answer.item().queue().get(index));
            send(leaving);
            return;
        }
        line.remove(block);
        if (block.mayHaveLanded()) {
            // An ask of it may still come, and find that its entry is gone.
            parts.strays().remove(calls.key(), block.id(), true);
        }
        if (leaving.held) {
            boolean wasTaken = !answer.isApplied() && !leaving.mayHaveLanded;
            hold.left(block, wasTaken ? LossReason.TAKEN_AWAY : null);
        }
    }

    private void notLeft(Leaving leaving, StoreFailure failure) {
        leaving.mayHaveLanded |= failure.mayHaveTakenEffect();
        if (leaving.held) {
            hold.left(leaving.block, null);
        }
        int failures = ++leaving.failures;
        calls.later(
                () -> {
                    if (leaving.block.is(Stage.LEAVING)) {
                        send(leaving);
                    }
                },
                leaving.held ? context.backoff.urgentDelay(failures, failure) : context.backoff.delay(failures));
    }

    // Others that are gone

    /** Whether nobody will ever ask for the lock by this entry. */
    boolean isAbandoned(Entry entry) {
        boolean isStray = parts.keeper().isOwn(entry.session()) && !line.knows(entry.block());
        return isStray || parts.peers().isDead(entry.session());
    }

    /** Takes out the first so many, all of them abandoned; as many as one write may. */
    void clear(int count) {
        if (clearing) {
            return;
        }
        clearing = true;
        List<Entry> queue = outlook.item().queue();
        NavigableMap<Integer, Entry> abandoned = new TreeMap<>();
        for (int i = 0; i < Math.min(count, Step.Leave.MOST); i++) {
            abandoned.put(i, queue.get(i));
        }
        calls.take(
                "clear",
                new Step.Leave(abandoned),
                () -> true,
                answer -> {
                    clearing = false;
                    failedClears = 0;
                },
                failure -> calls.later(() -> clearing = false, context.backoff.delay(++failedClears)),
                () -> clearing = false);
    }

    // The block that holds the lock

    /** The rest of the block goes on under a new number. */
    void rename(Block block) {
        rename(block, block.rename(), 0);
    }

    private void rename(Block block, Entry to, int failures) {
        if (block.is(Stage.RENAMING)) {
            calls.take(
                    "rename",
                    new Step.Rename(block.entry(), to),
                    () -> block.is(Stage.RENAMING),
                    answer -> renamed(block, to, answer.item()),
                    failure -> calls.later(() -> rename(block, to, failures + 1), context.backoff.delay(failures + 1)),
                    () -> {});
        }
    }

    private void renamed(Block block, Entry to, LockItem item) {
        Entry first = item.first();
        if (block.is(Stage.RENAMING) && first != null) {
            if (first.block().equals(to.block())) {
                block.isRenamed(item.tail(), outlook.next());
                hold.begins();
            } else {
                // It had grown meanwhile.
                block.showsAs(first);
                rename(block, to, 0);
            }
        }
    }

    /** Writes the entry as it is, so that the table's TTL does not take the item of a lock that is held for days. */
    void keep(Block block) {
        keep(block, 0);
    }

    private void keep(Block block, int failures) {
        if (block.is(Stage.HOLDING)) {
            calls.take(
                    "keep item",
                    new Step.Rename(block.entry(), block.entry()),
                    () -> block.is(Stage.HOLDING),
                    answer -> {},
                    failure -> calls.later(() -> keep(block, failures + 1), context.backoff.delay(failures + 1)),
                    () -> {});
        }
    }
}
