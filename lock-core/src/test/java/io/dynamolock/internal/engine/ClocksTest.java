package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong wall clocks, and a store that tells a wrong time or none: one of the two witnesses may be wrong. */
class ClocksTest {

    private static final Duration LEASE = Bench.LEASE;
    private static final Duration LOCK_DELAY = LEASE.dividedBy(12);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final List<Duration> OFF = List.of(YEAR.negated(), MINUTE.negated(), Duration.ZERO, MINUTE, YEAR);

    /** What answers of the store tell of its time. */
    private enum Told {
        RIGHT,
        MISSING,
        CACHED,
        FAST;

        void by(Network network) {
            switch (this) {
                case RIGHT -> {}
                case MISSING -> network.storeTellsNoTime();
                case CACHED -> network.setStoreClockAhead(MINUTE.negated());
                case FAST -> network.setStoreClockAhead(MINUTE);
            }
        }
    }

    private final Bench bench = new Bench();

    private static Stream<Arguments> pairsOfClocks() {
        return OFF.stream()
                .flatMap(owner -> OFF.stream()
                        .flatMap(watcher ->
                                Arrays.stream(Told.values()).map(told -> Arguments.of(owner, watcher, told))));
    }

    @ParameterizedTest
    @MethodSource("pairsOfClocks")
    void noPairOfWallClocksGivesALockTwoHolders(Duration owner, Duration watcher, Told told) {
        told.by(bench.network);
        LockEngine holder = processOff(owner);
        Grant held = bench.grant(holder);
        for (int attempt = 0; attempt < 10; attempt++) {
            triesToGetIt(watcher, held);
            bench.advanceMillis(4_000);
        }
        assertThat(held.isValid()).as("after 40 seconds of heartbeats").isTrue();

        bench.network.always(Network.Call.HEARTBEAT, Network.Fate.SILENT);
        for (int attempt = 0; attempt < 10; attempt++) {
            triesToGetIt(watcher, held);
            bench.advanceMillis(4_000);
        }
    }

    /** A process that has just started asks for the lock, and another one waits: neither may have it too early. */
    private void triesToGetIt(Duration off, Grant held) {
        LockEngine fresh = processOff(off);
        Acquisition attempt = bench.acquire(fresh, Bench.exclusive(Duration.ZERO), 500);
        assertThat(held.isValid() && Acquisitions.isGranted(attempt)).isFalse();
        attempt.abandon();
        fresh.shutdown();
        bench.advanceMillis(100);
    }

    @ParameterizedTest(name = "a wall clock off by {0} s, waits of {1} s")
    @CsvSource({"0, 0", "-2, 0", "2, 0", "0, 3", "2, 3"})
    void aFreshProcessGetsADeadOnesLockAboutALeaseLater(long off, long wait) {
        LockEngine holder = processOff(Duration.ofSeconds(off));
        bench.grant(holder);
        bench.advanceMillis(7_000);
        bench.machineOf(holder).loop.die();
        Duration most = LEASE.plus(LOCK_DELAY).plusSeconds(10);

        Instant died = bench.time.now();
        Duration passed = Duration.ZERO;
        while (!isGot(wait)) {
            bench.advanceMillis(500);
            passed = Duration.between(died, bench.time.now());
            assertThat(passed).isLessThanOrEqualTo(most);
        }
        assertThat(passed).isGreaterThan(LEASE.minusSeconds(5));
    }

    /** Whether a process that has just started gets the lock within this wait. */
    private boolean isGot(long wait) {
        LockEngine fresh = bench.process();
        Acquisition attempt = fresh.acquire(Bench.exclusive(Duration.ofSeconds(wait)));
        bench.time.advanceUntil(attempt.outcome()::isDone, Duration.ofSeconds(wait + 2));
        boolean isGot = Acquisitions.isGranted(attempt);
        if (isGot) {
            bench.release(Acquisitions.grant(attempt));
        }
        fresh.shutdown();
        bench.advanceMillis(100);
        return isGot;
    }

    @Test
    void aWrongClockIsToldOfAndCostsNoLock() {
        LockEngine process = processOff(Duration.ofHours(-5));

        Grant held = bench.grant(process);
        bench.advanceMillis(60_000);

        assertThat(held.isValid()).isTrue();
        assertThat(process.clockProblem().orElseThrow()).contains("Set the clock of this machine");
        bench.release(held);
        bench.machineOf(process).moveWallClock(Duration.ofHours(5).minusSeconds(29));
        bench.grant(process);
        bench.advanceMillis(6_000);
        assertThat(process.clockProblem()).isEmpty();
    }

    @Test
    void aLockWhoseTimeNobodyCouldJudgeIsNotKept() {
        bench.network.storeTellsNoTime();
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.granted(process.acquire(holdingAtLeastAMinute())).release(null);
        process.shutdown();
        bench.advanceMillis(100);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void anAnswerWithoutATimeDoesNotMakeALockKeptByTheWallClock() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.machineOf(process).moveWallClock(YEAR);
        bench.granted(process.acquire(holdingAtLeastAMinute())).release(null);
        bench.network.storeTellsNoTime();
        bench.advanceMillis(6_000);
        process.shutdown();
        bench.advanceMillis(100);

        assertThat(((Entry.Kept) bench.queue().get(0)).until())
                .isBefore(bench.time.now().plus(MINUTE).plusSeconds(2));
    }

    private static AcquireSpec holdingAtLeastAMinute() {
        return Specs.exclusive(Bench.KEY).waiting(MINUTE).holdAtLeast(MINUTE).spec();
    }

    private LockEngine processOff(Duration off) {
        LockEngine process = bench.process();
        bench.machineOf(process).moveWallClock(off);
        return process;
    }
}
