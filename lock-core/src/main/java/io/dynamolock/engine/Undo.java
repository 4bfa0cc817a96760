package io.dynamolock.engine;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.LockStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back, in the background and until the store has answered, what an abandoned write may have done. Every
 * step names the block, so that it can hurt nobody else. Lives on the event loop.
 */
final class Undo {

    private record Row(LockKey key, long first, BlockId block) {}

    private static final Logger log = LoggerFactory.getLogger(Undo.class);

    /** What is not begun for lack of room is found by disputes and evictions. */
    private static final int MAX_PENDING = 4096;

    private final LockStore store;
    private final StoreCalls calls;
    private final TimeSource time;
    private final List<Runnable> whenDone = new ArrayList<>(1);
    private final Set<Row> deleting = new HashSet<>();
    private int pending;

    Undo(LockStore store, StoreCalls calls, TimeSource time) {
        this.store = store;
        this.calls = calls;
        this.time = time;
    }

    /** Whether there is room for steps that others need not be left without. */
    boolean hasRoom() {
        return pending < MAX_PENDING / 2;
    }

    /** Makes sure that the block does not hold the lock. */
    void release(LockKey key, BlockId block, Runnable done) {
        persist("undo: release", () -> store.release(key, block, time.now()), done);
    }

    /** Makes sure that the block has no row. */
    void deleteRow(LockKey key, long first, BlockId block) {
        delete(new Row(key, first, block), () -> {});
    }

    /** Deletes a row that nobody needs. It is seen at every look until it is gone; once is enough. */
    void deleteGarbage(LockKey key, long first, BlockId block) {
        Row row = new Row(key, first, block);
        if (pending < MAX_PENDING && deleting.add(row)) {
            delete(row, () -> deleting.remove(row));
        }
    }

    private void delete(Row row, Runnable done) {
        persist("delete row", () -> store.deleteRow(row.key(), row.first(), row.block()), done);
    }

    /** Runs the step when nothing is left to undo. */
    void whenDone(Runnable step) {
        whenDone.add(step);
        runWhenDone();
    }

    private void runWhenDone() {
        if (pending == 0) {
            List<Runnable> steps = List.copyOf(whenDone);
            whenDone.clear();
            steps.forEach(Runnable::run);
        }
    }

    private <T> void persist(String operation, Supplier<CompletionStage<T>> sending, Runnable done) {
        if (pending >= MAX_PENDING) {
            log.warn("Too much to undo at once; '{}' is left to the other processes", operation);
            return;
        }
        pending++;
        calls.persist(
                operation,
                sending,
                () -> true,
                answer -> {
                    pending--;
                    done.run();
                    runWhenDone();
                },
                () -> {});
    }
}
