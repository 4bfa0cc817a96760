package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edit;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockItem;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.Mode;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever somebody writes into a lock's item, only that lock suffers, and no process calls the store without end. */
class OddItemsTest {

    private static final LockKey OTHER = new LockKey("untouched", "default");

    @ParameterizedTest
    @ValueSource(longs = {0, 100, 200, 300, 400})
    void anItemChangedByHandHarmsNoOtherLockAndCausesNoFloodOfWrites(long firstSeed) {
        for (long seed = firstSeed; seed < firstSeed + 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Bench bench = new Bench();
            LockEngine process = bench.processThatHasUsedTheLock();
            LockEngine other = bench.processWithSession();
            SessionId[] living = bench.table.sessionIds().toArray(SessionId[]::new);
            Acquisition holds = process.acquire(Bench.exclusive());
            Acquisition waits = other.acquire(Bench.exclusive(Duration.ofSeconds(5)));
            bench.advanceMillis(random.nextLong(40));

            LockItem there = bench.table.lock(Bench.KEY);
            List<Entry> strangeEntries = IntStream.range(0, random.nextInt(1, 6))
                    .mapToObj(i -> entry(random, living))
                    .toList();
            LockData data = LockData.of("odd");
            bench.table.edit(
                    Bench.KEY,
                    new Edit(new TreeMap<>(), null, strangeEntries, 1_000, 0, false, data, random.nextInt(3), 1),
                    Instant.EPOCH);
            if (random.nextBoolean() && !there.queue().isEmpty()) {
                Entry changed = entry(random, living);
                bench.table.edit(Bench.KEY, Edits.reissue(0, there.first(), changed, null), Instant.EPOCH);
            }
            bench.network.resetCounts();
            bench.advanceMillis(3_000);
            int writes = bench.network.writes();
            Acquisition untouched = other.acquire(
                    Specs.exclusive(OTHER).waiting(Duration.ofMinutes(1)).spec());
            bench.advanceMillis(3_000);

            assertThat(writes).as("writes of seed %s", seed).isLessThan(40);
            assertThat(untouched.outcome()).as("another lock, seed %s", seed).isDone();
            assertThat(waits.outcome())
                    .as("a wait of five seconds, seed %s", seed)
                    .isDone();
            if (holds.outcome().isDone() && holds.outcome().join() instanceof AcquireOutcome.Granted granted) {
                bench.release(granted.grant());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MAX_VALUE - 7, Long.MAX_VALUE - 5_807})
    void aTailNearTheGreatestNumberHarmsThatLockAlone(long tail) {
        Bench bench = new Bench();
        LockEngine process = bench.processThatHasUsedTheLock();
        Edit resize = new Edit(new TreeMap<>(), null, List.of(), 0, 0, false, null, 1, tail - 1);
        LockKey poisoned = new LockKey("poisoned", "default");
        bench.table.edit(poisoned, resize, Instant.EPOCH);
        assertThat(bench.table.lock(poisoned).tail()).isEqualTo(tail);

        Acquisition tried = bench.acquire(process, Bench.exclusive(poisoned, Duration.ZERO), 1_000);

        assertThat(tried.outcome()).isDone();
        assertThat(bench.granted(process.acquire(Bench.exclusive(OTHER, Duration.ofMinutes(1))))
                        .ticket())
                .isLessThan(1L << 60);
    }

    private static Entry entry(SplittableRandom random, SessionId[] living) {
        Mode mode = Mode.values()[random.nextInt(3)];
        if (random.nextInt(6) == 0) {
            return new Entry.Kept(mode, Instant.ofEpochMilli(random.nextLong(1L << 42)));
        }
        SessionId session =
                random.nextBoolean() ? living[random.nextInt(living.length)] : SessionId.of(random.nextLong());
        return new Entry.OfSession(session, random.nextLong(1, 9), mode, random.nextInt(1, 4096));
    }
}
