package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldLongWatchTest {

    private static final SessionId SESSION = Workbench.sessionId(1);
    private static final Duration LEASE = Workbench.SETTINGS.lease();

    private final Workbench bench = new Workbench();
    private final List<SessionId> dead = new ArrayList<>();
    private final HeldLongWatch watch = new HeldLongWatch(bench.context(), dead::add);

    @BeforeEach
    void aLivingHolder() {
        bench.table.createSession(SESSION, LEASE, "owner", bench.clock.now());
    }

    @Test
    void asksTheHoldersProcessWhenTheSameBlockWasSeenForALease() {
        seen(1);
        bench.time.advance(LEASE.minusNanos(1));
        seen(1);
        assertThat(disputes()).isZero();

        bench.time.advance(Duration.ofNanos(1));
        seen(1);

        assertThat(bench.table.disputes(SESSION)).containsExactly(new Dispute(KEY, block(1)));
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
        bench.table.endSession(SESSION);
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
        bench.faults.next(StoreOperation.DISPUTE, Fault.THROTTLED);
        bench.time.advance(LEASE);
        seen(1);
        bench.time.settle();

        assertThat(dead).isEmpty();
    }

    @Test
    void remembersTheFourThousandLocksSeenLast() {
        seen(1);
        for (int i = 0; i < 4_095; i++) {
            watch.seen(new LockKey("key-" + i, "default"), holder(1));
        }
        seen(1);
        watch.seen(new LockKey("one more", "default"), holder(1));
        bench.time.advance(LEASE);

        seen(1);
        assertThat(disputes()).isOne();
        watch.seen(new LockKey("key-0", "default"), holder(1));
        assertThat(disputes()).as("forgotten for the one more").isOne();
        watch.seen(new LockKey("key-2", "default"), holder(1));
        assertThat(disputes()).isEqualTo(2);
    }

    private void seen(long block) {
        watch.seen(KEY, holder(block));
    }

    private Holder holder(long block) {
        return new Holder(new Claimant(SESSION, block(block), "owner"), bench.clock.now());
    }

    private static BlockId block(long number) {
        return new BlockId(new UUID(1, number));
    }

    private int disputes() {
        return bench.store.count(StoreOperation.DISPUTE);
    }
}
