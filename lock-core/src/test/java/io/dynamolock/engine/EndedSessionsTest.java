package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class EndedSessionsTest {

    private final Workbench bench = new Workbench();
    private final List<SessionId> dead = new ArrayList<>();
    private final EndedSessions ended = new EndedSessions(bench.context(), dead::add);

    @Test
    void deletesUntilEachIsKnownToBeGone() {
        List<SessionId> ids = create(3);
        bench.faults.next(StoreOperation.END_SESSION, Fault.THROTTLED);

        bench.run(() -> ids.forEach(ended::end));
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(dead).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(bench.store.count(StoreOperation.END_SESSION)).isEqualTo(4);
    }

    @Test
    void aSessionThatAnotherProcessBuriedIsKnownToBeDeadWithoutACall() {
        bench.run(() -> ended.knownDead(Workbench.sessionId(1)));

        assertThat(dead).containsExactly(Workbench.sessionId(1));
        assertThat(bench.store.total()).isZero();
    }

    @Test
    void leavesTheLastToTheTablesTtlWhenTooManyGather() {
        List<SessionId> ids = create(66);
        bench.faults.always(StoreOperation.END_SESSION, Fault.STALLS);
        bench.run(() -> ids.forEach(ended::end));

        bench.faults.heal();
        bench.faults.resume();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(dead).containsExactlyInAnyOrderElementsOf(ids.subList(0, 64));
        assertThat(bench.table.sessionIds()).containsExactlyInAnyOrderElementsOf(ids.subList(64, 66));
        bench.run(() -> ended.end(ids.get(65)));
        bench.time.settle();
        assertThat(bench.table.sessionIds()).as("there is room again").containsExactly(ids.get(64));
    }

    private List<SessionId> create(int sessions) {
        List<SessionId> ids =
                LongStream.range(0, sessions).mapToObj(Workbench::sessionId).toList();
        ids.forEach(id -> bench.begin(id, Workbench.SETTINGS.lease()));
        return ids;
    }
}
