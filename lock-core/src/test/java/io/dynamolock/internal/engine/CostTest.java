package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a lock costs, in calls. A write that fails its condition counts, because it is billed. */
class CostTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.begun();

    @Test
    void aSectionBehindAnotherProcessCostsTwoWritesHoweverManyWait() {
        Grant held = bench.grant(process);
        List<Acquisition> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(bench.acquire(bench.begunBeside(), Bench.exclusive(), 20));
        }
        bench.reset();
        bench.release(held);
        for (Acquisition next : waiting) {
            bench.release(bench.granted(next));
        }

        assertThat(bench.writes).as("the appends were before").isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({"EXCLUSIVE, 3", "READ, 3", "PERMIT, 4"})
    void aHundredCallersThatArriveTogetherCostAnAppendOrTwoAndARemovalOrTwo(Kind kind, int most) {
        List<Acquisition> callers = Bench.callers(process, 100, Bench.spec(kind, MINUTE));
        callers.forEach(Bench::releaseAtOnce);
        bench.advance(1_000);

        assertThat(callers).allMatch(Bench::isGranted);
        assertThat(bench.writes).isLessThanOrEqualTo(most);
        assertThat(bench.reads).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aTurnAtWhoseEndOthersAreWaitingAgainCostsOneWrite() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        Acquisition behind = bench.acquire(other, Bench.exclusive(), 30);
        Acquisition again = bench.acquire(process, Bench.exclusive(), 1);
        bench.reset();

        bench.release(held);
        bench.release(bench.granted(behind));
        Grant next = bench.granted(again);

        assertThat(bench.writes)
                .as("one to pass it on and wait again, one of the other")
                .isEqualTo(2);
        bench.release(next);
    }

    @Test
    void anOutageOfHoursLeavesNothingToCatchUpOn() {
        bench.fate = Bench.Fate.SILENT;
        Acquisition waiting = process.acquire(Bench.forever());
        bench.time.advance(Duration.ofHours(3));
        bench.reset();
        bench.fate = Bench.Fate.ANSWERED;

        bench.release(bench.granted(waiting));

        assertThat(bench.sessionWrites)
                .as("the end of the old session, a beginning, and those that were under way")
                .isLessThanOrEqualTo(4);
        assertThat(bench.writes).isLessThanOrEqualTo(4);
    }

    @Test
    void whoDoesNotWaitCostsOneWriteOrNoneIfItsProcessHoldsTheLock() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        bench.reset();

        Acquisition ofTheOther = bench.acquire(other, Bench.exclusive(Duration.ZERO));
        assertThat(ofTheOther.outcome()).isDone();
        assertCosts(1, 0);
        assertThat(bench.sessionReads).isLessThanOrEqualTo(1);

        bench.reset();
        Acquisition ofTheSame = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1);
        assertThat(ofTheSame.outcome()).isDone();
        assertCosts(0, 0);
        bench.release(held);
    }

    @Test
    void whoGivesUpCostsTwoWrites() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        bench.reset();

        Acquisition waits = bench.acquire(other, Bench.exclusive(Duration.ofSeconds(3)), 3_100);

        assertThat(waits.outcome()).isDone();
        assertThat(bench.writes).isEqualTo(2);
        assertThat(bench.queue()).hasSize(1);
        bench.release(held);
    }

    @Test
    void dataLeftByTheReleaseCostsNothingMoreAndDataWrittenBeforeOneWrite() {
        Grant grant = bench.grant(process);
        bench.reset();
        grant.putData(LockData.of("now"));
        bench.advance(100);
        assertCosts(1, 0);
        grant.release(LockData.of("left"));
        bench.advance(100);
        assertCosts(2, 0);

        assertThat(bench.table.lock(Bench.KEY).data()).isEqualTo(LockData.of("left"));
    }

    @Test
    void aFreeLockCostsTwoWritesAlsoIfAnotherProcessHadItAMomentAgo() {
        LockEngine other = bench.begunBeside();
        bench.release(bench.grant(process));
        assertCosts(2, 0);
        bench.reset();

        bench.release(bench.grant(other));

        assertCosts(2, 0);
    }

    @Test
    void aHundredCallersBehindAnotherProcessCostThreeWritesAndReadsAtHalfPrice() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        List<Acquisition> callers = Bench.callers(other, 100, Bench.exclusive());
        bench.advance(1_000);
        bench.release(held);
        callers.forEach(caller -> bench.release(bench.granted(caller)));

        assertThat(bench.writes - 1).as("without the holder's release").isLessThanOrEqualTo(3);
        assertThat(bench.reads).isPositive();
        assertThat(bench.consistentReads).isZero();
    }

    @Test
    void aHundredCallersOnASlowMachineCostFourWritesAtTheMost() {
        List<Acquisition> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Acquisition next = process.acquire(Bench.exclusive());
            next.outcome()
                    .thenAccept(outcome -> bench.time.in(
                            Duration.ofNanos(50_000), () -> Bench.grant(next).release(null)));
            callers.add(next);
            bench.time.advance(Duration.ofNanos(100_000));
        }
        bench.advance(1_000);

        assertThat(callers).allMatch(Bench::isGranted);
        assertThat(bench.writes).isLessThanOrEqualTo(4);
    }

    @Test
    void aReadServesAllCallersOfAProcessAndIsRareBehindALongHold() {
        bench.grant(process);
        Bench.callers(bench.begunBeside(), 10, Bench.exclusive());
        bench.advance(100);
        bench.reset();
        bench.advance(200);
        assertThat(bench.reads).as("each ten milliseconds, and the way").isBetween(8, 21);
        bench.advance(30_000);
        bench.reset();
        bench.advance(10_000);

        assertThat(bench.reads).isBetween(8, 15);
        assertThat(bench.sessionReads).as("about one for each heartbeat").isLessThanOrEqualTo(4);
    }

    @Test
    void waitsThatEndOneAfterTheOtherCauseNoMoreReadsThanOne() {
        bench.grant(process);
        LockEngine other = bench.begunBeside();
        for (int i = 0; i < 800; i++) {
            bench.acquire(other, Bench.exclusive(Duration.ofSeconds(5)), 100);
        }
        assertThat(bench.reads).as("in 80 seconds").isLessThanOrEqualTo(300);
    }

    @Test
    void nobodyReadsWhileTheHolderIsInTheSameProcess() {
        bench.grant(process);
        Bench.callers(process, 10, Bench.exclusive());
        bench.advance(1_000);
        bench.reset();
        bench.advance(10_000);

        assertCosts(0, 0);
        assertThat(bench.sessionReads).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "PERMIT"})
    void aReaderOrAPermitCostsTwoWritesAndOneMoreIfItsPlaceHasChanged(Kind kind) {
        Grant first = bench.granted(process.acquire(Bench.spec(kind, MINUTE)));
        Grant second = bench.granted(bench.begunBeside().acquire(Bench.spec(kind, MINUTE)));
        bench.reset();
        bench.release(first);
        assertThat(bench.writes).isOne();

        bench.release(second);

        assertThat(bench.writes).isLessThanOrEqualTo(3);
        assertThat(bench.reads).isZero();
    }

    @Test
    void theStartAndTheStopOfAProcessCostTwoWrites() {
        LockEngine another = bench.process();
        bench.release(bench.grant(another));
        another.shutdown();
        bench.advance(100);

        assertThat(bench.sessionWrites).isEqualTo(2);
        assertCosts(2, 0);
    }

    @Test
    void anInspectionOrAPageOfAListCostsARead() {
        bench.grant(process);
        Bench.callers(bench.begunBeside(), 3, Bench.exclusive());
        bench.advance(7);
        bench.reset();

        process.inspect(Bench.KEY);
        process.list(null, null);
        bench.advance(9);

        assertThat(bench.consistentReads).isOne();
        assertThat(bench.count(Bench.Call.LIST)).isOne();
        assertThat(bench.sessionReads).isEqualTo(2);
        assertThat(bench.writes).isZero();
    }

    @Test
    void aThousandHeldLocksCostOneHeartbeatAnInterval() {
        List<Acquisition> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            all.add(process.acquire(Bench.exclusive(new LockKey("key-" + i, "default"), MINUTE)));
        }
        all.forEach(bench::granted);
        bench.reset();
        bench.advance(15_000);

        assertThat(bench.sessionWrites).isEqualTo(3);
        assertCosts(0, 0);
        assertThat(process.held()).hasSize(1_000);
    }

    // Leaders, tries, readers and permits beside others

    @Test
    void aReaderThatDoesNotWaitBesideReadersOfOthersCostsThreeWrites() {
        LockEngine other = bench.begunBeside();
        bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        bench.reset();

        bench.release(bench.granted(other.acquire(Bench.spec(Kind.READ, Duration.ZERO))));

        assertCosts(3, 0);
    }

    @Test
    void aWriterBehindReadersOfAnotherProcessCostsTwoWrites() {
        LockEngine other = bench.begunBeside();
        Grant reader = bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        Acquisition writer = bench.acquire(other, Bench.spec(Kind.WRITE, MINUTE));
        bench.release(reader);
        bench.release(bench.granted(writer));

        assertThat(bench.writes).as("the reader's were two").isEqualTo(4);
    }

    @Test
    void permitsThatComeOrGoTogetherCostOneWriteAndATryInVainOne() {
        LockEngine other = bench.begunBeside();
        bench.reset();
        List<Grant> permits = Bench.callers(process, 100, Bench.spec(Kind.PERMIT, MINUTE)).stream()
                .map(bench::granted)
                .toList();
        assertCosts(1, 0);
        bench.reset();

        Acquisition tried = bench.acquire(other, Bench.spec(Kind.PERMIT, Duration.ZERO));
        assertThat(tried.outcome()).isDone();
        assertCosts(1, 0);
        bench.reset();
        permits.forEach(permit -> permit.release(null));
        bench.advance(100);

        assertThat(bench.queue()).isEmpty();
        assertCosts(1, 0);
    }

    @Test
    void theFirstTryAfterALockWasKeptCostsTwoWritesMore() {
        LockEngine next = bench.begunBeside();
        bench.granted(process.acquire(
                Specs.exclusive(Bench.KEY).waiting(MINUTE).holdAtLeast(MINUTE).spec()));
        process.shutdown();
        bench.advance(70_000);
        bench.reset();

        bench.release(bench.granted(next.acquire(Bench.exclusive(Duration.ZERO))));

        assertCosts(4, 0);
    }

    @Test
    void whoDoesNotWaitCostsNothingWhereItsProcessWaitsForTheLock() {
        bench.grant(process);
        LockEngine other = bench.begunBeside();
        bench.acquire(other);
        bench.reset();

        Acquisition tried = bench.acquire(other, Bench.exclusive(Duration.ZERO), 1);

        assertThat(tried.outcome()).isDone();
        assertThat(bench.writes).isZero();
    }

    private void assertCosts(int writes, int reads) {
        assertThat(bench.writes).as("writes").isEqualTo(writes);
        assertThat(bench.reads).as("reads").isEqualTo(reads);
    }
}
