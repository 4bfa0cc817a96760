package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;

/** The rows that the waiting blocks of one lock have in the table: written, kept, and not left behind. Lives on the event loop. */
final class WaiterRows {

    private final KeyQueue queue;
    private final EngineContext context;
    private int failures;

    WaiterRows(KeyQueue queue, EngineContext context) {
        this.queue = queue;
        this.context = context;
    }

    /** Writes the block's row, again and again as long as somebody in it waits. */
    void enter(Block block, Runnable entered) {
        block.to(Stage.ENTERING);
        block.rowWritten(true);
        context.calls.send(
                "enter",
                () -> context.store.enter(queue.key(), block.row(context.time.now())),
                done -> {
                    entered.run();
                    if (!block.is(Stage.ENTERING)) {
                        // Overtaken by a hand-over or by its last caller's leaving: its row may have landed after its
                        // deletion.
                        context.undo.deleteRow(queue.key(), block.first(), block.rowId());
                        return;
                    }
                    failures = 0;
                    queue.recovered();
                    block.to(Stage.QUEUED);
                    block.enteredAt(context.time.nanos());
                    if (block.hasCallers()) {
                        queue.hurry(block);
                    } else {
                        queue.leave(block);
                    }
                },
                failure -> {
                    if (block.is(Stage.ENTERING)) {
                        notEntered(block, failure, entered);
                    } else {
                        entered.run();
                        context.undo.deleteRow(queue.key(), block.first(), block.rowId());
                    }
                });
    }

    private void notEntered(Block block, StoreFailure failure, Runnable entered) {
        queue.failed(failure);
        if (failure.kind() == StoreFailure.Kind.REFUSED) {
            entered.run();
            queue.refused(failure);
            return;
        }
        context.loop.schedule(
                () -> {
                    if (!block.is(Stage.ENTERING)) {
                        entered.run();
                    } else if (block.hasCallers()) {
                        enter(block, entered);
                    } else {
                        entered.run();
                        block.to(Stage.QUEUED);
                        queue.leave(block);
                    }
                },
                context.backoff.delay(++failures));
    }

    /** Long before the table's TTL would take the row of a block that waits for days. */
    void refresh(Block block) {
        Duration half = context.settings.retention().dividedBy(2);
        if (context.since(block.enteredAt()).compareTo(half) >= 0) {
            block.enteredAt(context.time.nanos());
            Instant now = context.time.now();
            context.calls.send(
                    "refresh row",
                    () -> context.store.enter(queue.key(), block.row(now)),
                    done -> {
                        if (block.is(Stage.GONE)) {
                            context.undo.deleteRow(queue.key(), block.first(), block.rowId());
                        }
                    },
                    failure -> {});
        }
    }

    /** Deletes the block's row if it may have one. */
    void delete(Block block) {
        if (block.hasRow()) {
            context.undo.deleteRow(queue.key(), block.first(), block.rowId());
            block.rowWritten(false);
        }
    }
}
