package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
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
    private final LockEngine process = bench.processThatHasUsedTheLock();

    @Test
    void aSectionBehindAnotherProcessCostsTwoWritesHoweverManyWait() {
        Grant held = bench.grant(process);
        List<Acquisition> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(bench.acquire(bench.processWithSession(), Bench.exclusive(), 20));
        }
        bench.network.resetCounts();
        bench.release(held);
        for (Acquisition next : waiting) {
            bench.release(bench.granted(next));
        }

        assertThat(bench.network.writes()).as("the appends were counted before").isEqualTo(11);
    }

    @ParameterizedTest
    @CsvSource({"EXCLUSIVE, 3", "READ, 3", "PERMIT, 4"})
    void aHundredCallersThatArriveTogetherCostAtMostTwoAppendsAndTwoRemovals(Kind kind, int most) {
        List<Acquisition> callers = Acquisitions.start(process, 100, Bench.spec(kind, MINUTE));
        callers.forEach(Acquisitions::releaseAtOnce);
        bench.advanceMillis(1_000);

        assertThat(callers).allMatch(Acquisitions::isGranted);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(most);
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aTurnCostsOneWriteIfCallersOfTheProcessWaitAgainAtItsEnd() {
        Grant held = bench.grant(process);
        LockEngine other = bench.processWithSession();
        Acquisition behind = bench.acquire(other, Bench.exclusive(), 30);
        Acquisition again = bench.acquire(process, Bench.exclusive(), 1);
        bench.network.resetCounts();

        bench.release(held);
        bench.release(bench.granted(behind));
        Grant next = bench.granted(again);

        assertThat(bench.network.writes())
                .as("a write that removes and appends, and one of the other process")
                .isEqualTo(2);
        bench.release(next);
    }

    @Test
    void anOutageOfHoursLeavesNothingToCatchUpOn() {
        bench.network.always(Network.Fate.SILENT);
        Acquisition waiting = process.acquire(Bench.waitingForever());
        bench.time.advance(Duration.ofHours(3));
        bench.network.resetCounts();
        bench.network.always(Network.Fate.ANSWERED);

        bench.release(bench.granted(waiting));

        assertThat(bench.network.sessionWrites())
                .as("the end of the old session, a beginning, and those that were under way")
                .isLessThanOrEqualTo(4);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(4);
    }

    @Test
    void aCallerThatDoesNotWaitCostsOneWriteAndNoneIfItsProcessHoldsTheLock() {
        Grant held = bench.grant(process);
        LockEngine other = bench.processWithSession();
        bench.network.resetCounts();

        Acquisition inOtherProcess = bench.acquire(other, Bench.exclusive(Duration.ZERO));
        assertThat(inOtherProcess.outcome()).isDone();
        assertCosts(1, 0);
        assertThat(bench.network.sessionReads()).isLessThanOrEqualTo(1);

        bench.network.resetCounts();
        Acquisition inSameProcess = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1);
        assertThat(inSameProcess.outcome()).isDone();
        assertCosts(0, 0);
        bench.release(held);
    }

    @Test
    void aWaitThatTimesOutCostsTwoWrites() {
        Grant held = bench.grant(process);
        LockEngine other = bench.processWithSession();
        bench.network.resetCounts();

        Acquisition waits = bench.acquire(other, Bench.exclusive(Duration.ofSeconds(3)), 3_100);

        assertThat(waits.outcome()).isDone();
        assertThat(bench.network.writes()).isEqualTo(2);
        assertThat(bench.queue()).hasSize(1);
        bench.release(held);
    }

    @Test
    void aLongHoldCostsOneWriteIfEarlierEntriesOfItsTurnAreUsedUpAndShortHoldsNone() {
        Grant before = bench.grant(process);
        List<Acquisition> shortly = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            shortly.add(bench.acquire(process));
        }
        Acquisition last = bench.acquire(process);
        bench.network.resetCounts();
        before.release();
        for (Acquisition next : shortly) {
            Grant grant = bench.granted(next);
            bench.advanceMillis(1_900);
            grant.release();
        }
        bench.granted(last);
        bench.advanceMillis(1_900);
        assertCosts(0, 0);

        bench.advanceMillis(60_000);

        assertCosts(1, 0);
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void dataLeftByAReleaseCostsNothingAndDataPutDuringTheHoldOneWrite() {
        Grant grant = bench.grant(process);
        bench.network.resetCounts();
        grant.putData(LockData.of("now"));
        bench.advanceMillis(100);
        assertCosts(1, 0);
        grant.release(LockData.of("left"));
        bench.advanceMillis(100);
        assertCosts(2, 0);

        assertThat(bench.table.lock(Bench.KEY).data()).isEqualTo(LockData.of("left"));
    }

    @Test
    void aFreeLockCostsTwoWritesEvenIfAnotherProcessHeldItAMomentAgo() {
        LockEngine other = bench.processWithSession();
        bench.release(bench.grant(process));
        assertCosts(2, 0);
        bench.network.resetCounts();

        bench.release(bench.grant(other));

        assertCosts(2, 0);
    }

    @Test
    void aHundredCallersBehindAnotherProcessCostThreeWritesAndOneConsistentReadASecond() {
        Grant held = bench.grant(process);
        LockEngine other = bench.processWithSession();
        List<Acquisition> callers = Acquisitions.start(other, 100, Bench.exclusive());
        bench.advanceMillis(1_000);
        bench.release(held);
        callers.forEach(caller -> bench.release(bench.granted(caller)));

        assertThat(bench.network.writes() - 1)
                .as("without the holder's release")
                .isLessThanOrEqualTo(3);
        assertThat(bench.network.reads()).isPositive();
        assertThat(bench.network.consistentReads()).as("in one second").isLessThanOrEqualTo(1);
    }

    @Test
    void oneReadASecondIsConsistentWhileAProcessWaitsAndNoneIfItDoesNot() {
        bench.grant(process);
        Acquisition waiting = bench.acquire(bench.processWithSession(), Bench.waitingForever());
        bench.network.resetCounts();
        bench.advanceMillis(10_000);
        assertThat(bench.network.consistentReads()).isBetween(8, 10);
        assertThat(bench.network.reads()).isGreaterThan(100);

        waiting.abandon();
        bench.advanceMillis(1_000);
        bench.network.resetCounts();
        bench.advanceMillis(30_000);
        assertThat(bench.network.reads()).isZero();
    }

    @Test
    void aHundredCallersOnASlowMachineCostAtMostFourWrites() {
        List<Acquisition> callers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            Acquisition next = process.acquire(Bench.exclusive());
            next.outcome()
                    .thenAccept(outcome -> bench.time.in(
                            Duration.ofNanos(50_000),
                            () -> Acquisitions.grant(next).release(null)));
            callers.add(next);
            bench.time.advance(Duration.ofNanos(100_000));
        }
        bench.advanceMillis(1_000);

        assertThat(callers).allMatch(Acquisitions::isGranted);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(4);
    }

    @Test
    void oneReadServesAllCallersOfAProcessAndReadsAreRareBehindALongHold() {
        bench.grant(process);
        Acquisitions.start(bench.processWithSession(), 10, Bench.exclusive());
        bench.advanceMillis(100);
        bench.network.resetCounts();
        bench.advanceMillis(100);
        assertThat(bench.network.reads())
                .as("the next after 5 ms, or when the last is answered, after 6 ms: 100 / 6")
                .isBetween(15, 17);
        bench.advanceMillis(30_000);
        bench.network.resetCounts();
        bench.advanceMillis(10_000);

        assertThat(bench.network.reads())
                .as("a fortieth of the hold would be 750 ms, so one every 250 ms")
                .isBetween(39, 40);
        assertThat(bench.network.consistentReads()).as("one a second").isBetween(9, 10);
        assertThat(bench.network.sessionReads())
                .as("about one for each heartbeat")
                .isLessThanOrEqualTo(4);
    }

    @Test
    void noPollIsSentWhileAnEditIsUnderWayThatIsAnsweredInTime() {
        bench.grant(process);
        LockEngine other = bench.processWithSession();
        bench.acquire(other, Bench.spec(Kind.WRITE, MINUTE));
        int appends = bench.network.count(Network.Call.APPEND);
        other.acquire(Bench.spec(Kind.READ, MINUTE));
        bench.time.advanceUntil(() -> bench.network.count(Network.Call.APPEND) > appends, Duration.ofMillis(100));
        int reads = bench.network.reads();

        bench.time.advance(Duration.ofNanos(5_900_000));

        assertThat(bench.network.reads())
                .as("an edit takes 6 ms, the polling interval is 5 ms")
                .isEqualTo(reads);
    }

    @Test
    void waitsThatEndOneAfterAnotherCauseNoMoreReadsThanASingleWait() {
        bench.grant(process);
        LockEngine other = bench.processWithSession();
        for (int i = 0; i < 800; i++) {
            bench.acquire(other, Bench.exclusive(Duration.ofSeconds(5)), 100);
        }
        assertThat(bench.network.reads())
                .as(
                        "one every 6 ms for 0.24 s, forty while the hold becomes e times as long, and four a second from 10 s"
                                + " to 80 s: 40 + 40 * ln(10 / 0.24) + 280 = 469")
                .isLessThanOrEqualTo(469);
    }

    @Test
    void nobodyReadsWhileTheHolderIsInTheSameProcess() {
        bench.grant(process);
        Acquisitions.start(process, 10, Bench.exclusive());
        bench.advanceMillis(1_000);
        bench.network.resetCounts();
        bench.advanceMillis(10_000);

        assertCosts(0, 0);
        assertThat(bench.network.sessionReads()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "PERMIT"})
    void aReaderOrAPermitCostsTwoWritesAndOneMoreIfItsPlaceHasChanged(Kind kind) {
        Grant first = bench.granted(process.acquire(Bench.spec(kind, MINUTE)));
        Grant second = bench.granted(bench.processWithSession().acquire(Bench.spec(kind, MINUTE)));
        bench.network.resetCounts();
        bench.release(first);
        assertThat(bench.network.writes()).isOne();

        bench.release(second);

        assertThat(bench.network.writes()).isLessThanOrEqualTo(3);
        assertThat(bench.network.reads()).isZero();
    }

    @Test
    void theFirstSessionOfAProcessCostsThreeWritesFromStartToStop() {
        LockEngine started = bench.process();
        bench.release(bench.grant(started));
        started.shutdown();
        bench.advanceMillis(100);

        assertThat(bench.network.sessionWrites())
                .as("with the heartbeat that tells the time")
                .isEqualTo(3);
        assertCosts(2, 0);
    }

    @Test
    void anInspectionOrAPageOfAListCostsOneReadAndOneOfSessions() {
        bench.grant(process);
        Acquisitions.start(bench.processWithSession(), 3, Bench.exclusive());
        bench.advanceMillis(7);
        bench.network.resetCounts();

        process.inspect(Bench.KEY);
        process.list(null, null);
        bench.advanceMillis(9);

        assertThat(bench.network.consistentReads()).isOne();
        assertThat(bench.network.count(Network.Call.LIST)).isOne();
        assertThat(bench.network.sessionReads()).isEqualTo(2);
        assertThat(bench.network.writes()).isZero();
    }

    @Test
    void aThousandHeldLocksCostOneHeartbeatPerInterval() {
        List<Acquisition> acquisitions = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            acquisitions.add(process.acquire(Bench.exclusive(new LockKey("key-" + i, "default"), MINUTE)));
        }
        acquisitions.forEach(bench::granted);
        bench.network.resetCounts();
        bench.advanceMillis(15_000);

        assertThat(bench.network.sessionWrites()).isEqualTo(3);
        assertCosts(0, 0);
        assertThat(process.held()).hasSize(1_000);
    }

    // Readers, permits and callers that do not wait

    @Test
    void aReaderThatDoesNotWaitBesideReadersOfOtherProcessesCostsThreeWrites() {
        LockEngine other = bench.processWithSession();
        bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        bench.network.resetCounts();

        bench.release(bench.granted(other.acquire(Bench.spec(Kind.READ, Duration.ZERO))));

        assertCosts(3, 0);
    }

    @Test
    void aWriterBehindReadersOfAnotherProcessCostsTwoWrites() {
        LockEngine other = bench.processWithSession();
        Grant reader = bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        Acquisition writer = bench.acquire(other, Bench.spec(Kind.WRITE, MINUTE));
        bench.release(reader);
        bench.release(bench.granted(writer));

        assertThat(bench.network.writes()).as("the reader's were two").isEqualTo(4);
    }

    @Test
    void permitsAcquiredOrReleasedTogetherCostOneWriteAndSoDoesAFailedTry() {
        LockEngine other = bench.processWithSession();
        bench.network.resetCounts();
        List<Grant> permits = Acquisitions.start(process, 100, Bench.spec(Kind.PERMIT, MINUTE)).stream()
                .map(bench::granted)
                .toList();
        assertCosts(1, 0);
        bench.network.resetCounts();

        Acquisition tried = bench.acquire(other, Bench.spec(Kind.PERMIT, Duration.ZERO));
        assertThat(tried.outcome()).isDone();
        assertCosts(1, 0);
        bench.network.resetCounts();
        permits.forEach(permit -> permit.release(null));
        bench.advanceMillis(100);

        assertThat(bench.queue()).isEmpty();
        assertCosts(1, 0);
    }

    @Test
    void theFirstTryAfterALockWasKeptForAStoppedProcessCostsTwoMoreWrites() {
        LockEngine next = bench.processWithSession();
        bench.granted(process.acquire(
                Specs.exclusive(Bench.KEY).waiting(MINUTE).holdAtLeast(MINUTE).spec()));
        process.shutdown();
        bench.advanceMillis(70_000);
        bench.network.resetCounts();

        bench.release(bench.granted(next.acquire(Bench.exclusive(Duration.ZERO))));

        assertCosts(4, 0);
    }

    @Test
    void aCallerThatDoesNotWaitCostsNothingIfItsProcessWaitsForTheLock() {
        bench.grant(process);
        LockEngine other = bench.processWithSession();
        bench.acquire(other);
        bench.network.resetCounts();

        Acquisition tried = bench.acquire(other, Bench.exclusive(Duration.ZERO), 1);

        assertThat(tried.outcome()).isDone();
        assertThat(bench.network.writes()).isZero();
    }

    private void assertCosts(int writes, int reads) {
        assertThat(bench.network.writes()).as("writes").isEqualTo(writes);
        assertThat(bench.network.reads()).as("reads").isEqualTo(reads);
    }
}
