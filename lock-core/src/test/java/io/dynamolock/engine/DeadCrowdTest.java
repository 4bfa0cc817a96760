package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Many processes have died at once: those behind them are served, in good time and at a bearable price. */
class DeadCrowdTest {

    private static final Duration LEASE = Workbench.SETTINGS.lease();
    private static final Duration FEW_SECONDS = Duration.ofSeconds(4);

    private final Workbench bench = new Workbench();
    private LockEngine engine = bench.engine();

    @Test
    void asManyAsALookShowsCostOneLease() {
        silent(7);

        assertThat(timeUntilGranted()).isLessThan(LEASE.plus(FEW_SECONDS));
    }

    @Test
    void oneMoreCostsNoMore() {
        silent(8);

        assertThat(timeUntilGranted()).isLessThan(LEASE.plus(FEW_SECONDS));
    }

    @Test
    void upToAHundredCostTwoLeases() {
        engine = bench.engine(
                new Workbench.Settings().maxClockSkew(Duration.ZERO).build());
        silent(99);

        assertThat(timeUntilGranted()).isLessThan(LEASE.multipliedBy(2).plus(FEW_SECONDS.multipliedBy(2)));
    }

    @Test
    void aLongLeaseCostsHardlyMoreThanItself() {
        Duration lease = Duration.ofMinutes(10);
        engine = bench.engine(new Workbench.Settings()
                .lease(lease)
                .maxClockSkew(Duration.ZERO)
                .build());
        bench.leaseOfStrangers(lease);
        silent(8);

        assertThat(timeUntilGranted()).isLessThan(lease.plus(FEW_SECONDS));
    }

    @Test
    void burialsThatAreThrottledAreRepeatedSoon() {
        silent(8);
        bench.faults.next(StoreOperation.BURY, Fault.THROTTLED, 27);

        assertThat(timeUntilGranted()).isLessThan(LEASE.plus(FEW_SECONDS.multipliedBy(2)));
    }

    @Test
    void whoWaitsNowAndThenForAMomentFindsThemToo() {
        silent(8);

        boolean granted = false;
        for (int attempt = 0; attempt < 6 && !granted; attempt++) {
            Acquisition waiting = acquire(FEW_SECONDS);
            bench.time.advance(Duration.ofSeconds(10));
            granted = Cluster.isGranted(waiting);
        }

        assertThat(granted).isTrue();
    }

    @Test
    void whoseLooksAreSlowFindsThemToo() {
        silent(8);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.faults.always(StoreOperation.LOOK, Fault.SLOW_ANSWER);

        for (int look = 0; look < 20; look++) {
            bench.time.advance(Duration.ofMillis(4_500));
            bench.faults.resume();
            bench.time.settle();
        }

        assertThat(waiting).matches(Cluster::isGranted);
    }

    // What they left behind

    @Test
    void oneWhoDoesNotWaitIsServedThoughTheirRowsCannotBeDeleted() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        dead(9);
        holder.releases();
        bench.faults.always(StoreOperation.DELETE_ROW, Fault.THROTTLED);

        Acquisition atOnce = acquire(Duration.ZERO);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(atOnce).matches(Cluster::isGranted);
    }

    @Test
    void oneWhoDoesNotWaitGivesUpIfMoreIsInTheWayThanALookCanShow() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        dead(101);
        holder.releases();
        bench.faults.always(StoreOperation.DELETE_ROW, Fault.THROTTLED);

        Acquisition atOnce = acquire(Duration.ZERO);
        bench.time.advance(Duration.ofSeconds(10));

        assertThat(atOnce).matches(Cluster::isTimedOut);
    }

    @Test
    void aRowThatCannotBeDeletedIsDeletedOnceAtATime() {
        bench.stranger(1).holds();
        dead(9);
        bench.faults.always(StoreOperation.DELETE_ROW, Fault.STALLS);

        acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofMillis(1_500));

        assertThat(bench.store.count(StoreOperation.DELETE_ROW)).isLessThanOrEqualTo(9);
    }

    // What watching costs

    @Test
    void onlyTheNextInLineReadsAtOnce() {
        bench.stranger(1).holds();
        silentRows(4);

        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(bench.store.count(StoreOperation.READ_SESSION)).isZero();
        bench.time.advance(Duration.ofMillis(1_500));

        assertThat(bench.store.count(StoreOperation.READ_SESSION)).isEqualTo(5);
    }

    /** A dead holder and so many dead waiters behind it, of whom nobody knows yet. */
    private void silent(int waiters) {
        bench.stranger(1).holds();
        silentRows(waiters);
    }

    private void silentRows(int count) {
        for (int i = 0; i < count; i++) {
            bench.stranger(2 + i).queues(1);
        }
    }

    /** Rows whose sessions are gone. */
    private void dead(int count) {
        for (int i = 0; i < count; i++) {
            bench.stranger(2 + i).queues(1).dies();
        }
    }

    private Acquisition acquire(Duration wait) {
        // The session is there, so that only what happens on this key is counted.
        engine.acquire(new AcquireSpec(new LockKey("another", "default"), "test", AcquireSpec.FOREVER, null, null))
                .abandon();
        bench.time.settle();
        bench.store.reset();
        return engine.acquire(new AcquireSpec(KEY, "test", wait, null, null));
    }

    private Duration timeUntilGranted() {
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        long start = bench.time.nanos();
        assertThat(bench.time.advanceUntil(() -> Cluster.isGranted(waiting), Duration.ofMinutes(30)))
                .isTrue();
        return Duration.ofNanos(bench.time.nanos() - start);
    }
}
