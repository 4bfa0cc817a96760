package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that want a lock again and again. */
class ThroughputTest {

    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
    private static final int SEEDS = 10;

    private Bench bench;
    private int sections;

    /** By the monotonic clock: when the lock was last released. */
    private long freeSince;

    private Duration longestFree;

    /** Whether callers go on only when their release is done. */
    private boolean areReleasesAwaited = true;

    /** A quarter of a write if all four callers of a process share an entry, which with some seeds takes longer. */
    @ParameterizedTest(name = "sections of {0} ms, releases awaited: {1}")
    @CsvSource({"0, true", "0, false", "10, true", "10, false"})
    void callersOfAProcessEndUpSharingTheirWrites(long sectionMillis, boolean areAwaited) {
        areReleasesAwaited = areAwaited;
        double writesOfASection = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            start(2_000_000, 4_000_000, seed);
            for (int i = 0; i < 4; i++) {
                LockEngine process = bench.processWithSession();
                for (int j = 0; j < 4; j++) {
                    comesAgain(
                            process,
                            Duration.ofMinutes(1),
                            Duration.ofMillis(sectionMillis),
                            Duration.ofNanos(200_000));
                    bench.advanceMillis(7);
                }
            }
            bench.time.advance(TWO_SECONDS);
            clear();
            bench.time.advance(TWO_SECONDS);
            writesOfASection += bench.network.writes() / (double) sections / SEEDS;
        }

        assertThat(writesOfASection).as("writes for each section").isLessThanOrEqualTo(0.32);
    }

    @ParameterizedTest(name = "{0} callers")
    @ValueSource(ints = {16, 64})
    void allCallersOfASingleProcessShareOneWrite(int callers) {
        start(6_000_000, 1_000_000);
        LockEngine process = bench.processWithSession();
        for (int i = 0; i < callers; i++) {
            comesAgain(process, Duration.ofMinutes(1), Duration.ofNanos(50_000), Duration.ofNanos(200_000));
        }
        bench.advanceMillis(1_000);
        clear();

        bench.time.advance(TWO_SECONDS);

        assertThat(bench.network.writes() * (callers - 2.0))
                .as("writes for %s sections, one for each turn of all, but for the last", sections)
                .isLessThanOrEqualTo(1.1 * sections);
    }

    @ParameterizedTest(name = "{0} callers in each process")
    @ValueSource(ints = {1, 8})
    void aLockThatIsWantedIsNotFreeForLongHoweverShortTheWaits(int callersOfEach) {
        int withoutWait = sectionsWithWait(callersOfEach, Duration.ZERO);
        assertThat(withoutWait).isGreaterThan(20 * 2);
        List<String> tooFew = new ArrayList<>();
        for (long wait : new long[] {1, 8, 100}) {
            int withWait = sectionsWithWait(callersOfEach, Duration.ofMillis(wait));
            if (withWait < withoutWait / 4 || longestFree.compareTo(Duration.ofMillis(150)) > 0) {
                tooFew.add(wait + " ms: " + withWait + ", free for " + longestFree);
            }
        }
        assertThat(tooFew).as("there were %s without a wait", withoutWait).isEmpty();
    }

    private int sectionsWithWait(int callersOfEach, Duration wait) {
        start(2_000_000, 1_000_000);
        for (int i = 0; i < 4; i++) {
            LockEngine process = bench.processWithSession();
            for (int j = 0; j < callersOfEach; j++) {
                comesAgain(process, wait, Duration.ofMillis(1), Duration.ZERO);
            }
        }
        bench.advanceMillis(2_000);
        clear();
        bench.time.advance(TWO_SECONDS);
        return sections;
    }

    private void start(long fastestNanos, long range) {
        start(fastestNanos, range, 1);
    }

    private void start(long fastestNanos, long range, long seed) {
        bench = new Bench();
        SplittableRandom random = new SplittableRandom(seed);
        bench.network.oneWayTakes(() -> Duration.ofNanos(fastestNanos + random.nextLong(range)));
    }

    private void clear() {
        bench.network.resetCounts();
        sections = 0;
        longestFree = Duration.ZERO;
        freeSince = bench.time.nanos();
    }

    /**
     * Lets a caller get the lock again and again: a moment after each release, and a millisecond after each failure.
     */
    private void comesAgain(LockEngine process, Duration wait, Duration section, Duration between) {
        process.acquire(Bench.exclusive(wait)).outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                sections++;
                Duration free = Duration.ofNanos(bench.time.nanos() - freeSince);
                longestFree = longestFree == null || free.compareTo(longestFree) > 0 ? free : longestFree;
                bench.time.in(section, () -> {
                    freeSince = bench.time.nanos();
                    end(granted.grant())
                            .thenRun(() -> bench.time.in(between, () -> comesAgain(process, wait, section, between)));
                });
            } else {
                bench.time.inMillis(1, () -> comesAgain(process, wait, section, between));
            }
        });
    }

    private CompletableFuture<?> end(Grant grant) {
        return areReleasesAwaited ? grant.release(null) : CompletableFuture.completedFuture(grant.releaseUnawaited());
    }
}
