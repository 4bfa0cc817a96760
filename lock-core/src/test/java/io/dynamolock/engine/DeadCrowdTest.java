package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many processes have died at once: those behind them are served, in good time and at a bearable price. */
class DeadCrowdTest {

    private static final Duration LEASE = EngineBench.SETTINGS.lease();
    private static final Duration FEW_SECONDS = Duration.ofSeconds(4);

    private EngineBench bench = EngineBench.started();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 100, 150})
    void howeverManyAreSilentTheyCostAtMostTwoLeases(int processes) {
        bench = EngineBench.started(settings(LEASE));
        silent(processes, LEASE);

        assertThat(timeUntilGranted()).isLessThan(LEASE.multipliedBy(2).plus(FEW_SECONDS));
    }

    @Test
    void theDeadHolderAloneCostsOneLease() {
        bench = EngineBench.started(settings(LEASE));
        silent(1, LEASE);

        assertThat(timeUntilGranted()).isLessThan(LEASE.plusSeconds(2));
    }

    @Test
    void aLongLeaseCostsHardlyMoreThanItself() {
        Duration lease = Duration.ofMinutes(10);
        bench = EngineBench.started(settings(lease));
        silent(1, lease);

        assertThat(timeUntilGranted()).isLessThan(lease.plus(FEW_SECONDS.multipliedBy(2)));
    }

    @Test
    void burialsThatAreThrottledAreRepeatedSoon() {
        silent(8, LEASE);
        bench.faults.next(StoreOperation.BURY, Fault.THROTTLED, 27);

        assertThat(timeUntilGranted()).isLessThan(LEASE.multipliedBy(2).plus(FEW_SECONDS.multipliedBy(2)));
    }

    @Test
    void callersThatWaitNowAndThenForAMomentFindThemToo() {
        silent(8, LEASE);

        boolean granted = false;
        for (int attempt = 0; attempt < 8 && !granted; attempt++) {
            Acquisition waiting = bench.acquire(FEW_SECONDS);
            bench.time.advance(Duration.ofSeconds(10));
            granted = Cluster.isGranted(waiting);
        }

        assertThat(granted).isTrue();
    }

    @Test
    void aProcessWhoseLooksAreSlowFindsThemToo() {
        silent(8, LEASE);
        Acquisition waiting = bench.acquire();
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
    void manyOfTheDeadAreClearedAwayInOneWrite() {
        dead(50);
        Acquisition waiting = bench.acquire();
        bench.time.advance(FEW_SECONDS);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.count(StoreOperation.LEAVE)).isOne();
    }

    @Test
    void moreOfTheDeadThanOneWriteMayClearAreClearedInTwo() {
        dead(150);
        Acquisition waiting = bench.acquire();
        bench.time.advance(LEASE);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.count(StoreOperation.LEAVE)).isEqualTo(2);
    }

    @Test
    void aCallerThatDoesNotWaitIsServedBehindTheDead() {
        dead(9);

        Acquisition atOnce = bench.acquire(Duration.ZERO);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(atOnce).matches(Cluster::isGranted);
    }

    @Test
    void aCallerThatDoesNotWaitIsServedBehindMoreOfTheDeadThanOneWriteMayClear() {
        dead(150);

        Acquisition atOnce = bench.acquire(Duration.ZERO);
        bench.time.advance(Duration.ofSeconds(4));

        assertThat(atOnce).matches(Cluster::isGranted);
    }

    @Test
    void theDeadThatCannotBeClearedAreClearedOnceAtATime() {
        dead(9);
        bench.faults.always(StoreOperation.LEAVE, Fault.STALLS);

        bench.acquire();
        bench.time.advance(Duration.ofMillis(3_900));

        assertThat(bench.count(StoreOperation.LEAVE)).isOne();
    }

    @Test
    void theLivingBetweenTheDeadArePassedByNobody() {
        dead(3);
        EngineBench.Stranger living = bench.stranger(50).asks();
        Acquisition waiting = bench.acquire();
        for (int i = 0; i < 10; i++) {
            bench.time.advance(Duration.ofSeconds(5));
            living.beats();
        }

        assertThat(waiting.outcome()).isNotDone();
        assertThat(living.stands()).isTrue();
        living.leaves();
        bench.time.advance(Duration.ofSeconds(2));
        assertThat(waiting).matches(Cluster::isGranted);
    }

    // What watching costs

    @Test
    void behindShortHoldsNoSessionIsRead() {
        for (int i = 0; i < 50; i++) {
            bench.stranger(i + 1).asks();
        }
        bench.acquireAndSettle();
        bench.calls.reset();
        for (int i = 0; i < 40; i++) {
            bench.time.advance(Duration.ofMillis(100));
            bench.table.take(EngineBench.KEY, Step.Leave.of(0, bench.queue().get(0)), bench.time.now());
        }

        assertThat(bench.count(StoreOperation.READ_SESSIONS)).isLessThanOrEqualTo(2);
    }

    @Test
    void onlyTheNearestAndBehindALongHoldTheFirstAreReadAsLongAsTheyBeat() {
        EngineBench.Stranger first = bench.stranger(1).asks();
        EngineBench.Stranger nearest = first;
        for (int i = 2; i < 10; i++) {
            nearest = bench.stranger(i).asks();
        }
        bench.acquireAndSettle();
        for (int i = 0; i < 8; i++) {
            bench.time.advance(Duration.ofSeconds(5));
            first.beats();
            nearest.beats();
        }
        bench.calls.reset();
        bench.time.advance(Duration.ofSeconds(4));

        assertThat(bench.count(StoreOperation.READ_SESSIONS)).isLessThanOrEqualTo(5);
        assertThat(bench.queue())
                .as("the silent between them were not looked at")
                .hasSize(10);
    }

    private static EngineSettings settings(Duration lease) {
        EngineSettings usual = SimulatedProcess.SETTINGS;
        return new EngineSettings(
                usual.owner(),
                lease,
                usual.heartbeat(),
                usual.driftMargin(),
                usual.pollMin(),
                usual.pollMax(),
                usual.lockDelay(),
                Duration.ZERO,
                usual.callTimeout(),
                usual.maxCallsInFlight(),
                usual.retention(),
                usual.maxQueue());
    }

    /** A dead holder and others behind it, of whose deaths nobody knows yet. */
    private void silent(int processes, Duration lease) {
        for (int i = 0; i < processes; i++) {
            bench.stranger(i + 1, lease).asks();
        }
    }

    /** Entries whose sessions are gone. */
    private void dead(int processes) {
        for (int i = 0; i < processes; i++) {
            bench.stranger(i + 1).asks().dies();
        }
    }

    private Duration timeUntilGranted() {
        Acquisition waiting = bench.acquire();
        long start = bench.time.nanos();
        assertThat(bench.time.advanceUntil(() -> Cluster.isGranted(waiting), Duration.ofMinutes(30)))
                .isTrue();
        return Duration.ofNanos(bench.time.nanos() - start);
    }
}
