package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Crashes, freezes, lost and late writes. */
class FailureTest {

    private static final Duration LEASE = SimulatedProcess.SETTINGS.lease();

    private final Cluster cluster = new Cluster();

    @Test
    void aKilledHoldersLockIsFreeWithinALeaseAndTwoSeconds() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess survivor = cluster.startedProcess();
        holder.hold(KEY);
        Acquisition waiting = survivor.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(7));

        holder.kill();

        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), LEASE.plusSeconds(2)))
                .isTrue();
        assertThat(cluster.queue()).as("the survivor's").hasSize(1);
    }

    @Test
    void theKilledAheadAreGoneWithinALeaseAndTwoSecondsThoughTheHolderLives() {
        Grant held = cluster.startedProcess().hold(KEY);
        SimulatedProcess ahead = cluster.startedProcess();
        SimulatedProcess survivor = cluster.startedProcess();
        ahead.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(200));
        Acquisition waiting = survivor.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(7));

        ahead.kill();
        cluster.time.advance(LEASE.plusSeconds(2));
        held.release();

        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), Duration.ofSeconds(1)))
                .isTrue();
    }

    @Test
    void manyWhoAreKilledAtOnceFreeTheirPlacesWithinTwoLeases() {
        List<SimulatedProcess> killed = cluster.startedProcesses(5);
        SimulatedProcess survivor = cluster.startedProcess();
        for (SimulatedProcess process : killed) {
            process.acquire(KEY, AcquireSpec.FOREVER);
            cluster.time.advance(Duration.ofMillis(200));
        }
        Acquisition waiting = survivor.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(7));

        killed.forEach(SimulatedProcess::kill);

        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), LEASE.multipliedBy(2)))
                .isTrue();
        assertThat(cluster.queue()).as("the survivor's").hasSize(1);
    }

    @Test
    void aCleanlyStoppedHolderFreesItsLocksAtOnce() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess other = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition waiting = other.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(3));

        holder.engine.shutdown();

        assertThat(held.isValid()).isFalse();
        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), Duration.ofMillis(150)))
                .isTrue();
    }

    @Test
    void aFrozenHolderFindsItsGrantInvalidBeforeItDoesAnything() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess other = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        List<String> told = new ArrayList<>();
        held.onLost(() -> told.add("lost"));
        Acquisition waiting = other.acquire(KEY, AcquireSpec.FOREVER);

        holder.freeze();
        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), MINUTE))
                .isTrue();

        assertThat(held.isValid()).isFalse();
        assertThat(held.remainingValidity()).isZero();
        holder.thaw();
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(told).containsExactly("lost");
        assertThat(holder.events).contains("session lost", "lost: SESSION_LOST");
        assertThat(held.release()).isCompletedWithValue(false);
        held.onLost(() -> told.add("late"));
        cluster.time.settle();
        assertThat(told).containsExactly("lost", "late");
    }

    @Test
    void validityCountsFromTheSendingOfTheSessionsBeginningNotFromItsAnswer() {
        cluster.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        SimulatedProcess process = cluster.process();
        Acquisition acquisition = process.acquire(KEY, MINUTE);
        Duration slow = Duration.ofSeconds(3);
        cluster.time.advance(slow);
        cluster.faults.resume();

        Grant grant = process.grantOf(acquisition);

        Duration validFor = LEASE.minus(SimulatedProcess.SETTINGS.driftMargin());
        assertThat(grant.remainingValidity()).isLessThanOrEqualTo(validFor.minus(slow));
    }

    @Test
    void aWallClockThatJumpsPastTheLeaseEndsValidityThoughTheMonotonicClockStoodStill() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);

        holder.moveWallClock(LEASE);

        assertThat(held.isValid()).isFalse();
        holder.moveWallClock(LEASE.negated());
        assertThat(held.isValid()).as("once over, it stays over").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {-5, 5})
    void aProcessWhoseClockIsHoursOffIsToldSoAndHoldsNothing(int hours) {
        SimulatedProcess process = cluster.process();
        process.moveWallClock(Duration.ofHours(hours));

        Acquisition acquisition = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(Cluster.outcome(acquisition))
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining("clock of this machine"));
        assertThat(cluster.table.sessionIds()).isEmpty();
    }

    @Test
    void clocksThatDifferWithinTheBoundChangeNothing() {
        SimulatedProcess late = cluster.process();
        late.moveWallClock(Duration.ofMinutes(-2));
        SimulatedProcess early = cluster.process();
        early.moveWallClock(Duration.ofMinutes(2));
        Grant held = late.hold(KEY);
        Acquisition waiting = early.acquire(KEY, AcquireSpec.FOREVER);

        cluster.time.advance(Duration.ofMinutes(2));

        assertThat(held.isValid()).isTrue();
        assertThat(waiting.outcome()).isNotDone();
    }

    @Test
    void aWallClockSetBackByHoursEndsTheSessionBeforeItLooksLongDead() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);

        holder.moveWallClock(Duration.ofHours(-5));
        cluster.time.advance(SimulatedProcess.SETTINGS.heartbeat());

        assertThat(held.isValid()).isFalse();
        assertThat(holder.events).contains("session lost");
    }

    @Test
    void waitersOfALostSessionGoOnUnderANewOne() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));

        process.freeze();
        cluster.time.advance(Duration.ofSeconds(40));
        process.thaw();
        cluster.time.advance(Duration.ofSeconds(3));
        held.release();

        assertThat(process.grantOf(waiting).isValid()).isTrue();
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(cluster.queue()).hasSize(1);
        assertThat(cluster.table.sessionIds()).hasSize(2);
    }

    @Test
    void aSessionThatDiedLongAgoIsBuriedAtOnceEvenByACallerThatDoesNotWait() {
        SimulatedProcess process = startedLongAfterTheHolderDied();

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(200));

        assertThat(acquisition).matches(Cluster::isGranted);
    }

    @Test
    void locksSurviveThirtySecondsOfThrottlingAsLongAsBeatsGetThrough() {
        SimulatedProcess process = cluster.startedProcess();
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            grants.add(process.hold(key(i)));
        }
        cluster.faults.everythingButBeats(Fault.THROTTLED);

        Acquisition waiting = process.acquire(KEY, MINUTE);
        grants.get(0).release();
        cluster.time.advance(Duration.ofSeconds(30));

        assertThat(grants.subList(1, 20)).allMatch(Grant::isValid);
        assertThat(waiting.outcome()).isNotDone();
        cluster.faults.heal();
        cluster.time.advance(Duration.ofSeconds(3));
        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(cluster.table.lock(key(0)).queue()).isEmpty();
    }

    private SimulatedProcess startedLongAfterTheHolderDied() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        holder.kill();
        cluster.time.advance(Duration.ofHours(1));
        return cluster.startedProcess();
    }

    private static LockKey key(int number) {
        return new LockKey("key-" + number, "default");
    }

    // Asks that nobody wants any more

    @Test
    void anAskThatLandsAfterItsCallerGaveUpIsUndone() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER).next(StoreOperation.ASK, Fault.LOST_REQUEST, 20);

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().plusSeconds(3));

        assertThat(Cluster.outcome(acquisition)).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void anAskThatLandsWithinTheTimeOfACallAfterItsUndoIsUndoneToo() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.next(StoreOperation.ASK, Fault.LANDS_LATE, 20);
        Acquisition given = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(20));
        given.abandon();
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.faults.landLate();
        assertThat(cluster.queue()).hasSize(1);

        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout());

        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.count(StoreOperation.RAISE_DISPUTE)).isZero();
    }

    @Test
    void anAskThatLandsAfterItsUndoIsTakenOutOnAWaitersDispute() {
        SimulatedProcess process = processWhoseAskLandedLate();
        SimulatedProcess other = cluster.startedProcess();

        Acquisition waiting = other.acquire(KEY, AcquireSpec.FOREVER);
        boolean granted = cluster.time.advanceUntil(() -> Cluster.isGranted(waiting), LEASE.plusSeconds(8));

        assertThat(granted).isTrue();
        assertThat(process.isDead()).isFalse();
        assertThat(cluster.calls.count(StoreOperation.RAISE_DISPUTE)).isOne();
        cluster.time.advance(Duration.ofSeconds(12));
        assertThat(cluster.table.sessionIds())
                .allMatch(
                        id -> cluster.table.session(id).orElseThrow().disputes().isEmpty());
    }

    @Test
    void callersWhoNeverWaitFindOutAboutALateAskToo() {
        processWhoseAskLandedLate();
        SimulatedProcess other = cluster.startedProcess();

        List<Acquisition> attempts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            attempts.add(other.acquire(KEY, Duration.ZERO));
            cluster.time.advance(Duration.ofSeconds(15));
        }

        assertThat(attempts.get(0)).matches(Cluster::isTimedOut);
        assertThat(attempts.get(3)).matches(Cluster::isGranted);
    }

    @Test
    void aLateAskIsTakenOutBeforeItsOwnProcessWaitsForItself() {
        SimulatedProcess process = processWhoseAskLandedLate();

        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(cluster.queue()).hasSize(1);
    }

    private SimulatedProcess processWhoseAskLandedLate() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.next(StoreOperation.ASK, Fault.LANDS_LATE, 20);
        Acquisition given = process.acquire(KEY, Duration.ZERO);
        cluster.time.advanceUntil(() -> given.outcome().isDone(), MINUTE);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().plusSeconds(1));
        cluster.faults.heal();
        cluster.faults.landLate();
        assertThat(cluster.queue()).hasSize(1);
        return process;
    }

    @Test
    void aDisputeOfABlockThatHoldsIsIgnored() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess other = cluster.startedProcess();
        Acquisition waiting = other.acquire(KEY, AcquireSpec.FOREVER);

        cluster.time.advance(Duration.ofMinutes(5));

        assertThat(held.isValid()).isTrue();
        assertThat(waiting.outcome()).isNotDone();
        assertThat(cluster.calls.count(StoreOperation.RAISE_DISPUTE)).isPositive();
    }

    // Places and items that vanish

    @Test
    void aWaiterWhosePlaceWasTakenOutAsksAgainAndGetsAGreaterNumber() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        long tail = cluster.table.lock(KEY).tail();

        cluster.table.take(KEY, Step.Leave.of(1, cluster.queue().get(1)), cluster.time.now());
        cluster.time.advance(Duration.ofSeconds(1));
        held.release();

        assertThat(process.grantOf(waiting).number()).isGreaterThan(tail);
    }

    @Test
    void aLockItemThatTheTtlTookIsMadeAnewWithGreaterNumbers() {
        SimulatedProcess process = cluster.startedProcess();
        Grant before = process.hold(KEY);
        before.release();
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.table.evictLock(KEY);

        assertThat(process.hold(KEY).number()).isGreaterThan(before.number());
    }

    @Test
    void waitersWhoseLockItemVanishedAskAgain() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));

        cluster.table.evictLock(KEY);

        assertThat(process.grantOf(waiting).isValid()).isTrue();
    }

    @Test
    void anEntryOfASessionThatNeverWasStopsNobody() {
        SimulatedProcess process = cluster.startedProcess();
        Entry nobodys = new Entry(new BlockId(Workbench.sessionId(5), 1), 1);
        cluster.table.take(KEY, new Step.Ask(nobodys, 1, 200), cluster.time.now());

        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(2));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    // Faults of each call

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"THROTTLED", "LOST_REQUEST", "LOST_ANSWER", "STALLS", "SLOW_ANSWER", "LANDS_TWICE", "LANDS_LATE"})
    void everyStepSurvivesEveryPassingFaultAndLeavesNothingBehind(Fault fault) {
        for (StoreOperation operation : StoreOperation.values()) {
            Cluster cluster = new Cluster();
            SimulatedProcess holder = cluster.startedProcess();
            SimulatedProcess process = cluster.startedProcess();
            Grant held = holder.hold(KEY);
            cluster.faults.next(operation, fault, 2);
            List<Long> numbers = cluster.runSections(cluster.acquire(process, 3, AcquireSpec.FOREVER));
            cluster.time.advance(Duration.ofSeconds(2));
            List<Long> numbersOfTheHolder = cluster.runSections(cluster.acquire(holder, 2, AcquireSpec.FOREVER));
            cluster.time.advance(Duration.ofSeconds(2));
            cluster.faults.landLate();

            held.release();
            boolean done = cluster.time.advanceUntil(
                    () -> numbers.size() + numbersOfTheHolder.size() == 5, MINUTE.multipliedBy(2));
            cluster.time.advance(MINUTE);

            assertThat(done).as("%s of %s", fault, operation).isTrue();
            assertThat(cluster.queue()).as("%s of %s", fault, operation).isEmpty();
        }
    }

    @Test
    void aStoreThatRefusesFailsTheCallersAtOnce() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.everythingButBeats(Fault.REFUSED);

        Acquisition acquisition = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(Cluster.outcome(acquisition))
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.REFUSED));
    }

    @Test
    void aCallerThatDoesNotWaitIsToldThoughTheDeadCannotBeClearedAway() {
        SimulatedProcess process = startedLongAfterTheHolderDied();
        cluster.faults.always(StoreOperation.LEAVE, Fault.THROTTLED);

        Acquisition tried = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().multipliedBy(2));

        assertThat(Cluster.isFailed(tried)).isTrue();
    }

    @Test
    void aCallerThatDoesNotWaitIsToldThoughOthersOfItsProcessAskInVain() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        cluster.faults.always(StoreOperation.LEAVE, Fault.THROTTLED).always(StoreOperation.ASK, Fault.THROTTLED);
        held.release();
        cluster.time.advance(Duration.ofMillis(10));

        Acquisition tried = process.acquire(KEY, Duration.ZERO);
        process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().multipliedBy(2));

        assertThat(Cluster.isFailed(tried)).isTrue();
    }

    @Test
    void aQueueThatCannotBeReadFailsEveryoneAndIsLeftOnceItIsPutRight() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        SimulatedProcess newcomer = cluster.startedProcess();
        holder.hold(KEY);
        List<Acquisition> waiting = new ArrayList<>(cluster.acquire(process, 2, AcquireSpec.FOREVER));
        cluster.time.advance(Duration.ofSeconds(1));
        List.of(StoreOperation.ASK, StoreOperation.GROW, StoreOperation.LEAVE, StoreOperation.LOOK)
                .forEach(operation -> cluster.faults.always(operation, Fault.UNREADABLE));
        waiting.addAll(cluster.acquire(newcomer, 2, AcquireSpec.FOREVER));
        cluster.time.advance(Duration.ofSeconds(2));

        assertThat(waiting)
                .allSatisfy(each -> assertThat(Cluster.outcome(each))
                        .isInstanceOfSatisfying(
                                AcquireOutcome.Failed.class,
                                failed -> assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.UNREADABLE)));
        cluster.faults.heal();
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.queue()).as("only the holder").hasSize(1);
    }

    @Test
    void aStoreThatDoesNotAnswerFailsTheCallersWhenTheirWaitIsOver() {
        SimulatedProcess process = cluster.process();
        cluster.faults.everything(Fault.STALLS);

        Acquisition acquisition = process.acquire(KEY, Duration.ofSeconds(10));
        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(Cluster.outcome(acquisition)).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(process.engine.waiting()).isZero();
    }

    @Test
    void aStoreThatAnsweredNothingIsWhyAWaitOfASecondAndMoreWasInVain() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.everything(Fault.STALLS);

        process.acquire(KEY, MINUTE);
        Acquisition brief = process.acquire(KEY, Duration.ofMillis(999));
        Acquisition longer = process.acquire(KEY, Duration.ofMillis(1_001));
        cluster.time.advance(Duration.ofSeconds(2));

        assertThat(brief).matches(Cluster::isTimedOut);
        assertThat(Cluster.outcome(longer))
                .isInstanceOfSatisfying(
                        AcquireOutcome.Failed.class,
                        failed -> assertThat(failed.cause()).hasMessageContaining("answered nothing"));
    }

    @Test
    void aWaitBehindAHolderIsATimeoutHoweverLongTheStoreHadNothingToSay() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);

        Acquisition waiting = process.acquire(KEY, Duration.ofMinutes(5));
        cluster.time.advance(Duration.ofMinutes(5));

        assertThat(waiting).matches(Cluster::isTimedOut);
    }

    @Test
    void aShutdownEndsEveryWaitAndLeavesNothingButTheLockItem() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        List<Acquisition> waiting = cluster.acquire(process, 5, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(3));

        var done = process.engine.shutdown();
        holder.engine.shutdown();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(done).isDone();
        assertThat(waiting).allMatch(acquisition -> Cluster.outcome(acquisition) instanceof AcquireOutcome.Closed);
        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.table.sessionIds()).isEmpty();
        assertThat(Cluster.outcome(process.acquire(KEY, MINUTE))).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void aDeadHolderIsFoundByCallersThatWaitForAMomentNowAndThen() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        holder.kill();

        boolean granted = false;
        for (int attempt = 0; attempt < 12 && !granted; attempt++) {
            Acquisition waiting = process.acquire(KEY, Duration.ofMillis(200));
            cluster.time.advance(Duration.ofSeconds(5));
            granted = Cluster.isGranted(waiting);
        }

        assertThat(granted).isTrue();
    }
}
