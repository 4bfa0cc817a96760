package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What locks cost, by counting the calls to the store. */
class CallCountTest {

    private final Cluster cluster = new Cluster();

    @Test
    void anUncontendedLockCostsTwoWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        process.hold(KEY).release();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aHundredCallersOnAFreeLockCostThreeWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        List<Long> numbers = cluster.runSections(cluster.acquire(process, 100, MINUTE));
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(numbers).hasSize(100).isSorted();
        assertThat(cluster.calls.writes()).isEqualTo(3);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aHundredCallersBehindAnotherProcessCostAtMostEightWritesBesideThePolls() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        cluster.calls.reset();

        List<Long> numbers = cluster.runSections(cluster.acquire(process, 100, MINUTE));
        cluster.time.advance(Duration.ofSeconds(1));
        int holdersWrites = 1;
        held.release();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(numbers).hasSize(100).isSorted();
        assertThat(cluster.calls.writes() - holdersWrites).isLessThanOrEqualTo(8);
    }

    @Test
    void aThousandHeldLocksCostOneHeartbeatPerInterval() {
        SimulatedProcess process = cluster.startedProcess();
        List<Acquisition> acquisitions = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            acquisitions.add(process.acquire(new LockKey("key-" + i, "default"), MINUTE));
        }
        assertThat(cluster.time.advanceUntil(
                        () -> acquisitions.stream().allMatch(Cluster::isGranted), Duration.ofSeconds(2)))
                .isTrue();
        cluster.calls.reset();

        cluster.time.advance(SimulatedProcess.SETTINGS.heartbeat().multipliedBy(3));

        assertThat(cluster.calls.count(StoreOperation.BEAT)).isEqualTo(3);
        assertThat(cluster.calls.total()).isEqualTo(3);
        assertThat(process.engine.held()).hasSize(1000);
    }

    @Test
    void onlyTheNextInLinePollsOften() {
        int pollsOfTheNext = pollsInTwoSeconds(1);
        int pollsOfTwo = pollsInTwoSeconds(2);

        int intervals = 40;
        assertThat(pollsOfTheNext).isBetween(intervals * 3 / 4, intervals * 4 / 3);
        assertThat(pollsOfTwo - pollsOfTheNext).isLessThan(pollsOfTheNext * 2 / 3);
    }

    private static int pollsInTwoSeconds(int waitingProcesses) {
        Cluster cluster = new Cluster();
        cluster.startedProcess().hold(KEY);
        for (int i = 0; i < waitingProcesses; i++) {
            cluster.acquire(cluster.startedProcess(), 10, AcquireSpec.FOREVER);
        }
        cluster.time.advance(Duration.ofMillis(500));
        cluster.calls.reset();
        cluster.time.advance(Duration.ofSeconds(2));
        return cluster.calls.polls();
    }

    @Test
    void theEndOfALongHoldIsNoticedLateByAFiftiethOfItsTime() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition waiting = cluster.startedProcess().acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(30));
        cluster.calls.reset();
        cluster.time.advance(Duration.ofSeconds(6));
        assertThat(cluster.calls.polls()).isBetween(7, 15);

        held.release();
        Duration fiftieth = Duration.ofSeconds(36).dividedBy(50);
        Duration claim = Duration.ofMillis(50);
        cluster.time.advance(fiftieth.plus(claim));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void nobodyPollsWhileTheHolderIsInTheSameProcess() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.acquire(process, 10, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.calls.reset();

        cluster.time.advance(Duration.ofSeconds(4));

        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void callsInFlightAreBoundedSoThatBeatsGetThrough() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.everythingButBeats(io.dynamolock.store.testing.Fault.STALLS);

        for (int i = 0; i < 1000; i++) {
            process.acquire(new LockKey("key-" + i, "default"), MINUTE);
        }
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(cluster.faults.stalledCalls()).isEqualTo(SimulatedProcess.SETTINGS.maxCallsInFlight());
    }
}
