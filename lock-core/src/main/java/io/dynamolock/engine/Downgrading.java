package io.dynamolock.engine;

import io.dynamolock.engine.Block.Stage;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * How a writer goes on as a reader: its block, in which it stands alone, gets a new number and is shared from then on, so
 * the readers behind it hold the lock by the same write. Lives on the event loop.
 */
final class Downgrading {

    private final KeyParts parts;

    Downgrading(KeyParts parts) {
        this.parts = parts;
    }

    /** Completes with the grant by which the owner goes on, or with none if it has the lock no more. */
    void begin(GrantedLock grant, CompletableFuture<Optional<Grant>> result) {
        Block block = parts.line.holding();
        // What is released may be kept for its shortest hold, and no reader may share it then.
        if (grant.isOver()
                || block == null
                || !block.is(Stage.HOLDING)
                || !grant.block().equals(block.id())) {
            result.complete(Optional.empty());
        } else {
            rename(block, block.rename(Kind.READ), grant, result);
        }
    }

    private void rename(Block block, Entry to, GrantedLock grant, CompletableFuture<Optional<Grant>> result) {
        parts.calls.take(
                "downgrade",
                () -> new Step.Rename(block.entry(), to),
                () -> block.is(Stage.RENAMING),
                answer -> renamed(block, to, grant, answer.item(), result),
                failure -> {},
                () -> result.complete(Optional.empty()));
    }

    private void renamed(
            Block block, Entry to, GrantedLock grant, LockItem item, CompletableFuture<Optional<Grant>> result) {
        if (!block.is(Stage.RENAMING)) {
            result.complete(Optional.empty());
        } else if (item.indexOf(to.block()) >= 0) {
            block.isRenamed(item.tail(), parts.outlook.next());
            result.complete(handOver(block, grant));
        } else {
            // An answer that shows neither has taken the block away.
            rename(block, to, grant, result);
        }
    }

    private Optional<Grant> handOver(Block block, GrantedLock grant) {
        KeyQueue readers = parts.group.queue(Kind.READ);
        Block goesOn = block.asReader();
        GrantedLock next = grant.goesOn(readers, goesOn.id());
        if (next == null) {
            // It was released or lost meanwhile, and its block is let go under the new number.
            readers.goOn();
            return Optional.empty();
        }
        if (parts.hold instanceof SharedHold many) {
            many.passesOn(grant);
        }
        parts.line.remove(block);
        readers.adopt(goesOn, next);
        return Optional.of(next);
    }
}
