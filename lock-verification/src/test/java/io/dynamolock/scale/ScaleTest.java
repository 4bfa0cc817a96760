package io.dynamolock.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.scale.VirtualTable.Purpose;
import io.dynamolock.simulation.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code docs/scaling.md} says, as far as a few seconds allow: counted, not timed. */
class ScaleTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SECTION = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long SEED = 1;

    @Test
    void aSectionWithoutContentionCostsTwoWritesAndNoRead() {
        Contention.Result result = run(new Contention.Load(100, 1_000, 1_000_000, SECTION, SECOND, LIMIT));

        assertThat(result.usage().lockWrites()).isEqualTo(2_000);
        assertThat(result.usage().reads()).isZero();
    }

    @Test
    void aThousandCallersInOneProcessShareTheirWrites() {
        Contention.Result result = run(new Contention.Load(1, 1_000, 1, SECTION, SECOND, LIMIT));

        assertThat(result.perSection(result.usage().lockWrites())).isLessThan(0.4);
        assertThat(result.usage().reads()).isZero();
    }

    @Test
    void aHandOverBetweenProcessesCostsSixWritesAndAFewReads() {
        Contention.Result result = run(new Contention.Load(200, 200, 1, SECTION, SECOND, LIMIT));

        assertThat(result.perSection(result.usage().lockWrites())).isLessThanOrEqualTo(6.1);
        assertThat(result.perSection(result.usage().lifeReads()))
                .as("reads of sessions: a queue that moves needs few")
                .isLessThan(6);
        assertThat(result.ledger().outOfOrder()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Contestant.class)
    void everyoneIsServed(Contestant contestant) {
        Contention.Load load = new Contention.Load(50, 500, 10, SECTION, SECOND, LIMIT);

        Contention.Result result = Contention.run(contestant, load, SEED);

        assertThat(result.isFinished()).isTrue();
        if (contestant != Contestant.ARTICLE) {
            assertThat(result.ledger().overlaps()).as("two holders").isZero();
        }
    }

    @Test
    void aCrashedHoldersLockIsFreeAfterALeaseAndTwoSeconds() {
        Waits waits = Crash.run(Contestant.DYNAMOLOCK, Crash.Kind.HOLDER, SEED, 3);

        assertThat(waits.longest()).isLessThan(Duration.ofSeconds(22));
    }

    @Test
    void onePartitionTakesAThousandWritesASecond() {
        VirtualTime time = new VirtualTime();
        VirtualTable table = new VirtualTable(time, SEED);
        for (int i = 0; i < 3_500; i++) {
            table.write(Purpose.LOCK, "key", () -> true, done -> {}, () -> {});
            table.write(Purpose.LOCK, "other key " + i % 10, () -> true, done -> {}, () -> {});
            time.advance(Duration.ofMillis(1).dividedBy(2));
        }
        time.advance(SECOND);

        assertThat(table.usage().throttled()).isBetween(700L, 800L);
        assertThat(table.usage().writes()).isBetween(6_200L, 6_300L);
    }

    private static Contention.Result run(Contention.Load load) {
        Contention.Result result = Contention.run(Contestant.DYNAMOLOCK, load, SEED);
        assertThat(result.isFinished()).isTrue();
        assertThat(result.ledger().overlaps()).isZero();
        return result;
    }
}
