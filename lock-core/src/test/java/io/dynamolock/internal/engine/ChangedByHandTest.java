package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A change by hand or an exception harms only the lock that it concerns, and those who use that lock are told. */
class ChangedByHandTest {

    private static final LockKey ELECTION = new LockKey("boss", LockKey.ELECTIONS);

    private final Bench bench = new Bench();

    @Test
    void aLeaderHearsWithinALeaseThatItsLockIsRemovedForOneReadPerLease() {
        Grant leader = bench.granted(bench.processThatHasUsedTheLock().acquire(exclusive(ELECTION)));
        bench.network.resetCounts();
        bench.advanceMillis(Bench.LEASE.toMillis() * 3 + 1_000);
        assertThat(bench.network.reads()).isEqualTo(3);
        assertThat(bench.network.consistentReads() + bench.network.writes()).isZero();
        assertThat(leader.isValid()).isTrue();

        bench.table.removeLock(ELECTION);
        bench.advanceMillis(Bench.LEASE.toMillis());

        assertThat(leader.loss()).contains(LossReason.TAKEN_AWAY);
    }

    @Test
    void tokensRiseAfterTheRemovalOfAnItemThatOnlyAnInspectionHasShown() {
        LockKey key = new LockKey("other", "default");
        long ahead = ChronoUnit.MICROS.between(Instant.EPOCH, bench.time.now()) + TimeUnit.DAYS.toMicros(1);
        Edit permits = new Edit(new TreeMap<>(), null, List.of(), 0, 0, false, null, 3, ahead);
        bench.table.edit(key, permits, bench.time.now());
        LockEngine process = bench.processThatHasUsedTheLock();
        process.inspect(key);
        bench.advanceMillis(100);
        bench.table.removeLock(key);

        assertThat(bench.granted(process.acquire(exclusive(key))).ticket()).isGreaterThan(ahead);
    }

    @Test
    void aReleaseWhoseAnswerIsLostStillSucceeds() {
        Grant grant = bench.grant(bench.processThatHasUsedTheLock());

        CompletableFuture<Boolean> released = grant.release(null);
        bench.advanceMillis(4);
        bench.network.always(Network.Fate.SILENT);
        bench.advanceMillis(5_000);

        assertThat(bench.queue()).isEmpty();
        assertThat(released).isCompletedWithValue(true);
    }

    @Test
    void anExceptionInAStepFailsOnlyTheLockOfThatStep() {
        LockEngine process = bench.process(new NoOpEngineListener() {
            @Override
            public void queued(AcquireSpec spec, long ticket, long ahead) {
                throw new IllegalStateException("odd");
            }
        });
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockKey other = new LockKey("other", "default");
        Grant onOtherKey = bench.granted(process.acquire(exclusive(other)));

        Acquisition fails = bench.acquire(process);

        assertThat(fails.outcome().join())
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.UNREADABLE));
        assertThat(onOtherKey.isValid()).isTrue();
        bench.release(onOtherKey);
        assertThat(bench.table.lock(other).queue()).isEmpty();
        bench.release(held);
    }

    private static AcquireSpec exclusive(LockKey key) {
        return Specs.exclusive(key).waiting(Duration.ofMinutes(1)).spec();
    }
}
