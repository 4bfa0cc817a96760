package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldLongWatchTest {

    private static final SessionId SESSION = Workbench.sessionId(1);
    private static final SessionId OTHER = Workbench.sessionId(2);
    private static final Duration LEASE = Workbench.SETTINGS.lease();

    private final Workbench bench = new Workbench();
    private final List<SessionId> dead = new ArrayList<>();
    private final HeldLongWatch watch = new HeldLongWatch(bench.context(), dead::add);

    @BeforeEach
    void aLivingHolder() {
        bench.begin(SESSION, LEASE);
    }

    @Test
    void asksTheHoldersProcessWhenTheSameBlockWasSeenForALease() {
        seen(1);
        bench.time.advance(LEASE.minusNanos(1));
        seen(1);
        assertThat(disputes()).isZero();

        bench.time.advance(Duration.ofNanos(1));
        seen(1);

        assertThat(bench.disputes(SESSION)).containsExactly(new Dispute(KEY, block(1)));
    }

    @Test
    void asksAgainAfterEachFurtherLeaseOnly() {
        seen(1);
        bench.time.advance(LEASE);
        seen(1);
        seen(1);
        bench.time.advance(LEASE.minusNanos(1));
        seen(1);
        assertThat(disputes()).isOne();

        bench.time.advance(Duration.ofNanos(1));
        seen(1);
        assertThat(disputes()).isEqualTo(2);
    }

    @Test
    void anotherBlockHasALeaseOfItsOwn() {
        seen(1);
        bench.time.advance(LEASE.dividedBy(2));
        seen(2);
        bench.time.advance(LEASE.dividedBy(2));
        seen(2);

        assertThat(disputes()).isZero();
    }

    @Test
    void aSessionThatIsGoneIsDead() {
        bench.end(SESSION);
        seen(1);
        bench.time.advance(LEASE);
        seen(1);
        bench.time.settle();

        assertThat(dead).containsExactly(SESSION);
    }

    @Test
    void aSessionThatAnswersOrDoesNotIsNotDead() {
        seen(1);
        bench.time.advance(LEASE);
        seen(1);
        bench.faults.next(StoreOperation.RAISE_DISPUTE, Fault.THROTTLED);
        bench.time.advance(LEASE);
        seen(1);
        bench.time.settle();

        assertThat(dead).isEmpty();
    }

    @Test
    void aSessionThatCarriesAsManyDisputesAsItMayIsNotDead() {
        for (int i = 1; i <= SessionStep.Raise.MOST; i++) {
            bench.table.take(SESSION, new SessionStep.Raise(new Dispute(KEY, block(i + 1))), bench.time.now());
        }
        seen(1);
        bench.time.advance(LEASE);
        seen(1);
        bench.time.settle();

        assertThat(disputes()).isOne();
        assertThat(bench.disputes(SESSION)).doesNotContain(new Dispute(KEY, block(1)));
        assertThat(dead).isEmpty();
    }

    @Test
    void remembersTheFourThousandLocksSeenLast() {
        seen(1);
        for (int i = 0; i < 4_095; i++) {
            seen(new LockKey("key-" + i, "default"), 1);
        }
        seen(1);
        seen(new LockKey("one more", "default"), 1);
        bench.time.advance(LEASE);

        seen(1);
        assertThat(disputes()).isOne();
        seen(new LockKey("key-0", "default"), 1);
        assertThat(disputes()).as("forgotten for the one more").isOne();
        seen(new LockKey("key-2", "default"), 1);
        assertThat(disputes()).isEqualTo(2);
    }

    @Test
    void processesWithBlocksThatAreNotFirstAreAskedInTurnOnceALeaseEach() {
        bench.begin(OTHER, LEASE.multipliedBy(5));
        bench.begin(SESSION, LEASE.multipliedBy(5));
        List<BlockId> blocks =
                List.of(block(1), block(2), Workbench.block(OTHER, 1), block(3), Workbench.block(OTHER, 2));
        inTheWay(blocks);
        for (int lease = 0; lease < 4; lease++) {
            bench.time.advance(LEASE);
            inTheWay(blocks);
            inTheWay(blocks);
            bench.time.settle();
            inTheWay(blocks);
        }

        assertThat(disputes()).isEqualTo(4);
        assertThat(bench.disputes(SESSION)).containsExactly(new Dispute(KEY, block(1)));
        assertThat(bench.disputes(OTHER)).containsExactly(new Dispute(KEY, Workbench.block(OTHER, 1)));
    }

    @Test
    void aProcessWhoseBlocksHaveGoneLosesItsTurn() {
        bench.begin(OTHER, LEASE.multipliedBy(5));
        inTheWay(List.of(block(1), Workbench.block(OTHER, 1)));
        bench.time.advance(LEASE);
        inTheWay(List.of(Workbench.block(OTHER, 1)));
        assertThat(disputes()).isZero();

        bench.time.advance(LEASE);
        inTheWay(List.of(Workbench.block(OTHER, 1)));
        bench.time.settle();

        assertThat(bench.disputes(OTHER)).containsExactly(new Dispute(KEY, Workbench.block(OTHER, 1)));
    }

    private void inTheWay(List<BlockId> blocks) {
        List<Entry> entries = blocks.stream().map(block -> new Entry(block, 1)).toList();
        bench.run(() -> watch.inTheWay(KEY, Kind.PERMIT, entries));
    }

    private void seen(long block) {
        seen(KEY, block);
    }

    private void seen(LockKey key, long block) {
        bench.run(() -> watch.seen(key, new Entry(block(block), 3)));
    }

    private static BlockId block(long number) {
        return Workbench.block(SESSION, number);
    }

    private int disputes() {
        return bench.store.count(StoreOperation.RAISE_DISPUTE);
    }
}
