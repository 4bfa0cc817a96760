package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.SessionEdit;
import io.dynamolock.internal.protocol.SessionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InspectionsTest {

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();

    @Test
    void showsTheQueueTheLivingSessionsAndThoseThatCannotBeRead() {
        bench.grant(process);
        List<LockEngine> others =
                List.of(bench.processWithSession(), bench.processWithSession(), bench.processWithSession());
        for (LockEngine other : others) {
            bench.acquire(other);
        }
        List<SessionId> ids = bench.table.lock(Bench.KEY).queue().stream()
                .map(entry -> entry.session())
                .toList();
        bench.machineOf(others.get(1)).loop.die();
        bench.table.edit(ids.get(2), new SessionEdit.End(), bench.time.now());
        bench.network.hide(ids.get(3));

        CompletableFuture<Inspection> inspection = process.inspect(Bench.KEY);
        CompletableFuture<InspectionPage> page = process.list(Bench.KEY.key(), null);
        bench.advanceMillis(30);

        assertThat(inspection.getNow(null).lock().queue()).hasSize(4);
        assertThat(inspection.getNow(null).sessions().keySet()).containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(inspection.getNow(null).unreadable()).containsExactly(ids.get(3));
        assertThat(page.getNow(null).locks()).containsEntry(Bench.KEY, inspection.getNow(null));
    }

    @Test
    void aLockThatNobodyWantsTakesOneRead() {
        CompletableFuture<Inspection> inspection = bench.processWithSession().inspect(Bench.KEY);
        bench.table.removeLock(Bench.KEY);
        bench.advanceMillis(12);

        assertThat(inspection.getNow(null).lock()).isEqualTo(LockItem.ABSENT);
        assertThat(bench.network.reads()).isOne();
        assertThat(bench.network.sessionReads()).isZero();
    }
}
