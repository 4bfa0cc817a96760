package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How the first waiting block of a process gets the lock from other processes. */
class FrontTest {

    private static final Duration LEASE = Workbench.SETTINGS.lease();
    private static final Duration POLL = Workbench.SETTINGS.pollMin();
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

        bench.time.advance(POLL.multipliedBy(3).minus(MILLI));
        assertThat(looks()).isOne();
        bench.time.advance(MILLI);

        assertThat(looks()).isEqualTo(2);
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
        for (int i = 2; i < 7; i++) {
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
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.LOST_ANSWER);

        bench.time.advance(POLL.multipliedBy(3));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.CLAIM)).isOne();
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void claimsThatFailAreRepeatedWithGrowingPausesThoughLooksGetThrough() {
        holder.holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
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

    // Strays of our own

    @Test
    void aWriteOfThisProcessThatLandedAfterItWasGivenUpIsTakenBack() {
        Acquisition kept = engine.acquire(
                new AcquireSpec(new LockKey("warm-up", "default"), "test", AcquireSpec.FOREVER, null, null));
        bench.time.settle();
        var own = ((AcquireOutcome.Granted) kept.outcome().join()).grant();
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

    // Eviction

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
        waitWhileItBeats(Duration.ofMillis(600), idle);

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

        assertThat(acquisition.outcome().join()).isInstanceOf(AcquireOutcome.Failed.class);
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
        bench.faults.always(StoreOperation.LOOK, Fault.THROTTLED);
        bench.time.settle();
        bench.faults.always(StoreOperation.LOOK, Fault.REFUSED);
        bench.time.advance(Duration.ofSeconds(10));

        assertThat(acquisition.outcome().join()).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(bench.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aRefusedLookFailsEveryoneAndLeavesNothing() {
        holder.holds();
        List<Acquisition> waiting = List.of(acquire(AcquireSpec.FOREVER), acquire(AcquireSpec.FOREVER));
        bench.time.settle();
        bench.faults.next(StoreOperation.LOOK, Fault.REFUSED);

        bench.time.advance(POLL);

        assertThat(waiting)
                .allSatisfy(acquisition -> assertThat(acquisition.outcome().join())
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
