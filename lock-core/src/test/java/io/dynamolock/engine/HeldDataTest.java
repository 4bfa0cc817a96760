package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Only a holder writes the user's data, and each holder finds what the last one left. */
class HeldDataTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LockData ONE = LockData.of("one");
    private static final LockData TWO = LockData.of("two");
    private static final LockData THREE = LockData.of("three");

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();
    private final SimulatedProcess other = cluster.startedProcess();

    @Test
    void whatAHolderPutsIsReadByItselfAndByTheNextHolderInAnyProcess() {
        Grant grant = process.hold(KEY);
        assertThat(grant.data()).isEqualTo(LockData.EMPTY);
        Acquisition sameProcess = process.acquire(KEY, MINUTE);
        Acquisition otherProcess = other.acquire(KEY, MINUTE);

        put(grant, ONE);
        assertThat(grant.data()).isEqualTo(ONE);
        grant.release();
        Grant second = process.grantOf(sameProcess);
        assertThat(second.data()).isEqualTo(ONE);
        put(second, TWO);
        second.release();

        assertThat(other.grantOf(otherProcess).data()).isEqualTo(TWO);
        assertThat(stored()).isEqualTo(TWO);
    }

    @Test
    void dataIsKeptByEveryAcquireAndReleaseUntilItIsRemoved() {
        put(process.hold(KEY), ONE).release();
        for (int i = 0; i < 3; i++) {
            other.hold(KEY).release();
            process.hold(KEY).release();
            cluster.time.advance(SECOND);
        }
        assertThat(stored()).isEqualTo(ONE);

        Grant last = other.hold(KEY);
        assertThat(last.data()).isEqualTo(ONE);
        put(last, LockData.EMPTY).release();

        assertThat(process.hold(KEY).data()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void aPutCostsOneWriteAndNoMoreWhenOthersOfItsBlockFollow() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        put(grant, ONE);
        grant.release();
        process.grantOf(next).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.counts()).containsEntry(StoreOperation.PUT, 1);
        assertThat(cluster.calls.lockWrites()).as("the put, the release").isEqualTo(2);
        assertThat(cluster.calls.looks()).isZero();
    }

    @Test
    void dataThatIsLeftByAReleaseCostsNoWriteOfItsOwn() {
        Grant grant = process.hold(KEY);
        Acquisition next = other.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        CompletableFuture<Boolean> released = grant.release(ONE);
        assertThat(other.grantOf(next).data()).isEqualTo(ONE);

        assertThat(released).isCompletedWithValue(true);
        assertThat(cluster.calls.lockWrites()).isOne();
        assertThat(stored()).isEqualTo(ONE);
    }

    @Test
    void dataThatIsLeftToTheNextOfTheSameBlockCostsOneWriteAndIsThereBeforeItsTurn() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        cluster.calls.reset();
        List<LockData> storedAtTheGrant = new ArrayList<>();
        next.outcome().thenRun(() -> storedAtTheGrant.add(stored()));

        CompletableFuture<Boolean> released = grant.release(ONE);
        Grant second = process.grantOf(next);

        assertThat(released).isCompletedWithValue(true);
        assertThat(storedAtTheGrant).containsExactly(ONE);
        assertThat(second.data()).isEqualTo(ONE);
        assertThat(cluster.calls.lockWrites()).isOne();
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isOne();
    }

    @Test
    void aReleaseMayRemoveTheData() {
        put(process.hold(KEY), ONE).release(LockData.EMPTY);
        cluster.time.advance(SECOND);

        assertThat(stored()).isEqualTo(LockData.EMPTY);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aLeaveWithDataThatFailsIsRepeatedWithItsData() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.LEAVE, Fault.LOST_REQUEST, 2).next(StoreOperation.LEAVE, Fault.LOST_ANSWER);

        CompletableFuture<Boolean> released = grant.release(ONE);
        cluster.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(true);
        assertThat(cluster.queue()).isEmpty();
        assertThat(stored()).isEqualTo(ONE);
    }

    @Test
    void aLeaveOfABlockThatHasGrownMeanwhileIsRepeatedWithItsData() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.GROW, Fault.LOST_ANSWER).always(StoreOperation.GROW, Fault.LOST_REQUEST);
        Acquisition gone = process.acquire(KEY, SECOND);
        cluster.time.advance(SECOND.multipliedBy(2));
        assertThat(gone.outcome()).isDone();
        assertThat(cluster.queue().get(0).callers()).isEqualTo(2);
        cluster.calls.reset();

        grant.release(ONE);
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.count(StoreOperation.LEAVE)).isEqualTo(2);
        assertThat(cluster.queue()).isEmpty();
        assertThat(stored()).isEqualTo(ONE);
    }

    @Test
    void dataThatIsLeftBeforeTheShortestHoldIsOverIsWrittenAtItsEnd() {
        Grant grant = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, SECOND.multipliedBy(5))));

        grant.release(ONE);
        cluster.time.advance(SECOND);
        assertThat(stored()).isEqualTo(LockData.EMPTY);
        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(stored()).isEqualTo(ONE);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void dataThatIsLeftWithALockThatIsKeptBeyondTheEndOfItsProcessIsWrittenThen() {
        Grant grant = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, SECOND.multipliedBy(30))));
        grant.release(ONE);
        cluster.time.advance(SECOND);

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(stored()).isEqualTo(ONE);
        assertThat(cluster.queue()).as("kept").hasSize(1);
    }

    // What is left when the process stops

    @Test
    void dataThatIsLeftWhileTheBlockWaitsForItsGrowthIsWrittenWhenTheProcessStops() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.GROW, Fault.STALLS);
        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(20));
        grant.release(ONE);
        cluster.time.advance(Duration.ofMillis(50));

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(stored()).isEqualTo(ONE);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void dataOfALeaveThatIsOnItsWayWhenTheProcessStopsIsWritten() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.LEAVE, Fault.STALLS);
        CompletableFuture<Boolean> released = grant.release(ONE);

        process.engine.shutdown();
        cluster.time.advance(SECOND);
        cluster.faults.resume();
        cluster.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(true);
        assertThat(stored()).isEqualTo(ONE);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void dataThatIsToBeLeftByALeaveThatIsRepeatedWhenTheProcessStopsIsWritten() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.LEAVE, Fault.LOST_REQUEST);
        grant.release(ONE);
        cluster.time.advance(Duration.ofMillis(5));

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(stored()).isEqualTo(ONE);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void dataOfARenameThatIsOnItsWayWhenTheProcessStopsIsWrittenOnce() {
        for (Fault fault : List.of(Fault.STALLS, Fault.SLOW_ANSWER, Fault.LOST_REQUEST, Fault.LOST_ANSWER)) {
            Cluster another = new Cluster();
            SimulatedProcess stopping = another.startedProcess();
            Grant grant = stopping.hold(KEY);
            stopping.acquire(KEY, MINUTE);
            another.time.advance(SECOND);
            another.faults.next(StoreOperation.RENAME, fault);
            grant.release(ONE);
            another.time.advance(Duration.ofMillis(4));

            stopping.engine.shutdown();
            another.time.advance(SECOND);
            another.faults.resume();
            another.time.advance(SECOND.multipliedBy(10));

            assertThat(another.table.lock(KEY).data()).as(fault.name()).isEqualTo(ONE);
            assertThat(another.table.lock(KEY).puts()).as(fault.name()).isOne();
            assertThat(another.queue()).as(fault.name()).isEmpty();
        }
    }

    // What must not land

    @Test
    void aPutThatLandsAfterItsHolderWasForcedOutChangesNothing() {
        Grant forced =
                process.grantOf(process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, SECOND, null)));
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(500));
        cluster.faults.always(StoreOperation.PUT, Fault.LANDS_LATE);

        CompletableFuture<Boolean> written = forced.putData(ONE);
        Grant second = process.grantOf(next);
        cluster.time.advance(SECOND.multipliedBy(3));

        assertThat(cluster.faults.landLate()).isPositive();
        assertThat(written).isCompletedWithValue(false);
        assertThat(second.isValid()).isTrue();
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void aPutWhoseAnswerWasLostMayNotLandUnderTheNextCallerOfTheSameBlock() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        cluster.calls.reset();
        cluster.faults.next(StoreOperation.PUT, Fault.LANDS_LATE);

        put(grant, ONE);
        grant.release();
        Grant second = process.grantOf(next);
        put(second, TWO);
        cluster.faults.landLate();

        assertThat(stored()).isEqualTo(TWO);
        assertThat(cluster.calls.count(StoreOperation.RENAME))
                .as("a new number")
                .isOne();
    }

    @Test
    void aPutThatIsUnderWayWhenItsHolderReleasesMayNotLandUnderTheNextCaller() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        cluster.faults.next(StoreOperation.PUT, Fault.STALLS);

        CompletableFuture<Boolean> written = grant.putData(ONE);
        cluster.time.advance(Duration.ofMillis(10));
        grant.release();
        Grant second = process.grantOf(next);
        cluster.faults.resume();
        cluster.time.advance(SECOND);

        assertThat(written).isCompletedWithValue(false);
        assertThat(second.isValid()).isTrue();
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void anOldPutOfTheSameHolderDoesNotLandOverItsNewOneNorOverItsRemoval() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.PUT, Fault.LANDS_LATE);

        put(grant, ONE);
        put(grant, LockData.EMPTY);
        assertThat(cluster.faults.landLate()).isOne();

        assertThat(stored()).isEqualTo(LockData.EMPTY);
        put(grant, THREE);
        assertThat(stored()).isEqualTo(THREE);
    }

    @Test
    void aFrozenHoldersLatePutDoesNotLandOverItsHeirs() {
        Grant grant = process.hold(KEY);
        cluster.faults.next(StoreOperation.PUT, Fault.STALLS);
        grant.putData(ONE);
        cluster.time.advance(Duration.ofMillis(10));
        process.freeze();

        Grant heir = other.grantOf(other.acquire(KEY, MINUTE));
        put(heir, TWO);
        cluster.faults.resume();
        process.thaw();
        cluster.time.advance(SECOND);

        assertThat(stored()).isEqualTo(TWO);
        assertThat(grant.putData(THREE)).isCompletedWithValue(false);
        cluster.time.advance(SECOND);
        assertThat(stored()).isEqualTo(TWO);
    }

    @Test
    void aReleaseOfALostLockLeavesNoData() {
        Grant grant = process.hold(KEY);
        process.freeze();
        other.grantOf(other.acquire(KEY, MINUTE));
        process.thaw();

        CompletableFuture<Boolean> released = grant.release(ONE);
        cluster.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(false);
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void aReleaseOfALockWhoseValidityIsOverByTheWallClockLeavesNoData() {
        Grant grant = process.hold(KEY);
        process.moveWallClock(SimulatedProcess.SETTINGS.lease());

        CompletableFuture<Boolean> released = grant.release(ONE);
        cluster.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(false);
        assertThat(stored()).isEqualTo(LockData.EMPTY);
    }

    @Test
    void anOlderAnswerSaysNothingAboutTheDataAndAnItemMadeAnewDoes() {
        Workbench bench = new Workbench();
        EngineContext context = bench.context();
        HeldData data = new HeldData(
                new Hold(), new Line(true), new KeyCalls(KEY, context, new Outlook(context), new KeyCalls.Events() {

                    @Override
                    public void on(Runnable event) {}

                    @Override
                    public void seen(LockItem item, long sentAt, boolean consistent) {}

                    @Override
                    public void failed(StoreFailure failure) {}
                }));

        data.seen(new LockItem(7, List.of(), 0, TWO, 2));
        data.seen(new LockItem(7, List.of(), 0, ONE, 1));
        assertThat(data.known()).isEqualTo(TWO);
        data.seen(new LockItem(6, List.of(), 0, THREE, 3));
        assertThat(data.known()).isEqualTo(TWO);
        data.seen(new LockItem(8, List.of(), 0, THREE, 1));
        assertThat(data.known()).isEqualTo(THREE);
    }

    // Failures

    @Test
    void putsLandOnceAndInTheirOrderWhateverBecomesOfTheCalls() {
        for (Fault fault : List.of(Fault.THROTTLED, Fault.CONFLICTED, Fault.LOST_REQUEST, Fault.LOST_ANSWER)) {
            Grant grant = process.hold(KEY);
            long before = cluster.table.lock(KEY).puts();
            cluster.faults.next(StoreOperation.PUT, fault, 2);

            CompletableFuture<Boolean> first = grant.putData(ONE);
            CompletableFuture<Boolean> second = grant.putData(TWO);
            cluster.time.advance(SECOND);

            assertThat(first).isCompletedWithValue(true);
            assertThat(second).isCompletedWithValue(true);
            assertThat(stored()).isEqualTo(TWO);
            assertThat(cluster.table.lock(KEY).puts()).as(fault.toString()).isEqualTo(before + 2);
            grant.release();
            cluster.time.advance(SECOND);
        }
    }

    @Test
    void aPutWhileTheBlockGrowsLands() {
        Grant grant = process.hold(KEY);
        process.acquire(KEY, MINUTE);

        CompletableFuture<Boolean> written = grant.putData(ONE);
        cluster.time.advance(SECOND);

        assertThat(written).isCompletedWithValue(true);
        assertThat(stored()).isEqualTo(ONE);
    }

    @Test
    void aPutThatIsRefusedForGoodFailsAndTheLockIsStillHeld() {
        Grant grant = process.hold(KEY);
        cluster.faults.always(StoreOperation.PUT, Fault.REFUSED);

        CompletableFuture<Boolean> written = grant.putData(ONE);
        cluster.time.advance(SECOND);

        assertThat(written).isCompletedExceptionally();
        assertThat(written.handle((done, failure) -> failure).join()).isInstanceOf(StoreFailure.class);
        assertThat(grant.isValid()).isTrue();
        assertThat(grant.data()).isEqualTo(LockData.EMPTY);
        cluster.faults.heal();
        put(grant, TWO);
        assertThat(stored()).isEqualTo(TWO);
    }

    @Test
    void aPutIsGivenUpWhenTheEngineStops() {
        Grant grant = process.hold(KEY);
        cluster.faults.always(StoreOperation.PUT, Fault.STALLS);
        CompletableFuture<Boolean> first = grant.putData(ONE);
        CompletableFuture<Boolean> second = grant.putData(TWO);
        cluster.time.advance(SECOND);
        assertThat(first).isNotDone();

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isCompletedWithValue(false);
        assertThat(grant.putData(ONE)).isCompletedWithValue(false);
    }

    @Test
    void dataGoesWithAnItemThatIsRemoved() {
        put(process.hold(KEY), ONE).release();
        cluster.time.advance(SECOND);
        cluster.table.evictLock(KEY);

        assertThat(process.hold(KEY).data()).isEqualTo(LockData.EMPTY);
    }

    private Grant put(Grant grant, LockData data) {
        CompletableFuture<Boolean> written = grant.putData(data);
        assertThat(cluster.time.advanceUntil(written::isDone, MINUTE)).isTrue();
        assertThat(written).isCompletedWithValue(true);
        return grant;
    }

    private LockData stored() {
        return cluster.table.lock(KEY).data();
    }
}
