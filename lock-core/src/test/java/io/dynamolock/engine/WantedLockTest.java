package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A lock that is wanted does not lie idle, however short the waits of those who want it. */
class WantedLockTest {

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST_FREE = Duration.ofMillis(150);

    static Stream<Duration> waits() {
        return Stream.of(Duration.ofMillis(20), Duration.ofMillis(50), Duration.ofMillis(100), SECOND, MINUTE);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void loneCallersThatAskAgainAndAgainGetItOften(Duration wait) {
        Sections sections = new Sections(wait, 1);

        // Half of what callers that do not wait got in the trial that found the lock idle.
        assertThat(sections.eachSecond()).isGreaterThan(44);
        assertThat(sections.longestFree).isLessThanOrEqualTo(LONGEST_FREE);
    }

    @ParameterizedTest
    @MethodSource("waits")
    void manyCallersThatAskAgainAndAgainGetAtLeastHalfOfWhatNoWaitGets(Duration wait) {
        Sections without = new Sections(Duration.ZERO, 8);
        Sections with = new Sections(wait, 8);

        assertThat(with.eachSecond()).isGreaterThan(without.eachSecond() / 2);
        assertThat(with.longestFree).isLessThanOrEqualTo(LONGEST_FREE);
    }

    /** Four processes want the lock all the time, for sections of 1 ms. */
    private static final class Sections {

        private static final Duration PLAYED = Duration.ofSeconds(20);

        private final Cluster cluster = new Cluster();
        private final Duration wait;
        private int grants;
        private Duration longestFree = Duration.ZERO;
        private long freeSince;

        Sections(Duration wait, int callersEach) {
            this.wait = wait;
            List<SimulatedProcess> processes = cluster.startedProcesses(4);
            freeSince = cluster.time.nanos();
            for (SimulatedProcess process : processes) {
                for (int i = 0; i < callersEach; i++) {
                    askAgain(process);
                }
            }
            cluster.time.advance(PLAYED);
        }

        long eachSecond() {
            return grants / PLAYED.toSeconds();
        }

        private void askAgain(SimulatedProcess process) {
            process.acquire(KEY, wait).outcome().thenAccept(outcome -> {
                if (outcome instanceof AcquireOutcome.Granted granted) {
                    grants++;
                    Duration free = Duration.ofNanos(cluster.time.nanos() - freeSince);
                    longestFree = free.compareTo(longestFree) > 0 ? free : longestFree;
                    cluster.time.schedule(() -> release(process, granted.grant()), MILLI);
                } else {
                    cluster.time.schedule(() -> askAgain(process), MILLI);
                }
            });
        }

        private void release(SimulatedProcess process, Grant grant) {
            freeSince = cluster.time.nanos();
            grant.release().thenRun(() -> cluster.time.schedule(() -> askAgain(process), Duration.ZERO));
        }
    }
}
