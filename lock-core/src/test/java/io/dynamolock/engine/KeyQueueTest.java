package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.Dispute;
import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The callers of one process for one lock, what they are told and what they leave behind. */
class KeyQueueTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration POLL = Workbench.SETTINGS.pollMin();
    private static final int TIMERS_OF_THE_SESSION = 2;

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();

    @BeforeEach
    void startTheSession() {
        LockKey warmUp = new LockKey("warm-up", "default");
        bench.grantOf(engine.acquire(new AcquireSpec(warmUp, "test", AcquireSpec.FOREVER, null, null)))
                .release();
        bench.time.settle();
        bench.store.reset();
        bench.heard.events.clear();
    }

    // How many are ahead

    @Test
    void thoseWhoShareATryAreToldThatTheyAreBehindItsFirst() {
        twoInOneBlock(null);

        assertThat(bench.heard.events).containsExactly("acquired after PT0S", "queued behind 1");
    }

    @Test
    void behindItsOwnProcessTheCallerWhoHoldsTheLockAndAllWhoFollowCount() {
        twoInOneBlock(null);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(bench.heard.events).endsWith("queued behind 2");
        assertThat(engine.locksInUse()).isOne();
    }

    @Test
    void behindAnotherProcessTheHolderAndAllTicketsBetweenCount() {
        bench.stranger(1).holds();
        bench.stranger(2).queues(3);
        Acquisition waiting = acquire(SECOND);
        bench.time.advance(SECOND);

        assertThat(bench.heard.events).startsWith("queued behind 4");
        assertThat(timedOut(waiting).ahead()).isEqualTo(4);
        assertThat(timedOut(waiting).holder().owner()).isEqualTo("stranger");
        assertThat(timedOut(waiting).waited()).isEqualTo(SECOND);
    }

    @Test
    void behindAnOpenLockOnlyTheTicketsBetweenCount() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        bench.stranger(2).queues(3);
        holder.releases();
        Acquisition waiting = acquire(SECOND);
        bench.time.advance(SECOND);

        assertThat(bench.heard.events).startsWith("queued behind 3");
        assertThat(timedOut(waiting).ahead()).isEqualTo(3);
        assertThat(timedOut(waiting).holder()).isNull();
    }

    @Test
    void beforeAnyGrantNobodyIsKnownToBeAhead() {
        bench.stranger(1).queues(3);
        Acquisition waiting = acquire(SECOND);
        bench.time.advance(SECOND);

        assertThat(timedOut(waiting).ahead()).isZero();
    }

    @Test
    void oneWhoDoesNotWaitIsToldWhoHoldsTheLock() {
        bench.stranger(1).holds();
        bench.stranger(2).queues(2);
        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(timedOut(acquisition).ahead()).isEqualTo(3);
        assertThat(timedOut(acquisition).holder().owner()).isEqualTo("stranger");
    }

    @Test
    void oneWhoDoesNotWaitBehindItsOwnProcessIsToldWhoHoldsTheLock() {
        Grant held = bench.grantOf(acquire(SECOND));
        bench.time.advance(SECOND);
        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(timedOut(acquisition).ahead()).isOne();
        assertThat(timedOut(acquisition).holder())
                .isEqualTo(new Holder(bench.table.lockState(KEY).holder().claimant(), held.since()));
    }

    @Test
    void theHolderOneIsToldOfHoldsSinceItsOwnGrant() {
        List<Acquisition> block = twoInOneBlock(null);
        Grant first = bench.grantOf(block.get(0));
        bench.time.advance(SECOND);
        first.release();
        Grant second = bench.grantOf(block.get(1));
        Acquisition acquisition = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(second.since()).isEqualTo(first.since().plus(SECOND));
        assertThat(timedOut(acquisition).holder().since()).isEqualTo(second.since());
    }

    // Why a wait was in vain

    @Test
    void aStoreThatAnsweredNothingForAsMuchAsASecondIsWhy() {
        bench.faults.everything(Fault.STALLS);

        Acquisition waiting = acquire(SECOND);
        bench.time.advance(SECOND);

        assertThat(failureOf(waiting)).hasMessageContaining("answered nothing for PT1S");
    }

    @Test
    void whatItAnsweredBeforeTheCallerCameDoesNotCount() {
        bench.grantOf(acquire(SECOND));
        bench.time.advance(SECOND);
        bench.faults.everything(Fault.STALLS);

        Acquisition waiting = acquire(Duration.ofSeconds(2));
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(failureOf(waiting)).hasMessageContaining("answered nothing");
    }

    @Test
    void aSessionThatCannotBeCreatedIsWhy() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.always(StoreOperation.CREATE_SESSION, Fault.THROTTLED);
        engine.acquire(new AcquireSpec(new LockKey("other", "default"), "test", AcquireSpec.FOREVER, null, null));
        bench.time.advance(Duration.ofSeconds(10));
        Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMillis(1), null, null));
        bench.time.advance(Duration.ofMillis(1));

        assertThat(failureOf(waiting).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
    }

    @Test
    void callsThatFailAreWhy() {
        for (StoreOperation operation : List.of(
                StoreOperation.TRY_ACQUIRE, StoreOperation.TAKE_NUMBERS, StoreOperation.ENTER, StoreOperation.LOOK)) {
            Workbench bench = new Workbench();
            LockEngine engine = bench.engine();
            bench.stranger(1).holds();
            bench.faults.always(operation, Fault.THROTTLED);
            Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", SECOND, null, null));
            bench.time.advance(SECOND);

            assertThat(failureOf(waiting)).hasMessageContaining(operation.name());
        }
    }

    @Test
    void aClaimThatFailsIsWhy() {
        bench.faults.always(StoreOperation.CLAIM, Fault.THROTTLED);
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition waiting = acquire(SECOND);
        bench.time.advance(SECOND.minus(POLL.multipliedBy(3)));
        holder.releases();
        bench.time.advance(POLL.multipliedBy(3));

        assertThat(failureOf(waiting)).hasMessageContaining("CLAIM");
    }

    @Test
    void aClaimThatFailedOnceIsNotWhyOneWaitsForAnotherHolder() {
        bench.faults.next(StoreOperation.CLAIM, Fault.THROTTLED);
        Workbench.Stranger holder = bench.stranger(1).holds();
        Workbench.Stranger passing = bench.stranger(2).queues(1);
        Acquisition waiting = acquire(SECOND);
        bench.time.settle();
        passing.leaves();
        holder.releases();
        bench.time.advance(POLL);
        assertThat(bench.store.count(StoreOperation.CLAIM)).isOne();
        passing.claims();
        bench.time.advance(SECOND);

        assertThat(timedOut(waiting).holder().owner()).isEqualTo("stranger");
    }

    // What is left behind

    @Test
    void whoeverLeavesBeforeThereIsASessionLeavesNothing() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.always(StoreOperation.CREATE_SESSION, Fault.THROTTLED);
        Acquisition leaving = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), null, null));
        bench.time.advance(SECOND);
        leaving.abandon();
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.loop.timers()).isZero();
        assertThat(engine.locksInUse()).isZero();
        bench.store.reset();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.store.total()).isZero();
    }

    @Test
    void whoeverIsGrantedAndReleasesLeavesNothing() {
        bench.grantOf(acquire(Duration.ofMinutes(1))).release();
        bench.time.settle();

        nothingIsLeft();
    }

    @Test
    void whoeverLeavesTheQueueLeavesNothing() {
        bench.stranger(1).holds();
        List<Acquisition> waiting = List.of(acquire(Duration.ofMinutes(1)), acquire(Duration.ofMinutes(1)));
        bench.time.settle();
        waiting.forEach(Acquisition::abandon);
        bench.time.advance(Duration.ofSeconds(10));

        nothingIsLeft();
    }

    @Test
    void whoeverTimesOutLeavesNothing() {
        bench.stranger(1).holds();
        acquire(SECOND);
        acquire(Duration.ZERO);
        bench.time.advance(Duration.ofSeconds(10));

        nothingIsLeft();
    }

    @Test
    void whoeverIsRefusedLeavesNothing() {
        for (StoreOperation operation : List.of(
                StoreOperation.TRY_ACQUIRE,
                StoreOperation.TAKE_NUMBERS,
                StoreOperation.ENTER,
                StoreOperation.LOOK,
                StoreOperation.CLAIM)) {
            Workbench.Stranger holder =
                    bench.stranger(operation.ordinal() + 100).holds();
            bench.faults.next(operation, Fault.REFUSED);
            Acquisition waiting = acquire(Duration.ofMinutes(1));
            bench.time.settle();
            holder.releases();
            bench.time.advance(Duration.ofSeconds(10));

            assertThat(failureOf(waiting)).hasMessageContaining(operation.name());
            nothingIsLeft();
        }
    }

    @Test
    void whoeverLeavesWhileACallIsUnderWayLeavesNothing() {
        for (StoreOperation operation : List.of(
                StoreOperation.TRY_ACQUIRE,
                StoreOperation.TAKE_NUMBERS,
                StoreOperation.ENTER,
                StoreOperation.LOOK,
                StoreOperation.CLAIM)) {
            for (Fault fault : List.of(Fault.STALLS, Fault.SLOW_ANSWER, Fault.THROTTLED, Fault.LOST_ANSWER)) {
                Workbench.Stranger holder = bench.stranger(operation.ordinal() + 100);
                holder.holds();
                bench.faults.next(operation, fault);
                Acquisition waiting = acquire(Duration.ofMinutes(1));
                bench.time.settle();
                holder.releases();
                bench.time.advance(POLL);
                waiting.abandon();
                bench.time.settle();
                bench.faults.resume();
                bench.time.advance(Duration.ofSeconds(10));

                assertThat(bench.table.lockState(KEY).holder())
                        .as("%s %s", operation, fault)
                        .isNull();
                nothingIsLeft();
                bench.faults.heal();
            }
        }
    }

    @Test
    void aWaitThatEndsWithTheSessionLeavesNothing() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.table.endSession(bench.table.rows(KEY).get(0).claimant().session());
        bench.time.advance(Workbench.SETTINGS.heartbeat());
        assertThat(bench.heard.events).contains("session lost");
        bench.time.advance(SECOND);
        assertThat(bench.table.rows(KEY)).as("one row under the new session").hasSize(1);
        holder.releases();
        bench.time.advance(SECOND);
        bench.grantOf(waiting).release();
        bench.time.advance(Duration.ofSeconds(10));

        nothingIsLeft();
    }

    // Order of leaving and entering

    @Test
    void aBlockEntersBeforeTheRowItReliedOnGoes() {
        bench.stranger(1).holds();
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.next(StoreOperation.ENTER, Fault.STALLS);

        leaving.abandon();
        bench.time.advance(SECOND);
        assertThat(bench.table.rowCount())
                .as("the old row stands in for the new")
                .isOne();
        assertThat(bench.store.count(StoreOperation.DELETE_ROW)).isZero();
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.DELETE_ROW)).isOne();
        assertThat(bench.table.rowCount()).isOne();
    }

    @Test
    void aBlockThatNobodyReliesOnTakesItsRowWithIt() {
        bench.stranger(1).holds();
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        leaving.abandon();
        bench.time.settle();

        assertThat(bench.table.rowCount()).isZero();
        assertThat(bench.store.count(StoreOperation.ENTER)).isOne();
    }

    @Test
    void blocksThatReliedOnAnEvictedOneTakeNewNumbersInTheirOrder() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition first = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Acquisition second = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var row = bench.table.rows(KEY).get(0);
        bench.table.deleteRow(KEY, row.first(), row.claimant().block());
        Workbench.Stranger passing = bench.stranger(2).queues(1);
        bench.time.advance(POLL.multipliedBy(2));
        Acquisition third = acquire(AcquireSpec.FOREVER);
        bench.time.advance(POLL.multipliedBy(2));
        holder.releases();
        passing.claims();
        passing.leaves();
        passing.releases();
        bench.time.advance(SECOND);

        Grant one = bench.grantOf(first);
        one.release();
        Grant two = bench.grantOf(second);
        two.release();
        Grant three = bench.grantOf(third);
        three.release();
        bench.time.advance(SECOND);
        assertThat(List.of(passing.last(), one.number(), two.number(), three.number()))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(bench.heard.events)
                .filteredOn(event -> event.startsWith("queued"))
                .hasSize(3);
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneWhoComesDuringAClaimForNobodyIsServedByHandOver() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.SLOW_ANSWER);
        bench.time.advance(POLL);
        leaving.abandon();
        Acquisition next = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(bench.store.count(StoreOperation.ENTER))
                .as("that of the one who left")
                .isOne();
        assertThat(bench.table.rowCount()).isZero();
    }

    @Test
    void oneWhoComesDuringARenameForNobodyIsServedByHandOver() {
        Acquisition leaving = twoInOneBlock(SECOND).get(1);
        bench.faults.next(StoreOperation.RENAME, Fault.STALLS);
        bench.time.advance(SECOND);
        leaving.abandon();
        Acquisition next = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(next).matches(Cluster::isGranted);
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(bench.store.count(StoreOperation.ENTER)).isZero();
    }

    @Test
    void whoeverLeavesMakesOnlyThoseBehindItEnter() {
        bench.grantOf(acquire(AcquireSpec.FOREVER));
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofMillis(1));
        Workbench.Stranger between = bench.stranger(1).queues(1);
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(bench.table.rowCount()).isEqualTo(2);

        leaving.abandon();
        bench.time.settle();

        assertThat(bench.store.count(StoreOperation.ENTER)).isOne();
        assertThat(bench.table.rowCount()).isOne();
        assertThat(between.isQueued()).isTrue();
    }

    @Test
    void aRefusalEndsEveryWaitButNoHold() {
        List<Acquisition> block = twoInOneBlock(null);
        Grant held = bench.grantOf(block.get(0));
        Acquisition sharing = block.get(1);
        Acquisition following = acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofMillis(1));
        bench.stranger(1).queues(1).leaves();
        bench.faults.next(StoreOperation.ENTER, Fault.REFUSED);
        Acquisition behind = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        for (Acquisition waiting : List.of(sharing, following, behind)) {
            assertThat(failureOf(waiting).kind()).isEqualTo(StoreFailure.Kind.REFUSED);
        }
        assertThat(held.isValid()).isTrue();
        assertThat(bench.table.lockState(KEY).holder()).isNotNull();
        held.release();
        bench.time.settle();
        assertThat(bench.table.lockState(KEY).holder()).isNull();
        nothingIsLeft();
    }

    @Test
    void theNextOneLooksAtOnceWhenTheFirstLeaves() {
        bench.stranger(1).holds();
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Workbench.Stranger between = bench.stranger(2).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        assertThat(bench.table.rowCount()).isEqualTo(3);
        bench.store.reset();

        leaving.abandon();
        bench.time.settle();

        assertThat(bench.store.polls()).isOne();
        assertThat(between.isQueued()).isTrue();
    }

    @Test
    void theNextOneLooksAtOnceWhenTheFirstTakesANewNumber() {
        bench.stranger(1).holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.stranger(2).queues(1);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var row = bench.table.rows(KEY).get(0);
        bench.table.deleteRow(KEY, row.first(), row.claimant().block());
        bench.store.reset();
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        bench.time.advance(POLL);
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isOne();

        assertThat(bench.store.polls())
                .as("one that found it evicted, one of the next")
                .isEqualTo(2);
    }

    @Test
    void thoseWhoComeWhileOneWhoDoesNotWaitAsksGoOnWhenItGivesUp() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        bench.faults.next(StoreOperation.READ_SESSION, Fault.SLOW_ANSWER);
        Acquisition hasty = acquire(Duration.ZERO);
        bench.time.settle();
        Acquisition patient = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(bench.table.rowCount()).isOne();
        holder.releases();
        bench.time.advance(POLL);
        assertThat(patient).matches(Cluster::isGranted);
    }

    @Test
    void oneWhoDoesNotWaitLeavesNothing() {
        bench.stranger(1).holds();
        Acquisition hasty = acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(hasty).matches(Cluster::isTimedOut);
        nothingIsLeft();
    }

    // Grants and the session

    @Test
    void aSessionIsCreatedHoweverOftenThatFailsIfSomebodyWaits() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.next(StoreOperation.CREATE_SESSION, Fault.THROTTLED, 3);
        Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), null, null));

        bench.time.advance(SECOND);

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aSessionThatIsRefusedFailsEveryone() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.next(StoreOperation.CREATE_SESSION, Fault.REFUSED);
        Acquisition waiting = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), null, null));

        bench.time.settle();

        assertThat(failureOf(waiting).kind()).isEqualTo(StoreFailure.Kind.REFUSED);
        assertThat(engine.locksInUse()).isZero();
        bench.time.advance(SECOND);
        assertThat(bench.loop.timers()).isZero();
    }

    @Test
    void oneWhoDoesNotWaitPutsUpWithoutASessionForTheTimeOfOneCall() {
        Workbench bench = new Workbench();
        LockEngine engine = bench.engine();
        bench.faults.always(StoreOperation.CREATE_SESSION, Fault.THROTTLED);
        Acquisition patient = engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), null, null));
        bench.time.settle();
        Acquisition hasty =
                engine.acquire(new AcquireSpec(new LockKey("other", "default"), "test", Duration.ZERO, null, null));

        bench.time.advance(Workbench.SETTINGS.callTimeout().minusMillis(1));
        assertThat(hasty.outcome()).isNotDone();
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(failureOf(hasty).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(patient.outcome()).isNotDone();
    }

    @Test
    void aGrantIsCheckedAgainstTheSessionBeforeTheCallerHearsOfIt() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        bench.faults.next(StoreOperation.CLAIM, Fault.SLOW_ANSWER);
        bench.time.advance(POLL);
        bench.clock.moveWallClock(Workbench.SETTINGS.lease());
        bench.faults.resume();
        bench.time.settle();

        assertThat(bench.heard.events).contains("session lost");
        bench.clock.moveWallClock(Workbench.SETTINGS.lease().negated());
        bench.time.advance(SECOND);
        assertThat(bench.grantOf(waiting).isValid()).isTrue();
        assertThat(bench.heard.events)
                .filteredOn(event -> event.startsWith("acquired"))
                .hasSize(1);
    }

    @Test
    void aPeersDeathIsFollowedByALookAtOnce() {
        Workbench.Stranger holder = bench.stranger(1).holds();
        for (int i = 2; i < 8; i++) {
            bench.stranger(i).queues(1).dies();
        }
        Workbench.Stranger ahead = bench.stranger(20).queues(1);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        holder.releases();
        ahead.dies();
        bench.time.advance(SECOND.multipliedBy(2));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aDisputedBlockThatWaitsIsLeftAlone() {
        bench.stranger(1).holds();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        var claimant = bench.table.rows(KEY).get(0).claimant();
        bench.table.dispute(claimant.session(), new Dispute(KEY, claimant.block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(bench.store.count(StoreOperation.RELEASE)).isZero();
    }

    @Test
    void aDisputedBlockThatIsBeingNumberedIsLeftAlone() {
        bench.faults.always(StoreOperation.TRY_ACQUIRE, Fault.LOST_ANSWER);
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Holder holder = bench.table.lockState(KEY).holder();
        bench.table.dispute(holder.session(), new Dispute(KEY, holder.block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(bench.store.count(StoreOperation.RELEASE)).isZero();
    }

    @Test
    void aDisputedBlockThatIsNeitherIsReleasedThoughTheLockIsInUse() {
        Grant held = bench.grantOf(acquire(AcquireSpec.FOREVER));
        Holder holder = bench.table.lockState(KEY).holder();
        bench.table.dispute(
                holder.session(), new Dispute(KEY, bench.stranger(1).claimant().block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(bench.store.count(StoreOperation.RELEASE)).isOne();
        assertThat(held.isValid()).isTrue();
    }

    /** Two callers gather during a release and share the next try; the first is granted. */
    private List<Acquisition> twoInOneBlock(@Nullable Duration maxHold) {
        Grant before = bench.grantOf(acquire(AcquireSpec.FOREVER));
        bench.faults.next(StoreOperation.RELEASE, Fault.STALLS);
        before.release();
        bench.time.settle();
        bench.heard.events.clear();
        Acquisition first = engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, null));
        Acquisition second = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();
        assertThat(first).matches(Cluster::isGranted);
        bench.store.reset();
        return List.of(first, second);
    }

    private void nothingIsLeft() {
        assertThat(engine.locksInUse()).isZero();
        assertThat(engine.waiting()).isZero();
        assertThat(bench.table.rowCount()).isZero();
        assertThat(bench.loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION);
    }

    private Acquisition acquire(Duration wait) {
        return engine.acquire(new AcquireSpec(KEY, "test", wait, null, null));
    }

    private static AcquireOutcome.TimedOut timedOut(Acquisition acquisition) {
        return (AcquireOutcome.TimedOut) acquisition.outcome().getNow(null);
    }

    private static StoreFailure failureOf(Acquisition acquisition) {
        return ((AcquireOutcome.Failed) acquisition.outcome().getNow(null)).cause();
    }
}
