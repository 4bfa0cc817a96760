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
    private final LockEngine process = bench.begun();

    @Test
    void showsTheQueueTheLivingSessionsAndThoseThatCannotBeRead() {
        bench.grant(process);
        List<LockEngine> others = List.of(bench.begunBeside(), bench.begunBeside(), bench.begunBeside());
        for (LockEngine other : others) {
            bench.acquire(other);
        }
        List<SessionId> ids = bench.table.lock(Bench.KEY).queue().stream()
                .map(entry -> entry.session())
                .toList();
        bench.of(others.get(1)).loop.die();
        bench.table.edit(ids.get(2), new SessionEdit.End(), bench.time.now());
        bench.unreadable.add(ids.get(3));

        CompletableFuture<Inspection> inspection = process.inspect(Bench.KEY);
        CompletableFuture<InspectionPage> page = process.list(Bench.KEY.key(), null);
        bench.advance(30);

        assertThat(inspection.getNow(null).lock().queue()).hasSize(4);
        assertThat(inspection.getNow(null).sessions().keySet()).containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(inspection.getNow(null).unreadable()).containsExactly(ids.get(3));
        assertThat(page.getNow(null).locks()).containsEntry(Bench.KEY, inspection.getNow(null));
    }

    @Test
    void anAbsentLockTakesOneRead() {
        CompletableFuture<Inspection> inspection = bench.begunBeside().inspect(Bench.KEY);
        bench.table.removeLock(Bench.KEY);
        bench.advance(12);

        assertThat(inspection.getNow(null).lock()).isEqualTo(LockItem.ABSENT);
        assertThat(bench.reads).isOne();
        assertThat(bench.sessionReads).isZero();
    }
}
