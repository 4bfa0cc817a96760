package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An operator has places given up, through the process that has them. */
class EvictionTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration BEAT = SimulatedProcess.SETTINGS.heartbeat();
    private static final Duration SOON = Duration.ofMillis(100);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess operator = cluster.startedProcess();
    private final SimulatedProcess process = cluster.startedProcess();

    // Who holds the lock

    @Test
    void aHolderLosesTheLockWithItsNextHeartbeatAndTheNextInLineGetsIt() {
        Grant held = process.hold(KEY);
        SimulatedProcess next = cluster.startedProcess();
        Acquisition waiting = next.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        cluster.calls.reset();

        assertThat(evict(first())).isTrue();
        assertThat(cluster.calls.count(StoreOperation.EVICT)).isOne();
        assertThat(cluster.calls.lockWrites())
                .as("nobody else touches the lock")
                .isZero();
        Grant granted = next.grantOf(waiting);

        assertThat(held.isValid()).isFalse();
        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(process.events).contains("lost: EVICTED");
        assertThat(granted.number()).isEqualTo(held.number() + 1);
        assertThat(cluster.queue()).hasSize(1);
        assertThat(held.release()).isCompletedWithValue(false);
    }

    @Test
    void itIsForgottenWhenItsProcessHasObeyed() {
        process.hold(KEY);
        SessionId session = first().session();
        evict(first());

        cluster.time.advance(BEAT.multipliedBy(2).plus(SOON));

        assertThat(cluster.table.session(session))
                .hasValueSatisfying(item -> assertThat(item.evictions()).isEmpty());
    }

    @Test
    void aHolderOfTheSameProcessLosesTheLockAtOnceAndForOneRead() {
        Grant held = operator.hold(KEY);
        cluster.calls.reset();

        assertThat(evict(first())).isTrue();

        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(cluster.calls.count(StoreOperation.LOOK)).isOne();
        assertThat(cluster.calls.count(StoreOperation.EVICT)).isZero();
        cluster.time.advance(SOON);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void theOthersOfItsBlockGoOnUnderANewNumber() {
        Grant held = process.hold(KEY);
        List<Acquisition> behind = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SOON);
        BlockId before = first();

        evict(before);
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(held.isValid()).isFalse();
        assertThat(process.grantOf(behind.get(0)).isValid()).isTrue();
        assertThat(first()).isNotEqualTo(before);
        assertThat(behind.get(1).outcome()).isNotDone();
    }

    @Test
    void whoHasItWhenTheProcessHearsOfItIsSparedIfItCameOnlyAfterTheOperatorHadLooked() {
        Grant seen = process.hold(KEY);
        evict(first());
        Acquisition later = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        seen.release();
        Grant granted = process.grantOf(later);

        cluster.time.advance(BEAT.plus(SOON));

        assertThat(granted.isValid()).isTrue();
        assertThat(process.events).doesNotContain("lost: EVICTED");
    }

    @Test
    void aLockThatIsKeptThoughReleasedIsLetGo() {
        operator.grantOf(operator.acquire(shortest(MINUTE))).release();
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        assertThat(next.outcome()).isNotDone();

        assertThat(evict(first())).isTrue();
        cluster.time.advance(SECOND);

        assertThat(next).matches(Cluster::isGranted);
        assertThat(operator.events).contains("released").doesNotContain("lost: EVICTED");
    }

    @Test
    void aHolderIsPutOutBeforeItsShortestHoldIsOver() {
        Grant held = process.grantOf(process.acquire(shortest(MINUTE)));

        evict(first());
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(held.loss()).contains(LossReason.EVICTED);
        assertThat(cluster.queue()).isEmpty();
    }

    // Who waits

    @Test
    void callersThatWaitInOnePlaceLeaveTogetherAndNobodyElseDoes() {
        Grant held = operator.hold(KEY);
        List<Acquisition> evicted = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SOON);
        SimulatedProcess other = cluster.startedProcess();
        Acquisition stays = other.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);

        assertThat(evict(entry(1).block())).isTrue();
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(evicted).allMatch(EvictionTest::isEvicted);
        assertThat(process.events)
                .filteredOn(event -> event.startsWith("evicted after"))
                .hasSize(2);
        assertThat(cluster.queue()).hasSize(2);
        assertThat(held.isValid()).isTrue();
        assertThat(stays.outcome()).isNotDone();
    }

    @Test
    void whoCameAfterTheOperatorHadLookedStays() {
        operator.hold(KEY);
        Acquisition evicted = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        evict(entry(1).block());
        Acquisition later = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        assertThat(entry(1).callers()).isEqualTo(2);

        cluster.time.advance(BEAT);

        assertThat(evicted).matches(EvictionTest::isEvicted);
        assertThat(later.outcome()).isNotDone();
        assertThat(cluster.queue()).hasSize(2);
    }

    @Test
    void whoIsCountedInThePlaceIsPutOutThoughItsProcessHasNotHeardThatItStandsThere() {
        operator.hold(KEY);
        Acquisition one = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        cluster.faults.next(StoreOperation.GROW, Fault.SLOW_ANSWER);
        Acquisition another = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        assertThat(entry(1).callers()).isEqualTo(2);

        obeys(process, entry(1));

        assertThat(List.of(one, another)).allMatch(EvictionTest::isEvicted);
        cluster.faults.resume();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void aPlaceWhoseAskIsNotAnsweredYetIsGivenUp() {
        operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.SLOW_ANSWER);
        Acquisition evicted = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);

        obeys(process, entry(1));

        assertThat(evicted).matches(EvictionTest::isEvicted);
        cluster.faults.resume();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void aPlaceWhoseAskLostItsAnswerIsGivenUp() {
        operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER).next(StoreOperation.ASK, Fault.LOST_REQUEST, 3);
        Acquisition evicted = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(20));

        obeys(process, entry(1));

        assertThat(evicted).matches(EvictionTest::isEvicted);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.queue()).hasSize(1);
        assertThat(((LoopEngine) process.engine).locksInUse()).isZero();
    }

    @Test
    void nobodyOfTheSameProcessTakesAPlaceThatWasGivenUp() {
        operator.hold(KEY);
        Acquisition evicted = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        SimulatedProcess other = cluster.startedProcess();
        other.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        BlockId place = entry(1).block();
        evicted.outcome().thenRun(() -> process.acquire(KEY, MINUTE));

        evict(place);
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(evicted).matches(EvictionTest::isEvicted);
        assertThat(cluster.queue()).hasSize(3);
        assertThat(cluster.queue().get(1).session()).as("the other's").isNotEqualTo(place.session());
        assertThat(cluster.queue().get(2).session()).as("at the end").isEqualTo(place.session());
    }

    @Test
    void whoWouldHaveGrownAPlaceThatWasGivenUpDoesNotTakeItIfAnotherProcessCameBefore() {
        operator.hold(KEY);
        Acquisition evicted = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        Entry place = entry(1);
        cluster.startedProcess().acquire(KEY, MINUTE);
        cluster.faults.next(StoreOperation.GROW, Fault.SLOW_ANSWER);
        cluster.time.advance(Duration.ofMillis(6));
        Acquisition later = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        assertThat(cluster.faults.stalledCalls()).as("refused, and not heard").isEqualTo(1);

        CompletableFuture<Boolean> told = process.engine.evict(KEY, place.block());
        cluster.time.advanceUntil(told::isDone, SECOND);
        assertThat(evicted).matches(EvictionTest::isEvicted);
        cluster.faults.resume();
        cluster.time.advance(SECOND);

        assertThat(later.outcome()).isNotDone();
        assertThat(cluster.queue()).hasSize(3).noneMatch(entry -> entry.block().equals(place.block()));
        assertThat(cluster.queue().get(2).session()).as("at the end").isEqualTo(place.session());
    }

    @Test
    void aPlaceThatComesToHoldTheLockMeanwhileLosesIt() {
        Grant before = operator.hold(KEY);
        Acquisition waiting = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        evict(entry(1).block());
        before.release();
        Grant granted = process.grantOf(waiting);

        cluster.time.advance(BEAT.plus(SOON));

        assertThat(granted.loss()).contains(LossReason.EVICTED);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void thoseBehindTheFirstHaveTheirTurnThoughTheirProcessHasNotHeardThatTheirPlaceHoldsTheLock() {
        Grant before = process.hold(KEY);
        List<Acquisition> waiting = cluster.acquire(operator, 3, MINUTE);
        cluster.time.advance(SECOND.multipliedBy(2));
        before.release();
        cluster.time.advance(Duration.ofMillis(3));
        Entry seen = entry(0);
        assertThat(cluster.queue()).hasSize(1);
        assertThat(seen.callers()).isEqualTo(3);
        assertThat(waiting).noneMatch(acquisition -> acquisition.outcome().isDone());

        assertThat(evict(seen.block())).isTrue();

        onlyTheFirstIsPutOut(operator, waiting);
        assertThat(first()).isNotEqualTo(seen.block());
    }

    @Test
    void thoseBehindTheFirstHaveTheirTurnThoughTheHeartbeatComesBeforeTheLook() {
        Grant before = operator.hold(KEY);
        List<Acquisition> waiting = cluster.acquire(process, 3, MINUTE);
        comesFirstUnheard(before);
        Entry seen = entry(0);
        assertThat(waiting).noneMatch(acquisition -> acquisition.outcome().isDone());

        obeys(process, seen);

        onlyTheFirstIsPutOut(process, waiting);
        assertThat(first()).isNotEqualTo(seen.block());
    }

    @Test
    void twoEvictionsOfThatPlacePutOutNoMoreThanOne() {
        Grant before = operator.hold(KEY);
        List<Acquisition> waiting = cluster.acquire(process, 3, MINUTE);
        comesFirstUnheard(before);
        Entry seen = entry(0);
        cluster.table.take(seen.session(), new SessionStep.Evict(Eviction.of(KEY, seen, 2)), cluster.time.now());

        obeys(process, seen);

        onlyTheFirstIsPutOut(process, waiting);
    }

    @Test
    void aPlaceIsGivenUpByWhatItsProcessKnowsIfTheLockCannotBeRead() {
        operator.hold(KEY);
        List<Acquisition> waiting = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SOON);
        cluster.faults.always(StoreOperation.LOOK, Fault.THROTTLED);

        obeys(process, entry(1));

        assertThat(waiting).allMatch(EvictionTest::isEvicted);
        cluster.faults.heal();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).hasSize(1);
    }

    // New numbers

    @Test
    void whoWasSeenByANumberThatItsBlockLosesBeforeItsFirstGrantIsPutOutAllTheSame() {
        Grant before = operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER);
        List<Acquisition> waiting = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SECOND);
        Entry seen = entry(1);
        before.release();
        Grant granted = process.grantOf(waiting.get(0));
        assertThat(first()).as("it may land once more").isNotEqualTo(seen.block());

        obeys(process, seen);

        assertThat(granted.loss()).contains(LossReason.EVICTED);
        assertThat(process.grantOf(waiting.get(1)).isValid()).isTrue();
    }

    @Test
    void itIsPutOutAlsoWhileTheNewNumberIsOnItsWay() {
        Grant before = operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER);
        List<Acquisition> waiting = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SECOND);
        Entry seen = entry(1);
        cluster.faults.always(StoreOperation.RENAME, Fault.LOST_ANSWER);
        before.release();
        cluster.time.advance(SECOND);
        assertThat(waiting).allMatch(acquisition -> !acquisition.outcome().isDone());

        obeys(process, seen);
        cluster.faults.heal();

        assertThat(waiting.get(0)).matches(EvictionTest::isEvicted);
        assertThat(process.grantOf(waiting.get(1)).isValid()).isTrue();
    }

    @Test
    void whoIsSeenByANumberOfWhichItsProcessHasNotHeardYetIsPutOut() {
        Grant fenced = process.hold(KEY);
        fenced.fence();
        List<Acquisition> behind = cluster.acquire(process, 2, MINUTE);
        cluster.time.advance(SOON);
        cluster.faults.always(StoreOperation.RENAME, Fault.LOST_ANSWER);
        fenced.release();
        cluster.time.advance(SOON);

        obeys(process, entry(0));
        cluster.faults.heal();

        assertThat(behind.get(0)).matches(EvictionTest::isEvicted);
        assertThat(process.grantOf(behind.get(1)).isValid()).isTrue();
    }

    @Test
    void whoFollowsAHolderThatIsDoneIsNotPutOutForIt() {
        Grant fenced = process.hold(KEY);
        fenced.fence();
        Acquisition behind = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        Entry seen = entry(0);
        fenced.release();
        Grant granted = process.grantOf(behind);

        obeys(process, seen);

        assertThat(granted.isValid()).isTrue();
    }

    // Readers and permits

    @Test
    void allReadersOfAPlaceLoseTheLockAndThoseWhoCameLaterKeepIt() {
        Grant one = process.grantOf(process.acquire(as(Kind.READ)));
        Grant another = process.grantOf(process.acquire(as(Kind.READ)));
        Grant elsewhere = operator.grantOf(operator.acquire(as(Kind.READ)));
        Entry seen = entry(0);
        assertThat(seen.callers()).isEqualTo(2);

        evict(seen.block());
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(List.of(one, another)).allMatch(grant -> grant.loss().orElse(null) == LossReason.EVICTED);
        assertThat(elsewhere.isValid()).isTrue();
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void aReaderWhoJoinedLaterKeepsTheLock() {
        Grant seen = process.grantOf(process.acquire(as(Kind.READ)));
        evict(first());
        Grant later = process.grantOf(process.acquire(as(Kind.READ)));
        assertThat(cluster.queue()).hasSize(1);

        cluster.time.advance(BEAT.plus(SOON));

        assertThat(seen.loss()).contains(LossReason.EVICTED);
        assertThat(later.isValid()).isTrue();
        later.release();
        cluster.time.advance(SOON);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aHolderThatCameLateIntoAPlaceIsPutOutThoughThePlaceHasFewerCallersByNow() {
        Grant fenced = process.hold(KEY);
        Acquisition second = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        Acquisition third = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        fenced.fence();
        fenced.release();
        process.grantOf(second).release();
        Grant last = process.grantOf(third);
        assertThat(entry(0).callers()).as("by its new number").isEqualTo(2);

        obeys(process, entry(0));

        assertThat(last.isValid()).isFalse();
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void allReadersOfAPlaceArePutOutThoughTheirProcessHasNotHeardThatItHoldsTheLock() {
        Grant before = operator.hold(KEY);
        List<Acquisition> readers = List.of(process.acquire(as(Kind.READ)), process.acquire(as(Kind.READ)));
        comesFirstUnheard(before);
        assertThat(entry(0).callers()).isEqualTo(2);

        obeys(process, entry(0));

        assertThat(readers).allMatch(EvictionTest::isEvicted);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aReaderThatWasCountedIsPutOutThoughItsProcessHasNotHeardThatItHasJoined() {
        List<Grant> held = readers(process, 2);
        Acquisition joining = joiningUnheard(process);

        assertThat(evict(first())).isTrue();
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(held).allMatch(grant -> grant.loss().orElse(null) == LossReason.EVICTED);
        assertThat(joining).matches(EvictionTest::isEvicted);
        assertThat(cluster.queue()).isEmpty();
        cluster.faults.resume();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aReaderThatWasCountedIsPutOutAlsoIfThoseBeforeItHaveReleased() {
        List<Grant> held = readers(operator, 2);
        Acquisition joining = joiningUnheard(operator);
        held.forEach(Grant::release);

        assertThat(evict(first())).isTrue();

        assertThat(joining).matches(EvictionTest::isEvicted);
        cluster.faults.resume();
        cluster.time.advance(SECOND);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aWriterThatGoesOnAsAReaderBeforeItsProcessHearsOfItLosesTheLockAndNoOtherReaderDoes() {
        Grant writer = process.grantOf(process.acquire(as(Kind.WRITE)));
        evict(first());
        Grant goesOn = cluster.downgraded(writer);
        Grant another = process.grantOf(process.acquire(as(Kind.READ)));
        assertThat(entry(0).callers()).isEqualTo(2);

        cluster.time.advance(BEAT.plus(SOON));

        assertThat(goesOn.loss()).contains(LossReason.EVICTED);
        assertThat(another.isValid()).isTrue();
    }

    @Test
    void aWriterThatGotANewNumberBeforeItsGrantAndGoesOnAsAReaderLosesTheLock() {
        Grant before = operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER);
        Acquisition waiting = process.acquire(as(Kind.WRITE));
        cluster.time.advance(SECOND);
        Entry seen = entry(1);
        before.release();
        Grant writer = process.grantOf(waiting);
        assertThat(first()).as("it may land once more").isNotEqualTo(seen.block());
        Grant goesOn = cluster.downgraded(writer);

        obeys(process, seen);

        assertThat(goesOn.loss()).contains(LossReason.EVICTED);
    }

    @Test
    void aWriterThatWaitsBehindReadersIsPutOut() {
        operator.grantOf(operator.acquire(as(Kind.READ)));
        Acquisition writer = process.acquire(as(Kind.WRITE));
        cluster.time.advance(SOON);

        evict(entry(1).block());
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(writer).matches(EvictionTest::isEvicted);
        assertThat(cluster.queue()).hasSize(1);
    }

    // What becomes of the telling

    @Test
    void aPlaceThatIsNotThereIsNotTold() {
        Grant held = process.hold(KEY);
        BlockId place = first();
        held.release();
        cluster.time.advance(SOON);
        cluster.calls.reset();

        assertThat(evict(place)).isFalse();

        assertThat(cluster.calls.writes()).isZero();
    }

    @Test
    void aPlaceWhoseSessionIsGoneIsNotToldAndItsProcessIsTakenForDead() {
        process.hold(KEY);
        BlockId place = first();
        process.kill();
        cluster.table.take(place.session(), new SessionStep.End(), cluster.time.now());

        assertThat(evict(place)).isFalse();
        assertThat(operator.hold(KEY).isValid()).isTrue();
    }

    @Test
    void aTellingWhoseAnswerIsLostIsRepeatedAndObeyedOnce() {
        process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SOON);
        cluster.faults.next(StoreOperation.EVICT, Fault.LOST_ANSWER);

        assertThat(evict(first())).isTrue();
        cluster.time.advance(BEAT.multipliedBy(2));

        assertThat(cluster.calls.count(StoreOperation.EVICT)).isEqualTo(2);
        assertThat(next).matches(Cluster::isGranted);
        assertThat(process.events).containsOnlyOnce("lost: EVICTED");
        assertThat(process.grantOf(next).isValid()).isTrue();
    }

    @Test
    void aTellingThatLandsAgainWhenItHasBeenObeyedIsNotObeyedTwice() {
        Grant before = operator.hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER);
        List<Acquisition> waiting = cluster.acquire(process, 3, MINUTE);
        cluster.time.advance(SECOND);
        cluster.faults.next(StoreOperation.EVICT, Fault.LANDS_TWICE);
        cluster.faults.always(StoreOperation.RENAME, Fault.LOST_REQUEST);
        SessionId session = entry(1).session();
        before.release();
        cluster.time.advance(SECOND);
        assertThat(evict(first())).isTrue();
        cluster.time.advance(BEAT.multipliedBy(2).plus(SOON));
        assertThat(waiting.get(0)).matches(EvictionTest::isEvicted);
        assertThat(cluster.table.session(session).orElseThrow().evictions()).isEmpty();

        assertThat(cluster.faults.landLate()).isOne();
        assertThat(cluster.table.session(session).orElseThrow().evictions()).hasSize(1);
        cluster.time.advance(BEAT.plus(SOON));
        cluster.faults.heal();

        assertThat(process.grantOf(waiting.get(1)).isValid()).isTrue();
    }

    @Test
    void aTellingThatFailsForGoodFails() {
        process.hold(KEY);
        cluster.faults.next(StoreOperation.EVICT, Fault.REFUSED);

        assertThat(failure(operator.engine.evict(KEY, first())).kind()).isEqualTo(StoreFailure.Kind.REFUSED);
        assertThat(cluster.calls.count(StoreOperation.EVICT)).isOne();
    }

    @Test
    void aTellingThatIsNotAnsweredFailsInTheEnd() {
        process.hold(KEY);
        cluster.faults.always(StoreOperation.EVICT, Fault.LOST_REQUEST);

        assertThat(failure(operator.engine.evict(KEY, first())).kind()).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(cluster.calls.count(StoreOperation.EVICT)).isEqualTo(3);
    }

    @Test
    void aProcessThatHasTwentyToldAlreadyIsToldNoMore() {
        process.hold(KEY);
        BlockId place = first();
        for (int i = 1; i <= SessionStep.Evict.MOST; i++) {
            Eviction eviction = Eviction.of(new LockKey("k" + i, "default"), new Entry(place, 1), i);
            cluster.table.take(place.session(), new SessionStep.Evict(eviction), cluster.time.now());
        }

        StoreFailure failure = failure(operator.engine.evict(KEY, place));

        assertThat(failure.kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(failure).hasMessageContaining("20");
    }

    @Test
    void anEntryThatItsProcessDoesNotKnowIsTakenOut() {
        process.hold(new LockKey("another", "default"));
        SessionId session = cluster.table
                .lock(new LockKey("another", "default"))
                .queue()
                .get(0)
                .session();
        cluster.table.take(KEY, new Step.Ask(new Entry(new BlockId(session, 77), 1), 1, 200), cluster.time.now());

        assertThat(evict(first())).isTrue();
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aLockThatIsKeptForAProcessThatHasStoppedIsFreeAtOnce() {
        process.grantOf(process.acquire(shortest(MINUTE))).release();
        process.engine.shutdown();
        cluster.time.advance(SECOND);
        Acquisition next = operator.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        assertThat(next.outcome()).isNotDone();

        assertThat(evict(first())).isTrue();
        cluster.time.advance(SECOND);

        assertThat(next).matches(Cluster::isGranted);
        assertThat(cluster.calls.count(StoreOperation.BURY)).isOne();
    }

    @Test
    void aProcessThatIsFrozenHearsOfItLaterOrLosesItsSession() {
        Grant held = process.hold(KEY);
        process.freeze();
        evict(first());
        cluster.time.advance(Duration.ofSeconds(8));
        assertThat(held.isValid()).isTrue();

        process.thaw();
        cluster.time.advance(BEAT.plus(SOON));

        assertThat(held.loss()).contains(LossReason.EVICTED);
    }

    @Test
    void anEngineThatIsShutDownTellsNobody() {
        process.hold(KEY);
        BlockId place = first();
        operator.engine.shutdown();
        cluster.time.advance(MINUTE);

        assertThat(operator.engine.evict(KEY, place)).isCompletedExceptionally();
        assertThat(cluster.calls.count(StoreOperation.EVICT)).isZero();
    }

    // What they are made of

    private boolean evict(BlockId place) {
        CompletableFuture<Boolean> told = operator.engine.evict(KEY, place);
        cluster.time.advanceUntil(told::isDone, MINUTE);
        return told.join();
    }

    /** As the process would when its beat shows this eviction of all who are counted in the entry. */
    private void obeys(SimulatedProcess told, Entry seen) {
        Eviction eviction = Eviction.of(KEY, seen, 1);
        cluster.table.take(seen.session(), new SessionStep.Evict(eviction), cluster.time.now());
        cluster.time.advance(BEAT.plus(SOON));
        assertThat(told.isFrozen()).isFalse();
    }

    /** The next place comes to hold the lock. The answer to its look stays away, and no other look comes before the next heartbeat. */
    private void comesFirstUnheard(Grant before) {
        cluster.time.advance(SOON);
        cluster.time.advance(SECOND.multipliedBy(2));
        cluster.faults.next(StoreOperation.LOOK, Fault.SLOW_ANSWER);
        cluster.time.advanceUntil(() -> cluster.faults.stalledCalls() == 1, SECOND.multipliedBy(2));
        before.release();
        cluster.time.advance(SOON);
    }

    private void onlyTheFirstIsPutOut(SimulatedProcess told, List<Acquisition> ofOnePlace) {
        assertThat(ofOnePlace.get(0)).matches(EvictionTest::isEvicted);
        for (Acquisition behind : ofOnePlace.subList(1, ofOnePlace.size())) {
            Grant granted = told.grantOf(behind);
            assertThat(granted.isValid()).isTrue();
            granted.release();
        }
        assertThat(told.events).doesNotContain("lost: EVICTED");
    }

    private List<Grant> readers(SimulatedProcess of, int callers) {
        return Stream.generate(() -> of.grantOf(of.acquire(as(Kind.READ))))
                .limit(callers)
                .toList();
    }

    /** A reader who has joined the first place; its process does not hear of that before the next heartbeat. */
    private Acquisition joiningUnheard(SimulatedProcess of) {
        cluster.time.advance(SECOND.multipliedBy(2));
        cluster.faults.next(StoreOperation.GROW, Fault.SLOW_ANSWER);
        int before = entry(0).callers();
        Acquisition joining = of.acquire(as(Kind.READ));
        cluster.time.advance(SOON);
        assertThat(entry(0).callers()).isEqualTo(before + 1);
        return joining;
    }

    private StoreFailure failure(CompletableFuture<?> call) {
        cluster.time.advanceUntil(call::isDone, MINUTE);
        try {
            call.join();
        } catch (CompletionException e) {
            return (StoreFailure) e.getCause();
        }
        throw new AssertionError("did not fail");
    }

    private BlockId first() {
        return entry(0).block();
    }

    private Entry entry(int place) {
        return cluster.queue().get(place);
    }

    private static AcquireSpec shortest(Duration holdAtLeast) {
        return new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, holdAtLeast);
    }

    private static AcquireSpec as(Kind kind) {
        return new AcquireSpec(KEY, "test", MINUTE, null, null, kind, 0, false);
    }

    private static boolean isEvicted(Acquisition acquisition) {
        return Cluster.outcome(acquisition) instanceof AcquireOutcome.Evicted;
    }
}
