package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Mode;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Permits of one lock, and what they cost by counting the calls to the store. */
class PermitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @Test
    void soManyCallersOfAllProcessesHoldPermitsAndTheNextGetsOneWhenAnyIsReleased() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        Grant first = processes.get(0).grantOf(permit(processes.get(0), 2));
        Grant second = processes.get(1).grantOf(permit(processes.get(1), 2));
        Acquisition third = permit(processes.get(2), 2);
        Acquisition fourth = permit(processes.get(0), 2);
        cluster.time.advance(SECOND);
        assertThat(third).matches(acquisition -> !Cluster.isGranted(acquisition));

        second.release();
        cluster.time.advance(SECOND);

        assertThat(third).matches(Cluster::isGranted);
        assertThat(fourth).matches(acquisition -> !Cluster.isGranted(acquisition));
        assertThat(first.isValid()).isTrue();
    }

    @Test
    void aUseOfAPermitCostsTwoWritesAndNoRead() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();

        process.grantOf(permit(process, 3)).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void eachUseOfAPermitCostsTwoWritesHoweverManyOfAProcessWait() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();
        List<Acquisition> uses = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            uses.add(permit(process, 3));
        }

        List<Long> numbers = cluster.runSections(uses);
        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(numbers).hasSize(20);
        assertThat(cluster.calls.lockWrites()).isEqualTo(2 * 20);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void ninetyCallersThatWaitForPermitsLookNoMoreOftenThanOne() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.grantOf(permit(holder, 1));
        permit(process, 1);
        cluster.time.advance(SECOND.multipliedBy(3));
        cluster.calls.reset();
        cluster.time.advance(SECOND.multipliedBy(5));
        int looksOfOne = cluster.calls.looks();
        for (int i = 0; i < 90; i++) {
            permit(process, 1);
        }
        cluster.time.advance(SECOND.multipliedBy(3));
        cluster.calls.reset();

        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(cluster.queue()).hasSize(92);
        assertThat(cluster.calls.looks()).isLessThanOrEqualTo(looksOfOne + 2);
    }

    @Test
    void aCallerThatDoesNotWaitLeavesAgainWhenNoPermitIsFreeForTwoWrites() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).grantOf(permit(processes.get(0), 1));
        cluster.calls.reset();

        Acquisition hasty = acquire(processes.get(1), 1, Duration.ZERO);
        cluster.time.advance(SECOND);

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.lockWrites()).isEqualTo(2);
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void whoSaysAnotherNumberOfPermitsIsRefusedAndTold() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).grantOf(permit(processes.get(0), 2)).release();
        cluster.time.advance(SECOND);

        Acquisition other = permit(processes.get(1), 3);
        cluster.time.advance(SECOND);

        assertThat(Cluster.outcome(other)).isEqualTo(new AcquireOutcome.OtherPermits(2));
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void moreForAllLetThoseWhoWaitInAndFewerTakeNobodysPermit() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant first = processes.get(0).grantOf(permit(processes.get(0), 1));
        Acquisition second = permit(processes.get(1), 1);
        cluster.time.advance(SECOND);

        processes.get(0).engine.resize(KEY, 2);
        cluster.time.advance(SECOND);
        assertThat(second).matches(Cluster::isGranted);
        processes.get(0).engine.resize(KEY, 1);
        Acquisition third = permit(processes.get(0), 1);
        cluster.time.advance(SECOND);

        assertThat(first.isValid()).isTrue();
        assertThat(processes.get(1).grantOf(second).isValid()).isTrue();
        first.release();
        cluster.time.advance(SECOND);
        assertThat(third).as("one is still held").matches(acquisition -> !Cluster.isGranted(acquisition));
        processes.get(1).grantOf(second).release();
        cluster.time.advance(SECOND);
        assertThat(third).matches(Cluster::isGranted);
    }

    @Test
    void theNumberOfPermitsIsChangedByOneWrite() {
        SimulatedProcess process = cluster.startedProcess();
        process.grantOf(permit(process, 1)).release();
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        process.engine.resize(KEY, 4);
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isOne();
        assertThat(cluster.table.lock(KEY).permits()).isEqualTo(4);
    }

    @Test
    void thePermitOfADeadProcessIsFreeWithinALeaseThoughOthersAreHeld() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        processes.get(0).grantOf(permit(processes.get(0), 2));
        processes.get(1).grantOf(permit(processes.get(1), 2));
        Acquisition waiting = permit(processes.get(2), 2);
        cluster.time.advance(SECOND);

        processes.get(1).kill();
        cluster.time.advance(Duration.ofSeconds(25));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aPermitAndAnExclusiveHolderExcludeEachOtherInTheOrderOfTheirAsks() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        Grant permit = processes.get(0).grantOf(permit(processes.get(0), 5));
        Acquisition exclusive = processes.get(1).acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        Acquisition later = permit(processes.get(2), 5);
        cluster.time.advance(SECOND);
        assertThat(List.of(exclusive, later)).noneMatch(Cluster::isGranted);

        permit.release();
        cluster.time.advance(SECOND);
        assertThat(exclusive).matches(Cluster::isGranted);
        assertThat(later).matches(acquisition -> !Cluster.isGranted(acquisition));
        processes.get(1).grantOf(exclusive).release();
        cluster.time.advance(SECOND);

        assertThat(later).matches(Cluster::isGranted);
        assertThat(cluster.queue()).extracting(Entry::callers).containsExactly(1);
    }

    @Test
    void anotherNumberThanOneThatWasSetBeforeTheFirstUseIsToldAsSuch() {
        SimulatedProcess process = cluster.startedProcess();
        process.engine.resize(KEY, 5);
        cluster.time.advance(SECOND);

        Acquisition other = permit(process, 3);
        cluster.time.advance(SECOND);

        assertThat(Cluster.outcome(other)).isEqualTo(new AcquireOutcome.OtherPermits(5));
    }

    @Test
    void allThatSayAnotherNumberAtOnceHearItByOneAnswer() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).grantOf(permit(processes.get(0), 2)).release();
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        List<Acquisition> others = Stream.generate(() -> acquire(processes.get(1), 3, Duration.ZERO))
                .limit(50)
                .toList();
        cluster.time.advance(SECOND);

        assertThat(others).allMatch(other -> Cluster.outcome(other).equals(new AcquireOutcome.OtherPermits(2)));
        assertThat(cluster.calls.lockWrites()).isEqualTo(1);
    }

    @Test
    void aCallerThatDoesNotWaitIsNotRefusedForANumberThatWasStoredBefore() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).grantOf(permit(processes.get(0), 1));
        permit(processes.get(1), 1);
        cluster.time.advance(SECOND.multipliedBy(10));
        processes.get(0).engine.resize(KEY, 3);
        cluster.time.advance(Duration.ofMillis(5));

        Acquisition hasty = acquire(processes.get(1), 3, Duration.ZERO);
        cluster.time.advance(SECOND);

        assertThat(hasty).as("behind another of its process").matches(Cluster::isTimedOut);
    }

    @Test
    void aPermitOfNobodyIsFoundWithinTwoLeasesAmongManyThatAreHeldForLong() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        for (int i = 0; i < 39; i++) {
            processes.get(0).grantOf(permit(processes.get(0), 40));
        }
        BlockId stray = new BlockId(cluster.queue().get(0).session(), 100_000);
        cluster.table.take(KEY, new Step.Ask(new Entry(stray, Mode.PERMIT, 1), 1, 200, 40), cluster.time.now());

        Acquisition waiting = acquire(processes.get(1), 40, AcquireSpec.FOREVER);
        cluster.time.advance(SimulatedProcess.SETTINGS.lease().multipliedBy(2));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void theirProcessIsAskedAboutPermitsThatAreHeldForLongNoMoreThanTwiceALeaseByEachThatWaits() {
        List<SimulatedProcess> processes = cluster.startedProcesses(6);
        for (int i = 0; i < 60; i++) {
            processes.get(0).grantOf(permit(processes.get(0), 60));
        }
        for (SimulatedProcess waiting : processes.subList(1, 6)) {
            acquire(waiting, 60, MINUTE.multipliedBy(10));
        }
        cluster.time.advance(MINUTE);
        cluster.calls.reset();

        cluster.time.advance(MINUTE);

        assertThat(cluster.calls.count(StoreOperation.RAISE_DISPUTE)).isBetween(5 * 3, 5 * 6 + 5);
    }

    @Test
    void theItemOfAPermitThatIsHeldForDaysIsWrittenThoughPlacesAheadHaveGone() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant first = processes.get(0).grantOf(permit(processes.get(0), 2));
        processes.get(1).grantOf(permit(processes.get(1), 2));
        first.release();
        Duration half = SimulatedProcess.SETTINGS.retention().dividedBy(2);
        cluster.time.advance(half.minus(SECOND));
        cluster.calls.reset();

        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(cluster.calls.count(StoreOperation.RENAME))
                .as("refused, and repeated")
                .isEqualTo(2);
    }

    private static Acquisition permit(SimulatedProcess process, int permits) {
        return acquire(process, permits, MINUTE);
    }

    private static Acquisition acquire(SimulatedProcess process, int permits, Duration wait) {
        return process.acquire(new AcquireSpec(KEY, "test", wait, null, null, Kind.PERMIT, permits, false));
    }
}
