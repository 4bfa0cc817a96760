package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What locks cost, by counting the calls to the store. */
class CallCountTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @Test
    void aFreeLockCostsTwoWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        process.hold(KEY).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aFreeLockThatAnotherProcessHadAMomentAgoCostsNoMore() {
        cluster.startedProcess().hold(KEY).release();
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        process.hold(KEY).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aHundredCallersAtAFreeLockCostThreeWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        List<Long> numbers = cluster.runSections(cluster.acquire(process, 100, MINUTE));
        cluster.time.advance(SECOND);

        assertThat(numbers).hasSize(100).isSorted().doesNotHaveDuplicates();
        assertThat(cluster.calls.writes()).isLessThanOrEqualTo(3);
        assertThat(cluster.calls.reads()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void aSectionBehindAnotherProcessCostsTwoWritesHoweverManyWait(int processes) {
        SimulatedProcess holder = cluster.startedProcess();
        List<SimulatedProcess> waiters = cluster.startedProcesses(processes);
        Grant held = holder.hold(KEY);
        List<Acquisition> waiting = new ArrayList<>();
        for (SimulatedProcess waiter : waiters) {
            waiting.add(waiter.acquire(KEY, MINUTE));
        }
        List<Long> numbers = cluster.runSections(waiting);
        cluster.calls.reset();
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(cluster.calls.lockWrites()).as("asks").isEqualTo(processes);

        held.release();
        cluster.time.advance(SECOND.multipliedBy(3));

        assertThat(numbers).hasSize(processes).isSorted();
        int releaseOfTheFirst = 1;
        assertThat(cluster.calls.lockWrites()).isEqualTo(2 * processes + releaseOfTheFirst);
    }

    @Test
    void aHundredCallersBehindAnotherProcessCostThreeWrites() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        cluster.calls.reset();

        List<Long> numbers = cluster.runSections(cluster.acquire(process, 100, MINUTE));
        cluster.time.advance(SECOND);
        held.release();
        cluster.time.advance(SECOND);

        assertThat(numbers).hasSize(100).isSorted().doesNotHaveDuplicates();
        int releaseOfTheHolder = 1;
        assertThat(cluster.calls.lockWrites() - releaseOfTheHolder).isLessThanOrEqualTo(3);
    }

    @Test
    void notToWaitAndNotToFindTheLockFreeCostsOneWrite() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        cluster.calls.reset();

        Acquisition hasty = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(SECOND);

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.writes()).isOne();
        assertThat(cluster.calls.looks()).isZero();
    }

    @Test
    void toWaitAndToGiveUpCostsTwoWrites() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        cluster.calls.reset();

        Acquisition waiting = process.acquire(KEY, SECOND);
        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(waiting).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.writes()).isEqualTo(2);
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
    void looksAreEventuallyConsistent() {
        SimulatedProcess holder = cluster.startedProcess();
        List<SimulatedProcess> waiters = cluster.startedProcesses(3);
        Grant held = holder.hold(KEY);
        cluster.calls.reset();
        List<Acquisition> waiting = new ArrayList<>();
        waiters.forEach(waiter -> waiting.add(waiter.acquire(KEY, MINUTE)));
        waiting.add(waiters.get(0).acquire(KEY, SECOND));
        List<Long> numbers = cluster.runSections(waiting);

        cluster.time.advance(SECOND.multipliedBy(2));
        held.release();
        cluster.time.advance(SECOND);

        assertThat(numbers).hasSize(3);
        assertThat(cluster.calls.looks()).isPositive();
        assertThat(cluster.calls.consistentLooks()).isZero();
    }

    @Test
    void theNextInLineLooksAtEveryPollInterval() {
        Duration poll = SimulatedProcess.SETTINGS.pollMin();
        cluster.startedProcess().hold(KEY);
        cluster.acquire(cluster.startedProcess(), 10, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        cluster.calls.reset();

        cluster.time.advance(SECOND);

        // Jitter makes the pauses shorter by a quarter at most, the way to the store makes the intervals longer.
        long most = SECOND.dividedBy(poll) * 4 / 3;
        long fewest = SECOND.dividedBy(poll.plusMillis(5)) * 9 / 10;
        assertThat(cluster.calls.looks()).isBetween((int) fewest, (int) most);
    }

    @Test
    void behindALongHoldLooksAreRare() {
        cluster.startedProcess().hold(KEY);
        cluster.acquire(cluster.startedProcess(), 10, AcquireSpec.FOREVER);
        cluster.time.advance(MINUTE);
        cluster.calls.reset();

        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(cluster.calls.looks()).isBetween(8, 15);
    }

    @Test
    void nobodyLooksWhileTheHolderIsInTheSameProcess() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.acquire(process, 10, AcquireSpec.FOREVER);
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        cluster.time.advance(Duration.ofSeconds(4));

        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void anInspectionCostsALookAndAReadOfTheSessionsAndSoDoesAPageOfAList() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        holder.hold(new LockKey(KEY.key(), "another"));
        cluster.startedProcesses(3).forEach(waiter -> waiter.acquire(KEY, MINUTE));
        cluster.time.advance(Duration.ofMillis(15));
        cluster.calls.reset();

        CompletableFuture<Inspection> inspection = holder.engine.inspect(KEY);
        CompletableFuture<InspectionPage> page = holder.engine.list(KEY.key(), null);
        cluster.time.advance(Duration.ofMillis(15));

        assertThat(inspection.join().sessions()).hasSize(4);
        assertThat(page.join().locks()).hasSize(2).containsEntry(KEY, inspection.join());
        assertThat(cluster.calls.count(StoreOperation.LIST_LOCKS)).isOne();
        assertThat(cluster.calls.consistentLooks()).isOne();
        assertThat(cluster.calls.count(StoreOperation.READ_SESSIONS)).isEqualTo(2);
        assertThat(cluster.calls.writes()).isZero();
    }

    @Test
    void callsInFlightAreBoundedSoThatBeatsGetThrough() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.everythingButBeats(Fault.STALLS);

        for (int i = 0; i < 1000; i++) {
            process.acquire(new LockKey("key-" + i, "default"), MINUTE);
        }
        cluster.time.advance(SECOND);

        assertThat(cluster.faults.stalledCalls()).isEqualTo(SimulatedProcess.SETTINGS.maxCallsInFlight());
    }

    @Test
    void manyReadsForPeopleThatAreAnsweredLateDelayNoAcquisition() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.everythingButBeats(Fault.STALLS);
        for (int i = 0; i < 1000; i++) {
            process.engine.inspect(new LockKey("key-" + i, "default"));
            process.engine.list("key-" + i, null);
        }
        cluster.time.advance(Duration.ofMillis(15));
        assertThat(cluster.faults.stalledCalls()).isEqualTo(EngineSettings.READS_FOR_PEOPLE);

        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(15));

        assertThat(cluster.faults.stalledCalls()).isEqualTo(EngineSettings.READS_FOR_PEOPLE + 1);
    }
}
