package io.dynamolock.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks the claims of {@code benchmarks/scaling.md}, as far as a few seconds allow, by counting rather than timing.
 */
class ScaleTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SECTION = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long SEED = 1;

    /**
     * If all processes that read while the first one is late planned for its delay, whole queues would be late: with
     * these seeds, 103 to 111 sections a second.
     */
    @ParameterizedTest
    @CsvSource({"0, 1, 200", "0, 5, 200", "0, 15, 200", "50, 1, 18"})
    void aHundredProcessesHandOneLockOnForAtMostThreeUnitsEach(
            long sectionMillis, long seed, double sectionsPerSecond) {
        Contention.Load load = new Contention.Load(100, 1_000, 1, Duration.ofMillis(sectionMillis), SECOND, LIMIT);

        Contention.Result result = Contention.run(load, DynamoLockSystem.USUAL_QUEUE, seed);

        assertThat(result.isFinished()).isTrue();
        assertThat(result.ledger().overlaps()).isZero();
        assertThat(result.perSection(result.usage().lockWrites())).isLessThanOrEqualTo(3);
        assertThat(result.perSection(result.usage().lifeReads())).isLessThanOrEqualTo(1);
        assertThat(result.sectionsPerSecond()).isGreaterThanOrEqualTo(sectionsPerSecond);
    }

    /** {@code -Dscale.outage.processes=1000 -Dscale.outage=PT3H} runs the full size. */
    @Test
    void afterAnOutageAllAreServedSoonWithoutAFloodOfCalls() {
        int processes = Integer.getInteger("scale.outage.processes", 100);
        Duration lasts = Duration.parse(System.getProperty("scale.outage", "PT20M"));
        int keys = processes / 20;

        Outage.Result result =
                Outage.run(new Contention.Load(processes, 10 * processes, keys, SECTION, SECOND, LIMIT), lasts, SEED);

        assertThat(result.ledger().releases()).isEqualTo(10 * processes);
        assertThat(result.ledger().overlaps()).isZero();
        // Each process begins a session about once a second, and the pauses are shortened by up to a quarter.
        assertThat(result.during()).as("calls a second without answers").isLessThan(2L * processes);
        assertThat(result.after()).as("calls in the worst second then").isLessThan(40L * processes);
        assertThat(result.atTheEnd()).as("calls a second when all are served").isLessThan(5L * processes);
        assertThat(result.ledger().longestIdle()).isLessThan(Duration.ofSeconds(10));
        assertThat(result.servedWithin()).isLessThan(Duration.ofSeconds(40));
    }
}
