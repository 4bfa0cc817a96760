package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.Dispute;
import io.dynamolock.store.Holder;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How a lock passes from caller to caller of a process, and on. */
class TenureTest {

    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration NANO = Duration.ofNanos(1);

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();

    @BeforeEach
    void blocksFollowTheirOwnHolder() {
        bench.refuseExtensions();
    }

    // Waiting for numbers

    @Test
    void theEndOfABlockWaitsAQuarterOfASecondForNumbers() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition next = acquire();
        bench.time.settle();

        CompletableFuture<Boolean> released = held.release();
        bench.time.advance(PATIENCE.minus(NANO));
        assertThat(releases()).isZero();
        assertThat(released).isNotDone();
        bench.time.advance(NANO);
        assertThat(releases()).isOne();
        assertThat(released).isCompletedWithValue(true);
        assertThat(holder()).isNull();

        bench.faults.resume();
        bench.time.settle();
        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isZero();
    }

    @Test
    void numbersThatCannotBeTakenAreNotWaitedFor() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        acquire();
        bench.time.advance(Workbench.SETTINGS.callTimeout().minus(Duration.ofMillis(100)));

        held.release();
        bench.time.advance(Duration.ofMillis(100));

        assertThat(holder()).isNull();
        assertThat(releases()).isOne();
    }

    @Test
    void numbersThatFollowDirectlyAreServedByHandOver() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition next = acquire();
        bench.time.settle();
        held.release();
        bench.time.advance(Duration.ofMillis(100));
        bench.faults.resume();

        Grant second = bench.grantOf(next);

        assertThat(second.number()).isEqualTo(held.number() + 1);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(releases()).isZero();
        int timersOfTheSession = 2;
        int timerOfTheHold = 1;
        assertThat(bench.loop.timers()).isEqualTo(timersOfTheSession + timerOfTheHold);
        bench.time.advance(PATIENCE);
        assertThat(second.isValid()).isTrue();
        assertThat(releases()).isZero();
    }

    @Test
    void numbersThatDoNotFollowDirectlyAreNot() {
        Grant held = bench.grantOf(acquire());
        Workbench.Stranger between = bench.stranger(1).queues(1);
        Acquisition next = acquire();
        bench.time.settle();

        held.release();
        bench.time.settle();

        assertThat(releases()).isOne();
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isZero();
        assertThat(next.outcome()).isNotDone();
        between.leaves();
        bench.time.advance(Duration.ofMillis(100));
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void numbersThatCannotFollowDirectlyAreNotWaitedFor() {
        Grant held = bench.grantOf(acquire());
        bench.stranger(1).queues(1);
        acquireAndSettle();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        acquireAndSettle();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(holder()).isNull();
    }

    @Test
    void numbersThatWereAskedForInTimeAreWaitedForThoughOthersHaveComeSince() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.THROTTLED);
        Acquisition second = acquireAndSettle();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition third = acquireAndSettle();
        bench.stranger(1).queues(1);
        bench.time.advance(Duration.ofMillis(100));
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(2);

        held.release();
        bench.grantOf(second).release();
        bench.time.settle();
        assertThat(releases()).isZero();
        bench.faults.resume();

        assertThat(bench.grantOf(third).number()).isEqualTo(held.number() + 2);
    }

    // Handing over

    @Test
    void blocksThatEverybodyLeftAreSkipped() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition leaving = acquireAndSettle();
        Acquisition alsoLeaving = acquireAndSettle();
        Acquisition staying = acquireAndSettle();
        leaving.abandon();
        alsoLeaving.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        held.release();

        assertThat(bench.grantOf(staying).number()).isEqualTo(held.number() + 3);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(2);
        assertThat(releases()).isZero();
    }

    @Test
    void theLockIsHandedOverWhileItsHolderStillRuns() {
        Grant held = bench.grantOf(acquire());
        Holder before = holder();
        Acquisition next = acquireAndSettle();
        assertThat(bench.table.lockState(KEY).serving()).isEqualTo(held.number() + 1);
        assertThat(next.outcome()).isNotDone();
        bench.store.reset();

        held.release();
        bench.time.settle();

        assertThat(bench.grantOf(next).number()).isEqualTo(held.number() + 1);
        assertThat(bench.store.total()).isZero();
        assertThat(holder().block()).isEqualTo(before.block());
        bench.grantOf(next).release();
        bench.time.settle();
        assertThat(holder()).isNull();
    }

    @Test
    void oneHandOverIsForAllWhoFollow() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        List<Acquisition> following =
                List.of(acquireAndSettle(), acquireAndSettle(), acquireAndSettle(), acquireAndSettle());
        bench.faults.resume();
        bench.time.settle();
        held.release();

        bench.grantOf(following.get(0)).release();

        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(2);
        assertThat(bench.table.lockState(KEY).serving()).isEqualTo(held.number() + 4);
        for (Acquisition one : following.subList(1, 4)) {
            bench.grantOf(one).release();
        }
        bench.time.settle();
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(2);
        assertThat(holder()).isNull();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void theLockIsHandedOverWhenHalfOfThoseBeforeAreServed() {
        List<Acquisition> block = List.of(acquire(), acquire(), acquire(), acquire(), acquire());
        Grant first = bench.grantOf(block.get(0));
        acquireAndSettle();
        first.release();
        Grant second = bench.grantOf(block.get(1));
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isZero();

        second.release();
        bench.time.settle();

        assertThat(bench.grantOf(block.get(2)).isValid()).isTrue();
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
    }

    @Test
    void whoLeavesDuringAHandOverIsNotServed() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.SLOW_ANSWER);
        Acquisition leaving = acquireAndSettle();
        Acquisition staying = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();
        held.release();

        bench.grantOf(staying).release();

        bench.time.settle();
        assertThat(holder()).isNull();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void whoLeavesAfterAHandOverIsNotServed() {
        Grant held = bench.grantOf(acquire());
        Acquisition leaving = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();
        Acquisition staying = acquireAndSettle();

        held.release();

        assertThat(bench.grantOf(staying).number()).isEqualTo(held.number() + 2);
    }

    @Test
    void aHandOverForNobodyDoesNotHoldUpTheRelease() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition leaving = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();

        held.release();
        bench.time.settle();
        assertThat(holder()).isNull();
        assertThat(engine.locksInUse()).isZero();

        bench.faults.resume();
        bench.time.settle();
        assertThat(holder()).as("the hand-over lands late").isNull();
    }

    @Test
    void aForgottenHandOverThatFailsLetsNoReleaseReturnBeforeItsWrite() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition leaving = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();
        Acquisition next = acquireAndSettle();
        held.release();
        bench.time.advance(Workbench.SETTINGS.callTimeout());
        bench.faults.next(StoreOperation.RELEASE, Fault.STALLS);

        CompletableFuture<Boolean> released = bench.grantOf(next).release();
        bench.time.settle();

        assertThat(released).isNotDone();
    }

    @Test
    void behindALongHoldThoseWhoComeAndLeaveCostNoHandOverEach() {
        bench.grantOf(acquire());

        for (int i = 0; i < 100; i++) {
            Acquisition leaving = acquireAndSettle();
            leaving.abandon();
            bench.time.settle();
        }

        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
    }

    @Test
    void aHandOverDoesNotMakeAHoldLookYounger() {
        bench.grantOf(acquire());
        Holder before = holder();
        bench.time.advance(Duration.ofSeconds(3));

        acquireAndSettle();

        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(holder().since()).isEqualTo(before.since());
    }

    @Test
    void aRefusedHandOverIsTheEndOfTheHold() {
        Grant held = bench.grantOf(acquire(Duration.ofSeconds(30)));
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition next = acquireAndSettle();
        Workbench.Stranger thief = takesTheLockByHand();

        bench.faults.resume();
        bench.time.settle();
        assertThat(held.isValid()).isFalse();
        assertThat(bench.heard.events)
                .filteredOn(event -> event.endsWith("TAKEN_AWAY"))
                .hasSize(1);
        thief.releases();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(next).matches(Cluster::isGranted);
        assertThat(held.release()).isCompletedWithValue(false);
        bench.time.advance(Duration.ofSeconds(30));
        assertThat(bench.grantOf(next).isValid()).as("the other's timer").isTrue();
    }

    @Test
    void afterARefusedHandOverNobodyOfTheBlockIsGrantedTheLock() {
        Acquisition first = acquire();
        Acquisition second = acquire();
        Grant held = bench.grantOf(first);
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition third = acquireAndSettle();
        Workbench.Stranger thief = takesTheLockByHand();
        bench.faults.resume();
        bench.time.settle();

        held.release();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(second.outcome()).isNotDone();
        assertThat(third.outcome()).isNotDone();
        thief.releases();
        bench.time.advance(Duration.ofSeconds(1));

        Grant granted = bench.grantOf(second);
        assertThat(granted.number()).isGreaterThan(thief.last());
        granted.release();
        assertThat(bench.grantOf(third).number()).isGreaterThan(granted.number());
    }

    @Test
    void aHandOverIsRepeatedUntilItIsAnsweredAndTheReleaseIsNot() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.LOST_ANSWER, 2);
        Acquisition next = acquireAndSettle();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        assertThat(released).as("failed once").isCompletedWithValue(true);
        assertThat(next.outcome()).isNotDone();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(3);
    }

    @Test
    void oneWhoComesDuringAHandOverForNobodyIsServedByTheNext() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.SLOW_ANSWER);
        Acquisition leaving = acquireAndSettle();
        held.release();
        bench.time.settle();
        leaving.abandon();
        bench.time.settle();
        Acquisition next = acquireAndSettle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(2);
        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
    }

    @Test
    void aReleaseInsideABlockNeedsNoWrite() {
        Acquisition first = acquire();
        Acquisition second = acquire();
        Grant held = bench.grantOf(first);
        bench.store.reset();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(second).matches(Cluster::isGranted);
        assertThat(bench.store.total()).isZero();
    }

    @Test
    void aLockThatWasTakenAwayByHandIsNotHandedOver() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition next = acquireAndSettle();
        Workbench.Stranger thief = takesTheLockByHand();
        bench.faults.resume();
        bench.time.settle();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        assertThat(released).isDone();
        assertThat(next.outcome()).isNotDone();
        thief.releases();
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.grantOf(next).number()).isGreaterThan(thief.last());
    }

    // Forcing out

    @Test
    void theRestOfABlockGoesOnUnderANewIdAfterOneIsForcedOut() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        Grant forced = bench.grantOf(hung);
        Holder before = holder();

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(forced.isValid()).isFalse();
        assertThat(next).matches(Cluster::isGranted);
        assertThat(holder().block()).isNotEqualTo(before.block());
        assertThat(bench.store.count(StoreOperation.RENAME)).isOne();
        bench.grantOf(next).release();
        bench.time.settle();
        assertThat(holder()).isNull();
    }

    @Test
    void aRenameWaitsForTheHandOverUnderWay() {
        Grant forced = bench.grantOf(acquire(Duration.ofSeconds(1)));
        Holder before = holder();
        bench.faults.next(StoreOperation.HAND_OVER, Fault.STALLS);
        Acquisition next = acquireAndSettle();

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(forced.isValid()).isFalse();
        assertThat(next.outcome()).isNotDone();
        assertThat(bench.store.count(StoreOperation.RENAME)).isZero();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.grantOf(next).isValid()).isTrue();
        assertThat(bench.store.count(StoreOperation.RENAME)).isOne();
        assertThat(holder().block()).isNotEqualTo(before.block());
    }

    @Test
    void whoeverFollowsOneForcedOutLaterGetsTheNewIdWithTheHandOver() {
        bench.grantOf(acquire(Duration.ofSeconds(1)));
        Holder before = holder();
        bench.time.advance(Duration.ofMillis(900));
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition next = acquireAndSettle();
        bench.time.advance(Duration.ofMillis(100));
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.grantOf(next).isValid()).isTrue();
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(bench.store.count(StoreOperation.RENAME)).isZero();
        assertThat(holder().block()).isNotEqualTo(before.block());
        bench.grantOf(next).release();
        bench.time.settle();
        assertThat(holder()).isNull();
    }

    @Test
    void nobodyIsGrantedBeforeTheNewIdIsWritten() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        bench.grantOf(hung);
        bench.faults.next(StoreOperation.RENAME, Fault.THROTTLED);

        bench.time.advance(Duration.ofSeconds(1));
        assertThat(next.outcome()).isNotDone();
        bench.time.advance(Duration.ofMillis(50));

        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aBlockWhoseRenameIsUnderWayIsKnownByBothIds() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        bench.grantOf(hung);
        Holder before = holder();
        bench.faults.next(StoreOperation.RENAME, Fault.LOST_ANSWER, 20);
        bench.time.advance(Duration.ofMillis(1_010));
        Holder after = holder();
        assertThat(after.block()).isNotEqualTo(before.block());
        bench.table.dispute(before.session(), new Dispute(KEY, before.block()));
        bench.table.dispute(after.session(), new Dispute(KEY, after.block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(releases()).as("nothing to take back").isZero();
        bench.faults.heal();
        bench.time.advance(Duration.ofSeconds(2));
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void theOldIdOfARenamedBlockIsNobodys() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        acquire();
        bench.grantOf(hung);
        Holder before = holder();
        bench.time.advance(Duration.ofSeconds(1));
        bench.table.dispute(before.session(), new Dispute(KEY, before.block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(releases()).isOne();
        assertThat(engine.held()).hasSize(1);
    }

    @Test
    void theRestOfABlockThatWasTakenAwayByHandTakesNewNumbers() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        bench.grantOf(hung);
        Workbench.Stranger thief = takesTheLockByHand();

        bench.time.advance(Duration.ofSeconds(2));
        assertThat(next.outcome()).isNotDone();
        thief.releases();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.grantOf(next).number()).isGreaterThan(thief.last());
        assertThat(bench.heard.events)
                .filteredOn(event -> event.startsWith("queued"))
                .hasSize(1);
    }

    @Test
    void oneWhoIsForcedOutWithNobodyBehindReleasesTheLock() {
        Grant forced = bench.grantOf(acquire(Duration.ofSeconds(1)));

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(forced.isValid()).isFalse();
        assertThat(holder()).isNull();
        assertThat(bench.store.count(StoreOperation.RENAME)).isZero();
    }

    @Test
    void theHoldThatFollowsIsNotForcedOutByTheTimerOfTheOneBefore() {
        Grant first = bench.grantOf(acquire(Duration.ofSeconds(2)));
        Acquisition next = acquireAndSettle();
        bench.time.advance(Duration.ofSeconds(1));
        first.release();

        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.grantOf(next).isValid()).isTrue();
    }

    // Releasing

    @Test
    void aReleaseUnderWayIsKnownToADispute() {
        Grant held = bench.grantOf(acquire());
        Holder holder = holder();
        bench.faults.next(StoreOperation.RELEASE, Fault.THROTTLED, 20);
        held.release();
        bench.table.dispute(holder.session(), new Dispute(KEY, holder.block()));
        bench.time.advance(Workbench.SETTINGS.heartbeat().minus(NANO));
        int before = releases();

        bench.time.advance(Duration.ofMillis(1));

        assertThat(releases()).as("it is repeated in its own time").isEqualTo(before);
    }

    @Test
    void oneWhoComesDuringAReleaseTriesOnlyAfterIt() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.RELEASE, Fault.STALLS);
        held.release();
        bench.time.settle();
        bench.store.reset();

        Acquisition next = acquireAndSettle();
        assertThat(bench.store.total()).isZero();
        bench.faults.resume();
        bench.time.settle();

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.TRY_ACQUIRE)).isOne();
        assertThat(bench.store.total()).isOne();
    }

    @Test
    void oneWhoDoesNotWaitFailsDuringARelease() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.RELEASE, Fault.STALLS);
        held.release();
        bench.time.settle();

        Acquisition acquisition = engine.acquire(new AcquireSpec(KEY, "test", Duration.ZERO, null, null));
        bench.time.settle();

        assertThat(acquisition).matches(Cluster::isTimedOut);
    }

    @Test
    void aReleaseIsNotRepeatedUnderASessionThatIsLost() {
        Grant held = bench.grantOf(acquire());
        bench.faults.always(StoreOperation.RELEASE, Fault.THROTTLED);
        held.release();
        bench.time.settle();
        bench.table.sessions().forEach(bench.table::endSession);
        bench.time.advance(Workbench.SETTINGS.heartbeat().plusSeconds(2));
        int before = releases();

        bench.time.advance(Duration.ofSeconds(10));

        assertThat(releases()).isEqualTo(before);
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void aHandOverIsNotRepeatedUnderASessionThatIsLost() {
        Grant held = bench.grantOf(acquire());
        Acquisition next = acquireAndSettle();
        bench.faults.always(StoreOperation.HAND_OVER, Fault.THROTTLED);
        held.release();
        bench.time.settle();
        loseTheSession();
        int before = bench.store.count(StoreOperation.HAND_OVER);

        bench.time.advance(Duration.ofSeconds(10));

        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isEqualTo(before);
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aRenameIsNotRepeatedUnderASessionThatIsLost() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        bench.grantOf(hung);
        bench.faults.always(StoreOperation.RENAME, Fault.THROTTLED);
        bench.time.advance(Duration.ofSeconds(1));
        loseTheSession();
        int before = bench.store.count(StoreOperation.RENAME);

        bench.time.advance(Duration.ofSeconds(10));

        assertThat(bench.store.count(StoreOperation.RENAME)).isEqualTo(before);
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aReleaseThatWaitsForNumbersEndsWithTheSession() {
        Grant held = bench.grantOf(acquire());
        bench.time.advance(Workbench.SETTINGS.heartbeat().minusMillis(100));
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.SLOW_ANSWER);
        Acquisition next = acquireAndSettle();
        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        next.abandon();
        loseTheSession();
        bench.faults.resume();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.loop.timers()).isZero();
        assertThat(releases()).isZero();
    }

    @Test
    void aLockThatWasTakenAwayByHandLeavesNoTimer() {
        Acquisition hung = acquire(Duration.ofSeconds(1));
        Acquisition next = acquire();
        bench.grantOf(hung);
        bench.table.release(KEY, holder().block(), bench.time.now());
        bench.stranger(1).takes(1).claims();
        bench.faults.next(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        bench.time.advance(Duration.ofSeconds(1));
        next.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();
        int timersOfTheSession = 2;

        assertThat(bench.loop.timers()).isEqualTo(timersOfTheSession);
        assertThat(engine.locksInUse()).isZero();
        assertThat(bench.table.lockState(KEY).holder().owner()).isEqualTo("stranger");
    }

    // Keeping the item

    @Test
    void anItemThatCouldNotBeKeptIsKeptSoonAfter() {
        grantOfAnItemKeptEveryMinute();
        bench.faults.next(StoreOperation.RENAME, Fault.THROTTLED, 3);

        bench.time.advance(Duration.ofSeconds(65));

        assertThat(bench.store.count(StoreOperation.RENAME)).isEqualTo(4);
    }

    @Test
    void nothingIsKeptThatWasReleasedBetweenTwoAttempts() {
        Grant held = grantOfAnItemKeptEveryMinute();
        bench.faults.always(StoreOperation.RENAME, Fault.THROTTLED);
        bench.time.advance(Duration.ofMinutes(1));

        held.release();
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(bench.store.count(StoreOperation.RENAME)).isOne();
    }

    @Test
    void aLockHeldForLongIsKeptFromTheTablesTtl() {
        Grant held = grantOfAnItemKeptEveryMinute();
        Holder holder = bench.table.lockState(KEY).holder();

        bench.time.advance(Duration.ofMinutes(1).minus(NANO));
        assertThat(bench.store.count(StoreOperation.RENAME)).isZero();
        bench.time.advance(NANO);
        assertThat(bench.store.count(StoreOperation.RENAME)).isOne();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.store.count(StoreOperation.RENAME)).isEqualTo(2);

        assertThat(bench.table.lockState(KEY).holder()).isEqualTo(holder);
        held.release();
        bench.time.advance(Duration.ofMinutes(5));
        assertThat(bench.store.count(StoreOperation.RENAME)).isEqualTo(2);
    }

    private Grant grantOfAnItemKeptEveryMinute() {
        LockEngine keeping = bench.engine(
                new Workbench.Settings().retention(Duration.ofMinutes(2)).build());
        return bench.grantOf(keeping.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null)));
    }

    private Workbench.Stranger takesTheLockByHand() {
        bench.table.release(KEY, holder().block(), bench.time.now());
        Workbench.Stranger thief = bench.stranger(1).takes(1);
        thief.claims();
        return thief;
    }

    private Acquisition acquire() {
        return acquire(null);
    }

    private Acquisition acquire(@Nullable Duration maxHold) {
        return engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, null));
    }

    /** A block of its own. */
    private Acquisition acquireAndSettle() {
        Acquisition acquisition = acquire();
        bench.time.settle();
        return acquisition;
    }

    /** With the next heartbeat. */
    private void loseTheSession() {
        bench.table.sessions().forEach(bench.table::endSession);
        assertThat(bench.time.advanceUntil(
                        () -> bench.heard.events.contains("session lost"), Workbench.SETTINGS.heartbeat()))
                .isTrue();
    }

    private int releases() {
        return bench.store.count(StoreOperation.RELEASE);
    }

    private @Nullable Holder holder() {
        return bench.table.lockState(KEY).holder();
    }
}
