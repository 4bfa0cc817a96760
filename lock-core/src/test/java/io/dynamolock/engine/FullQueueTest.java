package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers who find the queue full, and some or all who stand in it dead. */
class FullQueueTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster(4);

    @ParameterizedTest
    @EnumSource(Kind.class)
    void callersThatDoNotWaitGetInWhenAllWhoFillTheQueueAreDead(Kind kind) {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        fill(processes.get(0), 4);
        processes.get(0).kill();

        assertThat(isGrantedWithin(Duration.ofSeconds(25), processes.get(1), kind))
                .isTrue();
    }

    @Test
    void aPermitIsGotWithoutWaitingWhenTheDeadFillTheQueueBehindAHolderThatLives() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        fill(processes.get(0), 1);
        fill(processes.get(1), 3);
        processes.get(1).kill();

        assertThat(isGrantedWithin(Duration.ofSeconds(25), processes.get(2), Kind.PERMIT))
                .isTrue();
    }

    @Test
    void aCallerThatDoesNotWaitIsToldSoonThatAllWhoFillTheQueueLive() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        fill(processes.get(0), 4);

        Acquisition hasty = acquire(processes.get(1), Kind.PERMIT, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(cluster.queue()).hasSize(4);
    }

    @Test
    void aHundredCallersThatDoNotWaitHearByOneAnswerThatTheQueueIsFull() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        fill(processes.get(0), 4);
        cluster.calls.reset();

        List<Acquisition> hasty = Stream.generate(() -> acquire(processes.get(1), Kind.PERMIT, Duration.ZERO))
                .limit(100)
                .toList();
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(hasty).allMatch(Cluster::isTimedOut);
        assertThat(cluster.calls.lockWrites()).isEqualTo(1);
    }

    @Test
    void aCallerThatDoesNotWaitIsToldAtOnceThoughOneOfItsProcessStaysAtTheDoor() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        fill(processes.get(0), 3);
        acquire(processes.get(1), Kind.PERMIT, MINUTE);
        Acquisition patient = acquire(processes.get(1), Kind.PERMIT, MINUTE);

        Acquisition hasty = acquire(processes.get(1), Kind.PERMIT, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(200));

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(patient.outcome()).isNotDone();
    }

    @Test
    void aReaderJoinsTheLastPlaceOfItsProcessThoughTheQueueIsFull() {
        List<SimulatedProcess> processes = cluster.startedProcesses(4);
        processes.forEach(process -> process.grantOf(acquire(process, Kind.READ, MINUTE)));

        Acquisition another = acquire(processes.get(3), Kind.READ, MINUTE);
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(another).matches(Cluster::isGranted);
    }

    @Test
    void aReaderAtTheDoorGetsInWhenTheDeadStandBehindAReaderThatLives() {
        List<SimulatedProcess> processes = cluster.startedProcesses(5);
        processes.subList(0, 4).forEach(process -> process.grantOf(acquire(process, Kind.READ, MINUTE)));
        processes.subList(1, 4).forEach(SimulatedProcess::kill);

        Acquisition waiting = acquire(processes.get(4), Kind.READ, MINUTE);
        cluster.time.advance(Duration.ofSeconds(30));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aPermitAtTheDoorIsGotWhenTheDeadStandBehindAHolderThatLives() {
        List<SimulatedProcess> processes = cluster.startedProcesses(3);
        fill(processes.get(0), 1);
        fill(processes.get(1), 3);
        processes.get(1).kill();

        Acquisition waiting = acquire(processes.get(2), Kind.PERMIT, MINUTE);
        cluster.time.advance(Duration.ofSeconds(30));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    private static void fill(SimulatedProcess process, int places) {
        for (int i = 0; i < places; i++) {
            process.grantOf(acquire(process, Kind.PERMIT, MINUTE));
        }
    }

    /** Tries once a second. */
    private boolean isGrantedWithin(Duration time, SimulatedProcess process, Kind kind) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECOND)) {
            Acquisition tried = acquire(process, kind, Duration.ZERO);
            cluster.time.advance(SECOND);
            if (Cluster.isGranted(tried)) {
                return true;
            }
            assertThat(tried).matches(Cluster::isTimedOut);
        }
        return false;
    }

    private static Acquisition acquire(SimulatedProcess process, Kind kind, Duration wait) {
        return process.acquire(
                new AcquireSpec(KEY, "test", wait, null, null, kind, kind == Kind.PERMIT ? 4 : 0, false));
    }
}
