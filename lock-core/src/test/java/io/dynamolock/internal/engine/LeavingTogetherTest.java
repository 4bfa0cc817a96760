package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What it costs when many entries leave a queue at the same time. */
class LeavingTogetherTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "PERMIT"})
    void ninetyWaitsThatEndTogetherCostAtMostThreeWrites(Kind kind) {
        bench.granted(bench.processThatHasUsedTheLock().acquire(spec(kind, 1, MINUTE)));
        LockEngine process = bench.processWithSession();
        List<Acquisition> waits = Acquisitions.start(process, 90, spec(kind, 1, Duration.ofSeconds(5)));
        bench.advanceMillis(4_900);
        bench.network.resetCounts();

        bench.advanceMillis(1_000);

        assertThat(waits).allMatch(waiter -> waiter.outcome().join() instanceof AcquireOutcome.TimedOut);
        assertThat(bench.queue()).hasSize(1);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(3);
    }

    @Test
    void fiftyPermitsOfAProcessReleasedTogetherCostAtMostThreeWrites() {
        List<Grant> permits = permits(bench.processThatHasUsedTheLock(), 50);
        bench.network.resetCounts();

        List<CompletableFuture<Boolean>> released =
                permits.stream().map(grant -> grant.release(null)).toList();
        bench.advanceMillis(1_000);

        assertThat(released).allSatisfy(release -> assertThat(release).isCompletedWithValue(true));
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.network.writes()).isLessThanOrEqualTo(3);
    }

    @Test
    void aProcessThatStopsReleasesNinetyPermitsInAtMostThreeWrites() {
        LockEngine process = bench.processThatHasUsedTheLock();
        permits(process, 90);
        bench.network.resetCounts();

        process.shutdown();
        bench.advanceMillis(1_000);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.network.writes()).isLessThanOrEqualTo(3);
    }

    @ParameterizedTest(name = "{0} processes")
    @CsvSource({"20, 6", "60, 12"})
    void permitsOfManyProcessesReleasedAtOnceCostAFewWritesEach(int processes, int most) {
        jitter();
        List<Grant> permits = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            permits.add(bench.granted(bench.processWithSession().acquire(spec(Kind.PERMIT, processes, MINUTE))));
        }
        bench.network.resetCounts();

        permits.forEach(grant -> grant.release(null));
        bench.advanceMillis(1_000);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.network.writes()).isLessThanOrEqualTo(most * processes);
    }

    @Test
    void aReleaseWithoutAnAnswerHoldsUpNoOtherRelease() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant first = bench.granted(process.acquire(spec(Kind.PERMIT, 2, MINUTE)));
        Grant second = bench.granted(process.acquire(spec(Kind.PERMIT, 2, MINUTE)));
        Acquisition waiting = bench.acquire(bench.processWithSession(), spec(Kind.PERMIT, 2, MINUTE), 1_000);
        bench.network.next(Call.EDIT, Fate.STALLED, 1);
        first.release(null);
        bench.advanceMillis(100);

        CompletableFuture<Boolean> released = second.release(null);
        bench.advanceMillis(2_000);

        assertThat(released).isCompletedWithValue(true);
        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void aReleaseReturnsAfterTwoEditsThoughTheStoreIsSilentAndCallersKeepComing() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant grant = bench.grant(process);
        bench.network.always(Call.EDIT, Fate.SILENT);
        bench.network.resetCounts();

        CompletableFuture<Boolean> released = grant.release(null);
        for (int i = 0; i < 8; i++) {
            bench.advanceMillis(300);
            process.acquire(spec(Kind.EXCLUSIVE, 0, MINUTE));
        }

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(3);
    }

    private void jitter() {
        SplittableRandom random = new SplittableRandom(3);
        bench.network.oneWayTakes(() -> Duration.ofNanos(random.nextLong(1_500_000, 4_500_000)));
    }

    private List<Grant> permits(LockEngine process, int count) {
        return Stream.generate(() -> bench.granted(process.acquire(spec(Kind.PERMIT, count, MINUTE))))
                .limit(count)
                .toList();
    }

    private static AcquireSpec spec(Kind kind, int permits, Duration wait) {
        return Specs.as(kind, Bench.KEY)
                .permits(kind == Kind.PERMIT ? permits : 0)
                .waiting(wait)
                .spec();
    }
}
