package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What many blocks cost that leave a queue at the same time, by counting the writes. */
class LeavingTogetherTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"WRITE", "PERMIT"})
    void ninetyWaitsThatEndTogetherTakeThreeWritesAtTheMost(Kind kind) {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        processes.get(0).grantOf(acquire(processes.get(0), kind, 1, MINUTE));
        List<Acquisition> waits = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            waits.add(acquire(processes.get(1), kind, 1, SECOND.multipliedBy(5)));
        }
        cluster.time.advance(Duration.ofMillis(4_900));
        assertThat(cluster.queue()).hasSize(91);
        cluster.calls.reset();

        cluster.time.advance(SECOND);

        assertThat(waits).allMatch(Cluster::isTimedOut);
        assertThat(cluster.queue()).hasSize(1);
        assertThat(cluster.calls.lockWrites()).isLessThanOrEqualTo(3);
    }

    @Test
    void fiftyPermitsOfOneProcessThatAreReleasedTogetherTakeThreeWritesAtTheMost() {
        SimulatedProcess process = cluster.startedProcess();
        List<Grant> permits = permits(process, 50);
        cluster.calls.reset();

        List<CompletableFuture<Boolean>> released =
                permits.stream().map(Grant::release).toList();
        cluster.time.advance(SECOND);

        assertThat(released).allSatisfy(release -> assertThat(release).isCompletedWithValue(true));
        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.lockWrites()).isLessThanOrEqualTo(3);
    }

    @Test
    void aProcessThatStopsWithNinetyPermitsTakesThreeWritesAtTheMostToLetThemGo() {
        SimulatedProcess process = cluster.startedProcess();
        permits(process, 90);
        cluster.calls.reset();

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.lockWrites()).isLessThanOrEqualTo(3);
    }

    @Test
    void permitsThatAreReleasedDuringAnOutageAreTakenOutWhenItIsOverAndNobodyWaitsForThat() {
        SimulatedProcess process = cluster.startedProcess();
        List<Grant> permits = permits(process, 10);
        cluster.faults.next(StoreOperation.LEAVE, Fault.LOST_ANSWER).next(StoreOperation.LEAVE, Fault.LOST_REQUEST, 3);

        List<CompletableFuture<Boolean>> released =
                permits.stream().map(Grant::release).toList();
        cluster.time.advance(Duration.ofMillis(10));
        assertThat(released).allSatisfy(release -> assertThat(release).isCompletedWithValue(true));
        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(cluster.queue()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"20, 6", "60, 10"})
    void permitsOfManyProcessesThatAreReleasedAtOnceTakeAFewWritesEach(int processes, int most) {
        Cluster jittery = Cluster.withJitter();
        List<Grant> permits = new ArrayList<>();
        for (SimulatedProcess process : jittery.startedProcesses(processes)) {
            permits.add(process.grantOf(acquire(process, Kind.PERMIT, processes, MINUTE)));
        }
        jittery.calls.reset();

        permits.forEach(Grant::release);
        jittery.time.advance(SECOND);

        assertThat(jittery.queue()).isEmpty();
        assertThat(jittery.calls.count(StoreOperation.LEAVE)).isLessThanOrEqualTo(most * processes);
    }

    @Test
    void permitsThatManyProcessesUseAllTheTimeAreReleasedSoonAndForAFewWrites() {
        Cluster jittery = Cluster.withJitter();
        List<Duration> releases = new ArrayList<>();
        jittery.startedProcesses(100).forEach(process -> usesAPermitAgainAndAgain(jittery, process, 100, releases));
        jittery.time.advance(SECOND);
        releases.clear();
        jittery.calls.reset();

        jittery.time.advance(SECOND.multipliedBy(3));

        assertThat(jittery.calls.count(StoreOperation.LEAVE)).isLessThan(4 * releases.size());
        Collections.sort(releases);
        assertThat(releases.get(releases.size() * 99 / 100)).isLessThan(Duration.ofMillis(300));
    }

    private static void usesAPermitAgainAndAgain(
            Cluster cluster, SimulatedProcess process, int permits, List<Duration> releases) {
        acquire(process, Kind.PERMIT, permits, MINUTE).outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                Duration section = Duration.ofMillis(250 + releases.size() * 37L % 500);
                cluster.time.schedule(
                        () -> {
                            long from = cluster.time.nanos();
                            granted.grant().release().thenRun(() -> {
                                releases.add(Duration.ofNanos(cluster.time.nanos() - from));
                                usesAPermitAgainAndAgain(cluster, process, permits, releases);
                            });
                        },
                        section);
            }
        });
    }

    @Test
    void waitsOfSixtyProcessesThatEndTogetherTakeAFewWritesEach() {
        List<SimulatedProcess> processes = cluster.startedProcesses(61);
        processes.get(0).grantOf(acquire(processes.get(0), Kind.PERMIT, 1, MINUTE));
        processes.subList(1, 61).forEach(process -> acquire(process, Kind.PERMIT, 1, SECOND.multipliedBy(5)));
        cluster.time.advance(Duration.ofMillis(4_900));
        assertThat(cluster.queue()).hasSize(61);
        cluster.calls.reset();

        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(cluster.queue()).hasSize(1);
        assertThat(cluster.calls.count(StoreOperation.LEAVE)).isLessThan(6 * 60);
    }

    @Test
    void aReleaseWithoutAnAnswerKeepsNoOtherRelease() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant first = processes.get(0).grantOf(acquire(processes.get(0), Kind.PERMIT, 2, MINUTE));
        Grant second = processes.get(0).grantOf(acquire(processes.get(0), Kind.PERMIT, 2, MINUTE));
        Acquisition waiting = acquire(processes.get(1), Kind.PERMIT, 2, MINUTE);
        cluster.time.advance(SECOND);
        cluster.faults.next(StoreOperation.LEAVE, Fault.STALLS);
        first.release();
        cluster.time.advance(Duration.ofMillis(100));

        CompletableFuture<Boolean> released = second.release();
        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(released).isCompletedWithValue(true);
        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aPermitBehindOneThatHasGoneTakesOneWriteMore() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant first = processes.get(0).grantOf(acquire(processes.get(0), Kind.PERMIT, 2, MINUTE));
        Grant second = processes.get(1).grantOf(acquire(processes.get(1), Kind.PERMIT, 2, MINUTE));
        first.release();
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        second.release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.lockWrites()).isEqualTo(2);
    }

    private List<Grant> permits(SimulatedProcess process, int count) {
        List<Grant> permits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            permits.add(process.grantOf(acquire(process, Kind.PERMIT, count, MINUTE)));
        }
        return permits;
    }

    private static Acquisition acquire(SimulatedProcess process, Kind kind, int permits, Duration wait) {
        int asked = kind == Kind.PERMIT ? permits : 0;
        return process.acquire(new AcquireSpec(KEY, "test", wait, null, null, kind, asked, false));
    }
}
