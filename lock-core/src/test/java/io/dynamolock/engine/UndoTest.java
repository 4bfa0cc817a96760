package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.WaiterRow;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UndoTest {

    private static final BlockId BLOCK = new BlockId(new UUID(0, 1));
    private static final Claimant CLAIMANT = new Claimant(Workbench.sessionId(1), BLOCK, "owner");

    private final Workbench bench = new Workbench();
    private final Undo undo = new Undo(bench.store, bench.context().calls, bench.clock);
    private final List<String> done = new ArrayList<>();

    @Test
    void takesTheLockFromTheBlockHoweverOftenTheStoreFails() {
        bench.table.tryAcquire(KEY, CLAIMANT, 1, bench.clock.now());
        bench.faults.next(StoreOperation.RELEASE, Fault.THROTTLED, 3);

        undo.release(KEY, BLOCK, () -> done.add("released"));
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.lockState(KEY).holder()).isNull();
        assertThat(done).containsExactly("released");
    }

    @Test
    void deletesTheBlocksRow() {
        bench.table.enter(KEY, new WaiterRow(5, 6, CLAIMANT, bench.clock.now()));

        undo.deleteRow(KEY, 5, BLOCK);

        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void isDoneWhenEverythingIsUndone() {
        bench.faults.next(StoreOperation.RELEASE, Fault.THROTTLED);
        undo.release(KEY, BLOCK, () -> {});
        undo.deleteRow(KEY, 5, BLOCK);

        undo.whenDone(() -> done.add("all"));
        bench.time.settle();
        assertThat(done).isEmpty();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(done).containsExactly("all");

        undo.deleteRow(KEY, 5, BLOCK);
        bench.time.settle();
        assertThat(done).as("told once").containsExactly("all");
    }

    @Test
    void isDoneAtOnceIfThereIsNothingToUndo() {
        undo.whenDone(() -> done.add("all"));

        assertThat(done).containsExactly("all");
    }

    @Test
    void beginsNoMoreThanFourThousandAtATime() {
        bench.faults.always(StoreOperation.RELEASE, Fault.THROTTLED);
        for (int i = 0; i < 4_097; i++) {
            undo.release(KEY, BLOCK, () -> done.add("undone"));
        }
        bench.faults.heal();
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(done).hasSize(4_096);
    }
}
