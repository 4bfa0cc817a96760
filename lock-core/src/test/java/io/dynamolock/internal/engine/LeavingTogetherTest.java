package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.Bench.Call;
import io.dynamolock.internal.engine.Bench.Fate;
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

/** What many entries cost that leave a queue at the same time. */
class LeavingTogetherTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "PERMIT"})
    void ninetyWaitsThatEndTogetherTakeThreeWritesAtTheMost(Kind kind) {
        bench.granted(bench.begun().acquire(spec(kind, 1, MINUTE)));
        LockEngine process = bench.begunBeside();
        List<Acquisition> waits = Bench.callers(process, 90, spec(kind, 1, Duration.ofSeconds(5)));
        bench.advance(4_900);
        bench.reset();

        bench.advance(1_000);

        assertThat(waits).allMatch(each -> each.outcome().join() instanceof AcquireOutcome.TimedOut);
        assertThat(bench.queue()).hasSize(1);
        assertThat(bench.writes).isLessThanOrEqualTo(3);
    }

    @Test
    void fiftyPermitsOfOneProcessThatAreReleasedTogetherTakeThreeWritesAtTheMost() {
        List<Grant> permits = permits(bench.begun(), 50);
        bench.reset();

        List<CompletableFuture<Boolean>> released =
                permits.stream().map(grant -> grant.release(null)).toList();
        bench.advance(1_000);

        assertThat(released).allSatisfy(release -> assertThat(release).isCompletedWithValue(true));
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.writes).isLessThanOrEqualTo(3);
    }

    @Test
    void aProcessThatStopsWithNinetyPermitsTakesThreeWritesAtTheMostToLetThemGo() {
        LockEngine process = bench.begun();
        permits(process, 90);
        bench.reset();

        process.shutdown();
        bench.advance(1_000);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.writes).isLessThanOrEqualTo(3);
    }

    @ParameterizedTest(name = "{0} processes")
    @CsvSource({"20, 6", "60, 12"})
    void permitsOfManyProcessesThatAreReleasedAtOnceTakeAFewWritesEach(int processes, int most) {
        jitter();
        List<Grant> permits = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            permits.add(bench.granted(bench.begunBeside().acquire(spec(Kind.PERMIT, processes, MINUTE))));
        }
        bench.reset();

        permits.forEach(grant -> grant.release(null));
        bench.advance(1_000);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.writes).isLessThanOrEqualTo(most * processes);
    }

    @Test
    void aReleaseWithoutAnAnswerKeepsNoOtherRelease() {
        LockEngine process = bench.begun();
        Grant first = bench.granted(process.acquire(spec(Kind.PERMIT, 2, MINUTE)));
        Grant second = bench.granted(process.acquire(spec(Kind.PERMIT, 2, MINUTE)));
        Acquisition waiting = bench.acquire(bench.begunBeside(), spec(Kind.PERMIT, 2, MINUTE), 1_000);
        bench.next(Call.EDIT, Fate.STALLED, 1);
        first.release(null);
        bench.advance(100);

        CompletableFuture<Boolean> released = second.release(null);
        bench.advance(2_000);

        assertThat(released).isCompletedWithValue(true);
        assertThat(waiting).matches(Bench::isGranted);
    }

    @Test
    void aReleaseReturnsAfterTwoEditsThoughTheStoreIsSilentAndCallersCome() {
        LockEngine process = bench.begun();
        Grant grant = bench.grant(process);
        bench.always(Call.EDIT, Fate.SILENT);
        bench.reset();

        CompletableFuture<Boolean> released = grant.release(null);
        for (int i = 0; i < 8; i++) {
            bench.advance(300);
            process.acquire(spec(Kind.EXCLUSIVE, 0, MINUTE));
        }

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.writes).isLessThanOrEqualTo(3);
    }

    private void jitter() {
        SplittableRandom random = new SplittableRandom(3);
        bench.oneWay = () -> Duration.ofNanos(random.nextLong(1_500_000, 4_500_000));
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
