package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.LatentLockStore;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.LockStore;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that have just been served and come back. */
class ComebackTest {

    private static final Duration SPAN = Duration.ofSeconds(10);

    private final Cluster cluster = new Cluster();
    private int sections;

    /** Asks, holds the lock, comes back a moment after its release, without end. */
    private void comesBackAgainAndAgain(SimulatedProcess process, Duration section) {
        process.acquire(KEY, MINUTE).outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                sections++;
                cluster.time.schedule(
                        () -> granted.grant()
                                .release()
                                .thenRun(() -> cluster.time.schedule(
                                        () -> comesBackAgainAndAgain(process, section), Duration.ofNanos(200_000))),
                        section);
            }
        });
    }

    @ParameterizedTest(name = "sections of {0} ms")
    @ValueSource(longs = {0, 1, 10})
    void theCallersOfAProcessComeToShareTheirWrites(long sectionMillis) {
        SplittableRandom random = new SplittableRandom(1);
        LockStore network = new LatentLockStore(
                cluster.calls, cluster.time, () -> Duration.ofNanos(2_000_000 + random.nextLong(4_000_000)));
        for (int number = 1; number <= 4; number++) {
            SimulatedProcess process =
                    new SimulatedProcess("process-" + number, cluster.time, network, SimulatedProcess.SETTINGS, number);
            for (int caller = 0; caller < 4; caller++) {
                comesBackAgainAndAgain(process, Duration.ofMillis(sectionMillis));
                cluster.time.advance(Duration.ofMillis(7));
            }
        }
        cluster.time.advance(SPAN);
        cluster.calls.reset();
        sections = 0;

        cluster.time.advance(SPAN);

        // Half a write if all four of a process share. With sections of 10 ms one of them may come to stay apart.
        assertThat(cluster.calls.lockWrites() / (double) sections)
                .as("writes for each of " + sections + " sections")
                .isLessThanOrEqualTo(0.8);
    }

    @ParameterizedTest(name = "{0} callers")
    @ValueSource(ints = {16, 64})
    void theCallersOfOneProcessAllShareOneWrite(int callers) {
        SplittableRandom random = new SplittableRandom(1);
        LockStore network = new LatentLockStore(
                cluster.calls, cluster.time, () -> Duration.ofNanos(6_000_000 + random.nextLong(1_000_000)));
        SimulatedProcess process = new SimulatedProcess("process", cluster.time, network, SimulatedProcess.SETTINGS, 1);
        for (int caller = 0; caller < callers; caller++) {
            comesBackAgainAndAgain(process, Duration.ofNanos(50_000));
        }
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.calls.reset();
        sections = 0;

        cluster.time.advance(SPAN);

        assertThat(cluster.calls.lockWrites() * (callers - 2.0))
                .as("writes for " + sections
                        + " sections, one for each turn of all, but for the last whose threads are still to wake up")
                .isLessThanOrEqualTo(1.1 * sections);
    }

    @Test
    void aCallerThatComesDuringALongSectionAsksSoon() {
        SimulatedProcess process = whoseFirstCallerWasJustServed();

        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(60));

        assertThat(cluster.queue()).hasSize(3);
    }

    @Test
    void nobodyWaitsForOthersAQuarterOfItsTime() {
        SimulatedProcess process = whoseFirstCallerWasJustServed();

        process.acquire(KEY, Duration.ofMillis(40));
        cluster.time.advance(Duration.ofMillis(16));

        assertThat(cluster.queue()).hasSize(3);
    }

    /** Its second caller has the lock, and another process waits behind. */
    private SimulatedProcess whoseFirstCallerWasJustServed() {
        List<SimulatedProcess> processes = cluster.startedProcesses(2);
        Grant first = processes.get(0).hold(KEY);
        Acquisition second = processes.get(0).acquire(KEY, MINUTE);
        processes.get(1).acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));
        first.release();
        cluster.time.advance(Duration.ofMillis(1));
        assertThat(Cluster.isGranted(second)).isTrue();
        return processes.get(0);
    }
}
