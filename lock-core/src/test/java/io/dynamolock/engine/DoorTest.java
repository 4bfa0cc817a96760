package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The line is full: callers wait at its door until there is room. */
class DoorTest {

    private static final int PLACES = 4;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster(PLACES);

    @Test
    void aCallerThatFindsTheLineFullGetsInWhenThereIsRoom() {
        List<Grant> held = new ArrayList<>();
        List<Acquisition> inLine = fill(held);
        SimulatedProcess late = cluster.startedProcess();
        Acquisition atTheDoor = late.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(SECOND.multipliedBy(5));
        assertThat(cluster.queue()).hasSize(PLACES);

        inLine.get(0).abandon();
        cluster.time.advance(SECOND.multipliedBy(4));

        assertThat(cluster.queue()).hasSize(PLACES);
        cluster.runSections(inLine);
        held.get(0).release();
        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(atTheDoor), SECOND.multipliedBy(5)))
                .isTrue();
    }

    @Test
    void aCallerAtTheDoorAsksOnlyWhenALookHasShownRoom() {
        List<Grant> held = new ArrayList<>();
        fill(held);
        SimulatedProcess late = cluster.startedProcess();
        cluster.calls.reset();
        late.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(MINUTE);

        assertThat(cluster.calls.lockWrites()).as("the ask that was refused").isOne();
    }

    @Test
    void looksAtTheDoorAreRareAndComeSoonerTheLongerACallerHasWaited() {
        EngineBench bench = EngineBench.started(Cluster.settings(PLACES));
        Duration longLease = Duration.ofHours(1);
        for (int i = 0; i < PLACES; i++) {
            bench.stranger(i + 1, longLease).asks();
        }
        bench.acquireAndSettle();

        bench.time.advance(SECOND.multipliedBy(12));
        assertThat(bench.calls.looks()).isBetween(4, 6);
        bench.time.advance(MINUTE.multipliedBy(2));
        bench.calls.reset();
        bench.time.advance(SECOND.multipliedBy(12));
        assertThat(bench.calls.looks()).isBetween(12, 22);
        assertThat(bench.calls.consistentLooks()).isZero();
    }

    @Test
    void callersWhoKeepComingToTheDoorDoNotPutOffItsLooks() {
        List<Grant> held = new ArrayList<>();
        List<Acquisition> inLine = fill(held);
        SimulatedProcess late = cluster.startedProcess();
        Acquisition first = late.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(SECOND);
        cluster.runSections(inLine);
        held.get(0).release();

        for (int i = 0; i < 40 && !Cluster.isGranted(first); i++) {
            late.acquire(KEY, MINUTE);
            cluster.time.advance(Duration.ofMillis(500));
        }

        assertThat(first).matches(Cluster::isGranted);
    }

    @Test
    void aCallerWithLittleTimeLooksSoonerThanThoseBeforeIt() {
        List<Grant> held = new ArrayList<>();
        List<Acquisition> inLine = fill(held);
        SimulatedProcess late = cluster.startedProcess();
        Acquisition patient = late.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        cluster.runSections(inLine);
        held.get(0).release();
        cluster.time.advance(Duration.ofMillis(200));

        late.acquire(KEY, Duration.ofMillis(400));
        cluster.time.advance(Duration.ofMillis(200));

        assertThat(patient).matches(Cluster::isGranted);
    }

    @Test
    void aWaitThatEndsAtTheDoorIsATimeoutAndCostsOneWrite() {
        fill(new ArrayList<>());
        SimulatedProcess late = cluster.startedProcess();
        cluster.calls.reset();

        Acquisition brief = late.acquire(KEY, SECOND.multipliedBy(3));
        cluster.time.advance(SECOND.multipliedBy(3));

        assertThat(brief).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.lockWrites()).isOne();
        assertThat(late.engine.waiting()).isZero();
    }

    @Test
    void allWhoWaitAtTheDoorOfOneProcessGetInTogether() {
        List<Grant> held = new ArrayList<>();
        List<Acquisition> inLine = fill(held);
        SimulatedProcess late = cluster.startedProcess();
        List<Acquisition> atTheDoor = cluster.acquire(late, 30, AcquireSpec.FOREVER);
        cluster.time.advance(SECOND);
        List<Long> numbers = cluster.runSections(atTheDoor);
        cluster.calls.reset();

        cluster.runSections(inLine);
        held.get(0).release();
        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(numbers).hasSize(30).isSorted().doesNotHaveDuplicates();
        int leavesOfTheOthers = PLACES;
        int askAndLeave = 2;
        assertThat(cluster.calls.lockWrites()).isEqualTo(leavesOfTheOthers + askAndLeave);
    }

    @Test
    void aCallerAtTheDoorOfALineOfTheDeadGetsIn() {
        List<SimulatedProcess> processes = cluster.startedProcesses(PLACES);
        for (SimulatedProcess process : processes) {
            process.acquire(KEY, AcquireSpec.FOREVER);
            cluster.time.advance(Duration.ofMillis(100));
        }
        Acquisition atTheDoor = cluster.startedProcess().acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(SECOND);

        processes.forEach(SimulatedProcess::kill);

        assertThat(cluster.time.advanceUntil(
                        () -> Cluster.isGranted(atTheDoor),
                        SimulatedProcess.SETTINGS.lease().multipliedBy(2).plusSeconds(10)))
                .isTrue();
    }

    @Test
    void whileHalfOfTheLineIsTakenAProcessHasOneWaitingBlock() {
        Cluster cluster = new Cluster(10);
        cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        List<Acquisition> waiting = new ArrayList<>();
        waiting.add(process.acquire(KEY, AcquireSpec.FOREVER));
        cluster.time.advance(Duration.ofMillis(100));
        for (SimulatedProcess other : cluster.startedProcesses(4)) {
            waiting.add(other.acquire(KEY, AcquireSpec.FOREVER));
            cluster.time.advance(Duration.ofMillis(100));
        }
        assertThat(cluster.queue()).hasSize(6);

        Acquisition further = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.queue()).as("the further caller gathers").hasSize(6);
        waiting.get(4).abandon();
        waiting.get(3).abandon();
        cluster.time.advance(Duration.ofSeconds(2));

        assertThat(cluster.queue()).as("less than half is taken").hasSize(5);
        assertThat(further.outcome()).isNotDone();
    }

    @Test
    void whileTheLineIsShortAProcessHasABlockBehindEachOther() {
        Cluster cluster = new Cluster(10);
        cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        SimulatedProcess other = cluster.startedProcess();
        for (int i = 0; i < 2; i++) {
            process.acquire(KEY, AcquireSpec.FOREVER);
            cluster.time.advance(Duration.ofMillis(100));
            other.acquire(KEY, AcquireSpec.FOREVER);
            cluster.time.advance(Duration.ofMillis(100));
        }

        assertThat(cluster.queue()).hasSize(5);
    }

    /** One process holds the lock, others wait in all places behind it. */
    private List<Acquisition> fill(List<Grant> held) {
        held.add(cluster.startedProcess().hold(KEY));
        List<Acquisition> inLine = new ArrayList<>();
        for (SimulatedProcess process : cluster.startedProcesses(PLACES - 1)) {
            inLine.add(process.acquire(KEY, AcquireSpec.FOREVER));
            cluster.time.advance(Duration.ofMillis(100));
        }
        assertThat(cluster.queue()).hasSize(PLACES);
        return inLine;
    }
}
