package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the first waiting block of a process gets the lock from other processes. */
class FrontTest {

    private static final Duration LEASE = Workbench.SETTINGS.lease();
    private static final Duration POLL = Workbench.SETTINGS.pollMin();
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MILLI = Duration.ofMillis(1);

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();
    private final Workbench.Stranger holder = bench.stranger(1);

    @BeforeEach
    void startTheSession() {
        engine.acquire(new AcquireSpec(new LockKey("warm-up", "default"), "test", AcquireSpec.FOREVER, null, null))
                .abandon();
        bench.time.settle();
        bench.store.reset();
        bench.heard.events.clear();
    }

    // Polling

    @Test
    void theNextInLineLooksAtEveryPollInterval() {
        holder.holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(looks()).isOne();

        bench.time.advance(POLL.minus(MILLI));
        assertThat(looks()).isOne();
        bench.time.advance(MILLI);
        assertThat(looks()).isEqualTo(2);
        bench.time.advance(POLL.multipliedBy(8));
        assertThat(looks()).isEqualTo(10);
    }

    @Test
    void oneDeeperInTheQueueLooksLessOften() {
        holder.holds();
        bench.stranger(2).queues(1);
        bench.stranger(3).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        bench.time.advance(POLL.multipliedBy(2).minus(MILLI));
        assertThat(looks()).isOne();
        bench.time.advance(MILLI);

        assertThat(looks()).isEqualTo(2);
    }

    @Test
    void oneDeeperInTheQueueWaitsAQuarterOfTheHoldForEachThatIsAhead() {
        holder.holds();
        bench.stranger(2).queues(1);
        bench.stranger(3).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(POLL.multipliedBy(8));
        int before = looks();
        assertThat(bench.time.advanceUntil(() -> looks() > before, SECOND)).isTrue();
        Duration held = Duration.between(bench.table.lockState(KEY).holder().since(), bench.time.now());
        Duration half = held.dividedBy(2);

        bench.time.advance(half.minus(MILLI));
        assertThat(looks()).isEqualTo(before + 1);
        bench.time.advance(MILLI.multipliedBy(2));

        assertThat(looks()).isEqualTo(before + 2);
    }

