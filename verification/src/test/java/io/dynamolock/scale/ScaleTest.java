package io.dynamolock.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.VirtualTime;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.scale.VirtualTable.Call;
import io.dynamolock.scale.VirtualTable.Purpose;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code benchmarks/scaling.md} says, as far as a few seconds allow: counted, not timed. */
class ScaleTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration SECTION = Duration.ofMillis(10);
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long SEED = 1;
    private static final LockKey KEY = new LockKey("order-4711", "default");

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
    void aSectionBehindAnotherProcessCostsTwoWritesAndAFewLooks() {
        Contention.Result result = run(new Contention.Load(40, 40, 1, SECTION, SECOND, LIMIT));

        assertThat(result.perSection(result.usage().lockWrites())).isLessThanOrEqualTo(2.1);
        assertThat(result.perSection(result.usage().lifeReads()))
                .as("reads of sessions: a queue that moves needs few")
                .isLessThanOrEqualTo(1);
        assertThat(result.ledger().outOfOrder()).isZero();
    }

    /**
     * If all who read while the first is late planned for that, whole queues would be late: with these seeds 103 to 111 sections a
     * second.
     */
    @ParameterizedTest
    @CsvSource({"0, 1, 200", "0, 5, 200", "0, 15, 200", "50, 1, 18"})
    void aHundredProcessesPassOneKeyOnForAtMostThreeUnits(long sectionMillis, long seed, double sectionsPerSecond) {
        Contention.Result result =
                run(new Contention.Load(100, 1_000, 1, Duration.ofMillis(sectionMillis), SECOND, LIMIT), seed);

        assertThat(result.perSection(result.usage().lockWrites())).isLessThanOrEqualTo(3);
        assertThat(result.perSection(result.usage().lifeReads())).isLessThanOrEqualTo(1);
        assertThat(result.sectionsPerSecond()).isGreaterThanOrEqualTo(sectionsPerSecond);
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
    void howeverManyCrashTogetherTheLockIsFreeAfterTwoLeases() {
        Waits waits = Crash.run(Contestant.DYNAMOLOCK, Crash.Kind.HALF_OF_ALL, SEED, 3);

        assertThat(waits.longest()).isLessThan(Duration.ofSeconds(42));
    }

    /** {@code -Dscale.outage.processes=1000 -Dscale.outage=PT3H} for the whole size. */
    @Test
    void afterAnOutageAllAreServedNoLockStaysIdleAndNoFloodOfCallsComes() {
        int processes = Integer.getInteger("scale.outage.processes", 100);
        Duration lasts = Duration.parse(System.getProperty("scale.outage", "PT20M"));
        int keys = processes / 20;

        Outage.Result result =
                Outage.run(new Contention.Load(processes, 10 * processes, keys, SECTION, SECOND, LIMIT), lasts, SEED);

        assertThat(result.ledger().releases()).isEqualTo(10 * processes);
        assertThat(result.ledger().overlaps()).isZero();
        assertThat(result.during()).as("calls a second without answers").isLessThan(processes);
        assertThat(result.after()).as("calls in the worst second then").isLessThan(40L * processes);
        assertThat(result.atTheEnd()).as("calls a second when all are served").isLessThan(5L * processes);
        assertThat(result.ledger().longestIdle()).isLessThan(Duration.ofSeconds(10));
        assertThat(result.servedWithin()).isLessThan(Duration.ofSeconds(40));
    }

    /** Other keys are on other partitions. */
    @ParameterizedTest
    @CsvSource({"1, 3500, 500, 2750", "4, 1000, 2000, 750"})
    void onePartitionTakesAThousandUnitsASecondAndWhatWasSavedUp(int units, int calls, long everyMicros, long served) {
        VirtualTime time = new VirtualTime();
        VirtualTable table = new VirtualTable(time, SEED);
        for (int i = 0; i < calls; i++) {
            write(table, "key", units);
            write(table, "other key " + i % 10, 1);
            time.advance(Duration.ofNanos(1_000 * everyMicros));
        }
        time.advance(SECOND);

        assertThat(calls - table.usage().throttled()).isCloseTo(served, within(50L));
    }

    private static void write(VirtualTable table, String key, int units) {
        table.write(new Call(Purpose.LOCK, key, () -> units), () -> true, done -> {}, () -> {});
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "49, 1", "99, 2", "199, 4"})
    void anAppendCostsTheUnitsOfTheQueueThatItLeavesBehind(int waiting, int units) {
        LockItem item = item(waiting);

        assertThat(Capacity.ofWrite(KEY, item, append(200))).isEqualTo(units);
        assertThat(Capacity.ofWrite(KEY, item, append(Math.max(1, waiting))))
                .as("refused, or the first")
                .isEqualTo(Math.max(1, (Capacity.size(KEY, item) + 1_023) / 1_024));
    }

    @Test
    void aReadThatMayBeOldCostsHalfAUnitForAFullQueue() {
        assertThat(Capacity.ofRead(KEY, item(200), false)).isEqualTo(0.5);
        assertThat(Capacity.ofRead(KEY, item(200), true)).isEqualTo(1);
    }

    private static LockItem item(int entries) {
        return new LockItem(
                1_800_000_000_000_000L,
                IntStream.range(0, entries).mapToObj(ScaleTest::largest).toList(),
                0,
                LockData.EMPTY);
    }

    private static Edit append(int bound) {
        return new Edit(new TreeMap<>(), null, List.of(largest(1_000)), bound, 0, true, null, 0, 0);
    }

    /** An entry of 18 bytes. */
    private static Entry largest(int session) {
        return new Entry.OfSession(SessionId.of(session), 100_000_000, Mode.EXCLUSIVE, 70);
    }

    private static Contention.Result run(Contention.Load load) {
        return run(load, SEED);
    }

    private static Contention.Result run(Contention.Load load, long seed) {
        Contention.Result result = Contention.run(Contestant.DYNAMOLOCK, load, seed);
        assertThat(result.isFinished()).isTrue();
        assertThat(result.ledger().overlaps()).isZero();
        return result;
    }
}