    @Test
    void noneLooksLessOftenThanTheLongestInterval() {
        EngineSettings settings = new EngineSettings(
                "test",
                LEASE,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                Duration.ofMillis(300),
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofSeconds(4),
                32,
                Duration.ofDays(7));
        LockEngine engine = bench.engine(settings);
        holder.holds();
        for (int i = 2; i < 6; i++) {
            bench.stranger(i).queues(1);
        }
        engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null));
        bench.time.settle();

        bench.time.advance(Duration.ofMillis(999));
        assertThat(looks()).isOne();
        bench.time.advance(MILLI);

        assertThat(looks()).isEqualTo(2);
    }

    @Test
    void aReleasedLockIsClaimedAtTheNextLookAndTheRowGoes() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.advance(MILLI);
        holder.releases();

        bench.time.advance(POLL);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.table.rowCount()).isZero();
        bench.store.reset();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(looks()).as("no polls while holding").isZero();
    }

    @Test
    void looksThatFailAreRepeatedWithGrowingPauses() {
        holder.holds();
        acquire(AcquireSpec.FOREVER);
        bench.faults.next(StoreOperation.LOOK, Fault.THROTTLED, 3);
        bench.time.settle();
        assertThat(looks()).isOne();

        bench.time.advance(Duration.ofMillis(50));
        assertThat(looks()).isEqualTo(2);
        bench.time.advance(Duration.ofMillis(99));
        assertThat(looks()).isEqualTo(2);
        bench.time.advance(MILLI);
        assertThat(looks()).isEqualTo(3);
        bench.time.advance(Duration.ofMillis(199));
        assertThat(looks()).isEqualTo(3);
        bench.time.advance(MILLI);
        assertThat(looks()).isEqualTo(4);

        bench.faults.next(StoreOperation.LOOK, Fault.THROTTLED, 1);
        bench.time.advance(POLL);
        bench.time.advance(Duration.ofMillis(50));
        assertThat(looks()).as("after a success the pauses are short again").isEqualTo(6);
    }

    // Who is first

    @Test
    void aLockThatIsFreeBehindTheOwnNumbersIsClaimedWithoutALook() {
        Workbench.Stranger first = holder.holds();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        first.releases();

        bench.faults.resume();
        bench.time.settle();

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(looks()).isZero();
        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
    }

    @Test
    void aLockThatIsOpenBehindOthersNumbersIsNotClaimedWithoutALook() {
        holder.holds();
        Workbench.Stranger between = bench.stranger(2).queues(1);
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();

        bench.faults.resume();
        bench.time.settle();

        assertThat(waiting.outcome()).isNotDone();
        between.claims();
        between.leaves();
        between.releases();
        bench.time.advance(POLL.multipliedBy(2));
        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aRowThatWasServedIsGarbage() {
        holder.holds();
        Workbench.Stranger served = bench.stranger(2).queues(2);
        holder.releases();
        served.claims();
        served.releases();
        bench.stranger(3).takes(1);

        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(served.isQueued()).isFalse();
    }

    @Test
    void theRowOfADeadProcessIsGarbage() {
        holder.holds();
        Workbench.Stranger dead = bench.stranger(2).queues(1);
        dead.dies();
        holder.releases();

        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.advance(POLL.multipliedBy(3));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(dead.isQueued()).isFalse();
    }

    @Test
    void aRowBehindIsNobodysBusiness() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Workbench.Stranger behind = bench.stranger(2).queues(1);
        behind.dies();
        holder.releases();

        bench.time.advance(POLL);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(behind.isQueued()).isTrue();
    }

    @Test
    void aDeadHoldersLockIsClaimedFromIt() {
        holder.holds();
        holder.dies();

        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.advance(POLL.multipliedBy(2));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void oneWhoseNumberWasServedTakesAnother() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Workbench.Stranger passing = bench.stranger(2).takes(1);
        holder.releases();
        passing.claims();

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isEqualTo(2);
        passing.releases();
        bench.time.advance(POLL);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void aClaimThatLandedThoughItsAnswerWasLostIsFoundByALook() {
        Acquisition waiting = waitForALockJustReleased();
        bench.faults.next(StoreOperation.CLAIM, Fault.LOST_ANSWER);

        bench.time.advance(POLL.multipliedBy(3));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.CLAIM)).isOne();
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void claimsThatFailAreRepeatedWithGrowingPausesThoughLooksGetThrough() {
        Acquisition waiting = waitForALockJustReleased();
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED, 3);

        bench.time.advance(POLL);
        assertThat(claims()).isOne();
        bench.time.advance(Duration.ofMillis(50));
        assertThat(claims()).isEqualTo(2);
        bench.time.advance(Duration.ofMillis(99));
        assertThat(claims()).isEqualTo(2);
        bench.time.advance(MILLI);
        assertThat(claims()).isEqualTo(3);
        bench.time.advance(Duration.ofMillis(199));
        assertThat(claims()).isEqualTo(3);
        bench.time.advance(MILLI);

        assertThat(waiting).matches(Cluster::isGranted);
    }

    // Claims that come to nothing

    @Test
    void oneWhoseClaimCameTooLateGoesOnWaitingWithItsNumber() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        faster.claims();
        bench.store.reset();
        bench.faults.resume();
        bench.time.advance(POLL.minus(MILLI));
        assertThat(looks()).isZero();
        bench.time.advance(MILLI);
        assertThat(looks()).isOne();
        faster.releases();
        bench.time.advance(POLL);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isZero();
        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneThatIsPassedDuringItsClaimTakesAnotherNumber() {
        Acquisition waiting = waitForALockJustReleased();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        Workbench.Stranger passing = bench.stranger(2).takes(1);
        passing.claims();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isEqualTo(2);
        passing.releases();
        bench.time.advance(POLL);
        assertThat(bench.grantOf(waiting).number()).isGreaterThan(passing.last());
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void aClaimThatCameTooLateForOneWhoLeftLeavesNothing() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        faster.claims();
        waiting.abandon();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.locksInUse()).isZero();
        assertThat(faster.isHolder()).isTrue();
    }

    @Test
    void oneWithoutARowWhoseClaimCameToNothingEnters() {
        LockKey other = new LockKey("other", "default");
        holder.holds();
        bench.table.tryAcquire(other, holder.claimant(), 1, bench.time.now());
        holder.dies();
        bench.grantOf(engine.acquire(new AcquireSpec(other, "test", AcquireSpec.FOREVER, null, null)));
        bench.store.reset();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(looks()).as("claimed without a look").isZero();
        Claimant renamed = new Claimant(holder.claimant().session(), new BlockId(new UUID(5, 5)), "stranger");
        bench.table.rename(KEY, holder.claimant().block(), renamed, bench.time.now());

        bench.faults.resume();
        bench.time.settle();

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.ENTER)).isOne();
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneWithoutARowWhoseClaimFailedEntersAndFindsOutWhetherItLanded() {
        for (Fault fault : List.of(Fault.THROTTLED, Fault.LOST_ANSWER)) {
            holder.holds();
            bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
            Acquisition waiting = acquire(AcquireSpec.FOREVER);
            bench.time.settle();
            holder.releases();
            bench.faults.next(StoreOperation.CLAIM, fault);
            bench.faults.resume();
            bench.time.settle();

            assertThat(waiting).matches(Cluster::isGranted);
            assertThat(bench.store.count(StoreOperation.ENTER)).isOne();
            assertThat(claims()).isEqualTo(fault == Fault.THROTTLED ? 2 : 1);
            assertThat(bench.table.rowCount()).isZero();
            bench.grantOf(waiting).release();
            bench.time.settle();
            bench.store.reset();
        }
    }

    @Test
    void oneWhoDoesNotWaitAndWhoseClaimCameTooLateFails() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();
        faster.claims();
        bench.faults.resume();
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isTimedOut);
        assertThat(claims()).isOne();
        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void oneWhoseNumberWasServedAndReleasedDuringItsClaimTakesAnother() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var row = bench.table.rows(KEY).get(0);
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        bench.table.claim(KEY, row.claimant(), row.last(), null, bench.time.now());
        bench.table.release(KEY, row.claimant().block(), bench.time.now());
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.grantOf(waiting).number()).isGreaterThan(row.last());
    }

    @Test
    void afterAClaimThatGotThroughThePausesAreShortAgain() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED, 2);
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED);
        bench.time.advance(POLL.plusMillis(50).plusMillis(100));
        assertThat(claims()).isEqualTo(3);
        faster.claims();
        bench.faults.resume();
        bench.time.settle();
        faster.releases();
        bench.time.advance(POLL);
        assertThat(claims()).isEqualTo(4);

        bench.time.advance(Duration.ofMillis(50));

        assertThat(claims()).isEqualTo(5);
    }

    @Test
    void oneWhoseClaimCameTooLateIsToldWhoHoldsTheLockNow() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        Acquisition waiting = acquire(POLL.plus(MILLI));
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        faster.claims();
        bench.faults.resume();
        bench.time.advance(MILLI);

        assertThat(waiting.outcome().getNow(null))
                .isInstanceOfSatisfying(
                        AcquireOutcome.TimedOut.class,
                        timedOut -> assertThat(timedOut.holder().block())
                                .isEqualTo(faster.claimant().block()));
    }

    @Test
    void aClaimThatFailedJustBeforeIsWhy() {
        holder.holds();
        Acquisition waiting = acquire(POLL.plus(MILLI));
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED);

        bench.time.advance(POLL.plus(MILLI));

        assertThat(waiting.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        bench.time.settle();
        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void oneWhoLeavesTakesBackAClaimIfItMayHaveLanded() {
        for (Fault fault : List.of(Fault.LOST_ANSWER, Fault.THROTTLED)) {
            holder.holds();
            Acquisition waiting = acquire(AcquireSpec.FOREVER);
            bench.time.settle();
            holder.releases();
            bench.faults.next(StoreOperation.CLAIM, fault);
            bench.time.advance(POLL);
            waiting.abandon();
            bench.store.reset();
            bench.time.settle();

            assertThat(bench.store.count(StoreOperation.RELEASE)).isEqualTo(fault == Fault.LOST_ANSWER ? 1 : 0);
            assertThat(bench.table.lockState(KEY).holder()).isNull();
            assertThat(bench.table.rowCount()).isZero();
        }
    }

    @Test
    void aClaimThatFailsAfterEverybodyLeftLeavesNothing() {
        Acquisition waiting = waitForALockJustReleased();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        waiting.abandon();
        bench.time.advance(Workbench.SETTINGS.callTimeout());

        assertThat(bench.table.rowCount()).isZero();
        assertThat(bench.store.count(StoreOperation.RELEASE)).isOne();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void oneWhoseNumberWasServedAndReleasedBehindItsBackTakesAnother() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var row = bench.table.rows(KEY).get(0);
        holder.releases();
        bench.table.claim(KEY, row.claimant(), row.last(), null, bench.time.now());
        bench.table.release(KEY, row.claimant().block(), bench.time.now());
        bench.time.advance(POLL);

        assertThat(bench.grantOf(waiting).number()).isGreaterThan(row.last());
        assertThat(claims()).isZero();
    }

    @Test
    void aClaimThatFailedIsWhyThoughItsRepetitionIsUnderWay() {
        holder.holds();
        Acquisition waiting = acquire(SECOND);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED);
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);

        bench.time.advance(SECOND);

        assertThat(waiting.outcome().getNow(null))
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining("CLAIM THROTTLED"));
    }

    @Test
    void aClaimThatFailedBeforeAnotherHeldTheLockIsNotWhy() {
        holder.holds();
        Workbench.Stranger faster = bench.stranger(2).takes(1);
        Acquisition waiting = acquire(SECOND);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED);
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(POLL);
        faster.claims();
        bench.time.advance(POLL);
        faster.releases();
        bench.time.advance(SECOND.minus(POLL.multipliedBy(2)));

        assertThat(claims()).isEqualTo(2);
        assertThat(waiting).matches(Cluster::isTimedOut);
    }

    // Looks that are asked for

    @Test
    void aLookThatIsAskedForDuringAnotherFollowsIt() {
        holder.holds();
        Workbench.Stranger ahead = bench.stranger(2).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        ahead.dies();
        bench.faults.always(StoreOperation.READ_SESSION, Fault.SLOW_ANSWER);
        bench.time.advance(SECOND);
        bench.faults.next(StoreOperation.LOOK, Fault.SLOW_ANSWER);
        bench.time.advance(SECOND.dividedBy(2));
        assertThat(bench.faults.stalledCalls()).as("two reads and a look").isEqualTo(3);
        bench.store.reset();

        bench.faults.resume();
        bench.time.settle();

        assertThat(looks()).isOne();
    }

    @Test
    void aLookThatIsAskedForDuringOneThatFailsFollowsIt() {
        Workbench.Stranger ahead = bench.stranger(2);
        Acquisition waiting = waitBehindAnOpenLock(ahead);
        bench.time.advance(POLL.multipliedBy(4));
        bench.faults.next(StoreOperation.LOOK, Fault.STALLS);
        ahead.dies();
        int before = looks();
        assertThat(bench.time.advanceUntil(() -> looks() > before, SECOND)).isTrue();
        bench.time.advance(Workbench.SETTINGS.callTimeout());

        assertThat(waiting).as("without a pause").matches(Cluster::isGranted);
    }

    @Test
    void aLookAheadOfTimeStandsInForTheNextPoll() {
        Workbench.Stranger ahead = bench.stranger(2);
        holder.holds();
        ahead.queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofMillis(990));
        ahead.dies();
        bench.time.advance(Duration.ofMillis(230));
        bench.store.reset();
        bench.time.advance(SECOND);

        assertThat(looks()).isEqualTo((int) SECOND.dividedBy(POLL));
    }

    @Test
    void aLongHoldSlowsNobodyOnceItIsOver() {
        Workbench.Stranger first = bench.stranger(2).holds();
        Workbench.Stranger faster = bench.stranger(3).takes(1);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        for (int i = 0; i < 60; i++) {
            bench.time.advance(SECOND);
            first.beats();
            faster.beats();
        }
        first.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.STALLS);
        bench.time.advance(SECOND);
        faster.claims();
        bench.faults.resume();
        bench.time.settle();
        faster.releases();

        bench.time.advance(POLL);

        assertThat(waiting).matches(Cluster::isGranted);
    }

    // Out of sight

    @Test
    void oneThatIsOutOfSightIsNotTakenForEvicted() {
        holder.holds();
        for (int i = 2; i < 11; i++) {
            bench.stranger(i).queues(1);
        }
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(SECOND.multipliedBy(3));

        assertThat(looks()).isGreaterThan(3);
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isOne();
    }

    @Test
    void anEvictedOneTakesANewNumber() {
        holder.holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var row = bench.table.rows(KEY).get(0);
        bench.table.deleteRow(KEY, row.first(), row.claimant().block());

        bench.time.advance(POLL);

        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isEqualTo(2);
        assertThat(bench.table.rowCount()).isOne();
    }

    @Test
    void anEvictedOneTakesANewNumberThoughOthersAreBehindIt() {
        holder.holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        for (int i = 2; i < 11; i++) {
            bench.stranger(i).queues(1);
        }
        var row = bench.table.rows(KEY).get(0);
        bench.table.deleteRow(KEY, row.first(), row.claimant().block());

        bench.time.advance(POLL);

        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isEqualTo(2);
        assertThat(bench.table.rowCount()).isEqualTo(10);
    }

    @Test
    void howOftenOneOutOfSightLooksGoesByTheRowsThatAreProbablyAhead() {
        holder.holds();
        for (int i = 2; i < 14; i++) {
            bench.stranger(i).queues(2);
        }
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(looks()).isOne();

        // Eight rows of two numbers each are seen; nine more numbers are at least four more rows.
        bench.time.advance(POLL.multipliedBy(8 + 4).minus(MILLI));
        assertThat(looks()).isOne();
        bench.time.advance(MILLI);

        assertThat(looks()).isEqualTo(2);
    }

    @Test
    void theLastRowThatALookShowsIsInSight() {
        holder.holds();
        for (int i = 2; i < 9; i++) {
            bench.stranger(i).queues(1);
        }
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.stranger(9).queues(1);

        bench.time.advance(SECOND.multipliedBy(2));

        assertThat(bench.store.count(StoreOperation.READ_SESSION))
                .as("those ahead are watched closely")
                .isGreaterThanOrEqualTo(8);
    }

    @Test
    void moreGarbageThanALookShowsIsNotInTheWayThoughItCannotBeDeleted() {
        holder.holds();
        for (int i = 2; i < 11; i++) {
            bench.stranger(i).queues(1).dies();
        }
        bench.faults.always(StoreOperation.DELETE_ROW, Fault.THROTTLED);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        waitWhileItBeats(LEASE.dividedBy(2), holder);
        holder.releases();
        bench.time.advance(SECOND);
        assertThat(waiting).matches(Cluster::isGranted);

        bench.faults.heal();
        bench.time.advance(SECOND.multipliedBy(5));

        assertThat(bench.table.rowCount()).isZero();
    }

    // Holders who hold for long

    @Test
    void aHolderWhoHoldsForALeaseIsAskedAboutIt() {
        holder.holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        waitWhileItBeats(LEASE.minusSeconds(1), holder);
        assertThat(bench.store.count(StoreOperation.DISPUTE)).isZero();
        waitWhileItBeats(SECOND.multipliedBy(2), holder);

        assertThat(bench.store.count(StoreOperation.DISPUTE)).isOne();
    }

    @Test
    void aHolderWhoIsFoundByThoseWhoDoNotWaitForALeaseIsAskedAboutIt() {
        holder.holds();
        acquire(Duration.ZERO);
        bench.time.settle();
        assertThat(bench.store.polls()).isZero();
        waitWhileItBeats(LEASE, holder);
        assertThat(bench.store.count(StoreOperation.DISPUTE)).isZero();

        acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.DISPUTE)).isOne();
    }

    // Strays of our own

    @Test
    void aWriteOfThisProcessThatLandedAfterItWasGivenUpIsTakenBack() {
        Acquisition kept = engine.acquire(
                new AcquireSpec(new LockKey("warm-up", "default"), "test", AcquireSpec.FOREVER, null, null));
        bench.time.settle();
        var own = ((AcquireOutcome.Granted) kept.outcome().getNow(null)).grant();
        assertThat(own.isValid()).isTrue();
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.LANDS_LATE);
        Acquisition given = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        given.abandon();
        bench.time.advance(Duration.ofSeconds(1));
        bench.faults.landLate();
        assertThat(bench.table.lockState(KEY).holder()).isNotNull();

        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aRowOfThisProcessThatNobodyStandsBehindIsGarbage() {
        holder.holds();
        bench.faults.next(StoreOperation.ENTER, Fault.LANDS_TWICE);
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        leaving.abandon();
        bench.time.settle();
        bench.faults.landLate();
        assertThat(bench.table.rowCount()).isOne();
        holder.releases();

        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneWhoDoesNotWaitGetsALockThatOnlyAStrayWriteOfItsOwnHolds() {
        bench.grantOf(engine.acquire(
                new AcquireSpec(new LockKey("other", "default"), "test", AcquireSpec.FOREVER, null, null)));
        bench.faults.next(StoreOperation.TRY_ACQUIRE, Fault.LANDS_LATE);
        Acquisition given = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        given.abandon();
        bench.time.advance(SECOND);
        bench.faults.landLate();

        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isGranted);
    }

    // Eviction

    @Test
    void aRowIsEvictedExactlyALeaseAfterItWasFirstSeenBeforeAnOpenLock() {
        bench.table.createSession(Workbench.sessionId(2), Duration.ofDays(1), "stranger", bench.time.now());
        Workbench.Stranger idle = bench.stranger(2);
        waitBehindAnOpenLock(idle);

        bench.time.advance(LEASE.minusNanos(1));
        assertThat(idle.isQueued()).isTrue();
        bench.time.advance(Duration.ofNanos(1));

        assertThat(idle.isQueued()).isFalse();
    }

    @Test
    void aRowThatDoesNotTakeAnOpenLockForALeaseIsEvicted() {
        holder.holds();
        Workbench.Stranger idle = bench.stranger(2).queues(1);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        waitWhileItBeats(LEASE.multipliedBy(2), holder, idle);
        assertThat(idle.isQueued()).as("while the lock is held").isTrue();
        holder.releases();

        waitWhileItBeats(LEASE.minus(Duration.ofMillis(200)), idle);
        assertThat(idle.isQueued()).isTrue();
        // It looked once a second behind the long hold.
        waitWhileItBeats(Duration.ofMillis(600).plus(SECOND), idle);

        assertThat(idle.isQueued()).isFalse();
        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void oneWithTwoAheadWaitsTwoLeasesBeforeItEvicts() {
        holder.holds();
        Workbench.Stranger idle = bench.stranger(2).queues(1);
        Workbench.Stranger next = bench.stranger(3).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();

        waitWhileItBeats(LEASE.multipliedBy(2).minus(Duration.ofMillis(200)), idle, next);
        assertThat(idle.isQueued()).isTrue();
        waitWhileItBeats(Duration.ofMillis(600), idle, next);

        assertThat(idle.isQueued()).isFalse();
        assertThat(next.isQueued()).isTrue();
    }

    @Test
    void eachRowHasALeaseOfItsOwn() {
        holder.holds();
        Workbench.Stranger first = bench.stranger(2).queues(1);
        Workbench.Stranger second = bench.stranger(3).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        waitWhileItBeats(LEASE.minusSeconds(1), first, second);
        first.leaves();

        waitWhileItBeats(LEASE.minusSeconds(1), second);

        assertThat(second.isQueued()).isTrue();
    }

    // Those who do not wait

    @Test
    void oneWhoDoesNotWaitFailsBehindALiveRow() {
        holder.holds();
        Workbench.Stranger ahead = bench.stranger(2).queues(1);
        holder.releases();

        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isTimedOut);
        assertThat(ahead.isQueued()).isTrue();
        assertThat(bench.table.rowCount()).isOne();
        assertThat(engine.waiting()).isZero();
    }

    @Test
    void oneWhoDoesNotWaitGetsAnOpenLockThatNobodyLiveWaitsFor() {
        holder.holds();
        Workbench.Stranger ahead = bench.stranger(2).queues(1);
        holder.releases();
        ahead.dies();

        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isGranted);
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneWhoDoesNotWaitGetsTheLockOfADeadHolder() {
        holder.holds();
        holder.dies();

        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isGranted);
    }

    @Test
    void oneWhoDoesNotWaitPutsUpWithFailuresForTheTimeOfOneCall() {
        holder.holds();
        bench.stranger(2).takes(1);
        holder.releases();
        bench.faults.always(StoreOperation.LOOK, Fault.THROTTLED);
        Acquisition acquisition = acquire(Duration.ZERO);

        bench.time.advance(Workbench.SETTINGS.callTimeout().minus(MILLI));
        assertThat(acquisition.outcome()).isNotDone();
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(acquisition.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(bench.store.count(StoreOperation.DELETE_ROW))
                .as("it had no row")
                .isZero();
    }

    @Test
    void aClaimOfOneWhoDoesNotWaitThatWasNotAnsweredIsTakenBackWhenItGivesUp() {
        holder.holds();
        bench.stranger(2).takes(1);
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.LOST_ANSWER);
        Acquisition acquisition = acquire(Duration.ZERO);
        assertThat(bench.time.advanceUntil(() -> claims() == 1, POLL)).isTrue();
        bench.faults.always(StoreOperation.LOOK, Fault.THROTTLED);
        bench.time.advance(Duration.ofSeconds(10));

        assertThat(acquisition.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(bench.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aRefusedLookFailsEveryoneAndLeavesNothing() {
        holder.holds();
        Acquisition first = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        List<Acquisition> waiting = List.of(first, acquire(AcquireSpec.FOREVER));
        bench.time.settle();
        bench.faults.next(StoreOperation.LOOK, Fault.REFUSED);

        bench.time.advance(POLL);

        assertThat(waiting)
                .allSatisfy(acquisition -> assertThat(acquisition.outcome().getNow(null))
                        .isInstanceOfSatisfying(AcquireOutcome.Failed.class, failed -> {
                            assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.REFUSED);
                            assertThat(failed.waited()).isEqualTo(POLL);
                        }));
        assertThat(bench.table.rowCount()).isZero();
        assertThat(engine.waiting()).isZero();
    }

    private Acquisition acquire(Duration wait) {
        return engine.acquire(new AcquireSpec(KEY, "test", wait, null, null));
    }

    /** First in line; the next look finds the lock open. */
    private Acquisition waitForALockJustReleased() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        return waiting;
    }

    /** The look that finds the lock open has just been answered. */
    private Acquisition waitBehindAnOpenLock(Workbench.Stranger ahead) {
        holder.holds();
        ahead.queues(1);
        holder.releases();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(looks()).isOne();
        return waiting;
    }

    private int claims() {
        return bench.store.count(StoreOperation.CLAIM);
    }

    private int looks() {
        return bench.store.polls();
    }

    private void waitWhileItBeats(Duration duration, Workbench.Stranger... strangers) {
        Duration rest = duration;
        while (rest.compareTo(Duration.ZERO) > 0) {
            Duration step = rest.compareTo(Duration.ofSeconds(1)) > 0 ? Duration.ofSeconds(1) : rest;
            bench.time.advance(step);
            for (Workbench.Stranger stranger : strangers) {
                stranger.beats();
            }
            rest = rest.minus(step);
        }
    }
}
