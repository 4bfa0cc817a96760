package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that fail, come late or never: who waits is served or told why, and nothing is left behind. */
class OutagesTest {

    private final Bench bench = new Bench();

    @ParameterizedTest
    @EnumSource(names = {"THROTTLED", "SILENT", "LOST_ANSWER", "STALLED", "SLOW_ANSWER", "LANDS_TWICE", "LANDS_LATE"})
    void everyPassingFaultOfEveryCallIsSurvivedAndLeavesNothingBehind(Fate fate) {
        for (Call call : Call.values()) {
            Bench bench = new Bench();
            LockEngine holder = bench.processThatHasUsedTheLock();
            LockEngine process = bench.processWithSession();
            Grant held = bench.grant(holder);
            bench.network.next(call, fate, 2);
            List<Acquisition> acquisitions = new ArrayList<>(Acquisitions.start(process, 3, Bench.waitingForever()));
            bench.advanceMillis(2_000);
            acquisitions.addAll(Acquisitions.start(holder, 2, Bench.waitingForever()));
            bench.advanceMillis(2_000);
            bench.network.resume();
            bench.network.landLate();

            acquisitions.forEach(next -> next.outcome()
                    .thenAccept(outcome -> bench.time.inMillis(
                            1, () -> Acquisitions.grant(next).release(null))));
            bench.release(held);
            bench.time.advanceUntil(
                    () -> acquisitions.stream().allMatch(Acquisitions::isGranted), Duration.ofMinutes(2));
            assertThat(acquisitions).as("%s of %s", fate, call).allMatch(Acquisitions::isGranted);
            bench.advanceMillis(60_000);

            assertThat(bench.queue()).as("%s of %s", fate, call).isEmpty();
            assertThat(bench.locksRememberedBy(process))
                    .as("%s of %s", fate, call)
                    .isZero();
        }
    }

    @Test
    void locksSurviveHalfAMinuteOfThrottlingAsLongAsHeartbeatsGetThrough() {
        LockEngine process = bench.processThatHasUsedTheLock();
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            grants.add(bench.granted(process.acquire(Bench.exclusive(key(i), AcquireSpec.FOREVER))));
        }
        bench.network.alwaysExceptForHeartbeats(Fate.THROTTLED);

        Acquisition waiting = process.acquire(Bench.exclusive());
        CompletableFuture<Boolean> released = grants.get(0).release(null);
        bench.advanceMillis(30_000);

        assertThat(grants.subList(1, 20)).allMatch(Grant::isValid);
        assertThat(released).isDone();
        assertThat(waiting.outcome()).isNotDone();
        bench.network.heal();
        bench.advanceMillis(3_000);
        assertThat(waiting).matches(Acquisitions::isGranted);
        assertThat(bench.table.lock(key(0)).queue()).isEmpty();
    }

    // Refusals

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "UNREADABLE"})
    void aStoreThatRefusesFailsAllWaitersAtOnceAndTheirEntriesAreRemovedLater(Fate fate) {
        bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        List<Acquisition> waiting = new ArrayList<>(Acquisitions.start(process, 3, Bench.waitingForever()));
        bench.advanceMillis(1_000);
        bench.network.alwaysExceptForHeartbeats(fate);
        waiting.addAll(Acquisitions.start(process, 3, Bench.waitingForever()));
        waiting.addAll(Acquisitions.start(bench.process(), 3, Bench.waitingForever()));
        bench.advanceMillis(2_000);

        assertThat(waiting)
                .allSatisfy(
                        waiter -> assertThat(failureOf(waiter).kind().name()).isEqualTo(fate.name()));
        assertThat(process.waiting()).isZero();
        bench.network.heal();
        bench.advanceMillis(10_000);
        assertThat(bench.queue()).as("the holder's").hasSize(1);
    }

    @Test
    void missingCredentialsEndNoWaitBeforeItsTimeAndEndTriesAtOnce() {
        LockEngine process = bench.process();
        bench.network.always(Fate.DENIED);
        Acquisition tried = process.acquire(Bench.exclusive(Duration.ZERO));
        Acquisition brief = process.acquire(Bench.exclusive(Duration.ofSeconds(30)));
        Acquisition patient = process.acquire(Bench.waitingForever());
        bench.advanceMillis(100);
        assertThat(failureOf(tried).kind()).isEqualTo(StoreFailure.Kind.DENIED);

        bench.advanceMillis(29_800);
        assertThat(brief.outcome()).isNotDone();
        bench.advanceMillis(1_200);
        assertThat(failureOf(brief).kind()).isEqualTo(StoreFailure.Kind.DENIED);
        assertThat(bench.network.count(Call.BEGIN))
                .as("repeated, but with pauses")
                .isBetween(25, 60);

        bench.network.heal();
        bench.advanceMillis(2_000);
        assertThat(patient).matches(Acquisitions::isGranted);
    }

    @Test
    void aWaitInTheQueueOutlastsAMissingPermission() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        Acquisition waiting = bench.acquire(bench.processWithSession(), Bench.waitingForever());
        bench.network.alwaysExceptForHeartbeats(Fate.DENIED);
        held.release(null);
        bench.advanceMillis(60_000);
        assertThat(waiting.outcome()).isNotDone();

        bench.network.heal();
        bench.advanceMillis(3_000);
        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void nothingIsRememberedOfALockWithAnUnreadableItem() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.alwaysExceptForHeartbeats(Fate.UNREADABLE);
        Acquisitions.start(process, 3, Bench.waitingForever());
        bench.advanceMillis(30_000);

        assertThat(bench.locksRememberedBy(process)).isZero();
    }

    @Test
    void aReleaseWhoseAnswerCannotBeReadIsDoneAndLeavesNothingBehind() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant grant = bench.grant(process);
        bench.network.resetCounts();
        bench.network.always(Call.EDIT, Fate.UNREADABLE_ITEM).always(Call.READ, Fate.UNREADABLE_ITEM);

        CompletableFuture<Boolean> released = grant.release(null);
        bench.advanceMillis(30_000);

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.network.writes()).isEqualTo(1);
        assertThat(bench.locksRememberedBy(process)).isZero();
    }

    // Callers that do not wait, or not long

    @Test
    void aCallerThatDoesNotWaitIsAnsweredThoughTheDeadCannotBeRemoved() {
        bench.grant(bench.processThatHasUsedTheLock());
        bench.killLatestProcess();
        bench.time.advance(Duration.ofHours(1));
        LockEngine process = bench.processWithSession();
        bench.network.next(Call.EDIT, Fate.ANSWERED, 1).always(Call.EDIT, Fate.THROTTLED);

        Acquisition tried = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1_000);

        assertThat(failureOf(tried).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
    }

    @Test
    void anOutageFailsACallerThatDoesNotWaitAndNobodyElse() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(process);
        bench.network.always(Call.EDIT, Fate.THROTTLED);
        held.release(null);
        bench.advanceMillis(10);
        Acquisition tried = process.acquire(Bench.exclusive(Duration.ZERO));
        Acquisition patient = bench.acquire(process, Bench.exclusive(), 10_000);

        assertThat(failureOf(tried).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(patient.outcome()).isNotDone();
        bench.network.heal();
        assertThat(bench.granted(patient).isValid()).isTrue();
    }

    @Test
    void aWaitBehindAHolderTimesOutThoughAnEarlierCallFailedOrNoneWasSent() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        bench.grant(holder);
        LockEngine process = bench.processWithSession();
        bench.network.next(Call.EDIT, Fate.THROTTLED, 1);

        Acquisition waiting = process.acquire(Bench.exclusive(Duration.ofSeconds(5)));
        Acquisition beside = holder.acquire(Bench.exclusive(Duration.ofMinutes(5)));
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(waiting.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(beside.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @ParameterizedTest(name = "a wait of {0} ms, which ends at {1} ms at the latest")
    @CsvSource({"0, 1000", "300, 1300", "4000, 5000"})
    void finiteWaitsFailIfTheBeginningOfTheSessionIsAlwaysAnsweredTooLate(long waitMillis, long most) {
        bench.setLease(Duration.ofSeconds(3));
        bench.setCallTimeout(Duration.ofMillis(600));
        bench.network.always(Call.BEGIN, Fate.SLOW_ANSWER);
        LockEngine process = bench.process();
        Acquisition brief = process.acquire(Bench.exclusive(Duration.ofMillis(waitMillis)));
        Acquisition patient = process.acquire(Bench.waitingForever());
        for (long passed = 0; passed < most; passed += 100) {
            bench.advanceMillis(100);
            if (passed % 2_500 == 2_400) {
                bench.network.resume();
            }
        }

        assertThat(failureOf(brief)).isNotNull();
        assertThat(patient.outcome()).isNotDone();
        bench.network.heal();
        bench.network.resume();
        bench.advanceMillis(5_000);
        assertThat(patient).matches(Acquisitions::isGranted);
        assertThat(bench.table.sessionIds()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aCallerThatDoesNotWaitGetsTheFirstLockThoughTheSessionBeginsSlowly(Kind kind) {
        bench.setCallTimeout(Duration.ofMillis(600));
        bench.network.next(Call.BEGIN, Fate.SLOW_ANSWER, 1);
        Acquisition tried = bench.acquire(bench.process(), Bench.spec(kind, Duration.ZERO), 900);
        assertThat(tried.outcome()).as("longer than any other call may take").isNotDone();
        bench.network.resume();
        bench.advanceMillis(50);

        assertThat(tried).matches(Acquisitions::isGranted);
    }

    @Test
    void aProcessThatIsFrozenWhileItsSessionBeginsIsNotToldThatItsClockIsWrong() {
        LockEngine process = bench.process();
        Acquisition patient = bench.acquire(process, Bench.waitingForever(), 4);

        bench.machineOf(process).loop.freeze(Duration.ofMinutes(3));
        bench.time.advance(Duration.ofMinutes(3).plusSeconds(1));

        assertThat(patient).matches(Acquisitions::isGranted);
        assertThat(bench.machineOf(process).events()).noneMatch(event -> event.startsWith("failed"));
    }

    // Calls that land late

    @ParameterizedTest(name = "one that waits for ever: {0}")
    @CsvSource({"true", "false"})
    void anAppendThatLandsLongAfterItsCallerLeftIsRemovedWhenOthersAsk(boolean waits) {
        LockEngine process = processWhoseAppendHasLandedLate();
        LockEngine other = bench.processWithSession();

        List<Acquisition> asking = new ArrayList<>();
        for (int attempt = 0; attempt < 4; attempt++) {
            asking.add(bench.acquire(other, Bench.exclusive(waits ? AcquireSpec.FOREVER : Duration.ZERO), 15_000));
        }

        assertThat(asking).anyMatch(Acquisitions::isGranted);
        assertThat(bench.machineOf(process).events()).doesNotContain("session lost");
        bench.advanceMillis(12_000);
        assertThat(bench.table.sessionIds())
                .allMatch(id -> bench.table.session(id).orElseThrow().notices().isEmpty());
    }

    @Test
    void anAppendThatWasSentLateIsRememberedUntilItHasSurelyLanded() {
        bench.setMaxCalls(1);
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.next(Call.EDIT, Fate.SILENT, 2);
        bench.network.next(Call.EDIT, Fate.LANDS_LATE, 1);
        process.acquire(Bench.exclusive(new LockKey("one", "default"), Duration.ZERO));
        process.acquire(Bench.exclusive(new LockKey("other", "default"), Duration.ZERO));
        Acquisition late = process.acquire(Bench.exclusive());
        bench.advanceMillis(1);
        late.abandon();

        bench.time.advanceUntil(() -> bench.network.count(Call.APPEND) == 3, Duration.ofMinutes(1));
        bench.advanceMillis(1_900);
        bench.network.landLate();
        assertThat(bench.queue()).hasSize(1);

        bench.advanceMillis(10_000);
        assertThat(bench.queue()).isEmpty();
    }

    private LockEngine processWhoseAppendHasLandedLate() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.next(Call.EDIT, Fate.LANDS_LATE, 1);
        Acquisition leaving = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1);
        leaving.abandon();
        bench.advanceMillis(10_000);
        bench.network.heal();
        bench.network.landLate();
        assertThat(bench.queue()).hasSize(1);
        return process;
    }

    @Test
    void aHolderWhoseEntryOthersAskAboutKeepsTheLock() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        Acquisition waiting = bench.processWithSession().acquire(Bench.waitingForever());

        bench.time.advance(Duration.ofMinutes(5));

        assertThat(held.isValid()).isTrue();
        assertThat(waiting.outcome()).isNotDone();
        assertThat(bench.network.count(Call.NOTIFY)).isPositive();
        bench.release(held);
        bench.release(bench.granted(waiting));
    }

    @Test
    void anOldAnswerEndsNoLaterHoldOfTheSameProcess() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition leaving = bench.acquire(process);
        bench.network.always(Call.READ, Fate.SLOW_ANSWER);
        bench.advanceMillis(100);
        leaving.abandon();
        bench.release(held);
        bench.table.removeLock(Bench.KEY);
        bench.advanceMillis(100);

        Grant later = bench.grant(process);
        bench.network.resume();
        bench.advanceMillis(1_000);

        assertThat(later.isValid()).isTrue();
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void cleaningUpDelaysNoCaller() {
        bench.setMaxCalls(8);
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.always(Call.END, Fate.STALLED).always(Call.NOTIFY, Fate.STALLED);
        bench.machineOf(process).moveWallClock(Bench.LEASE);
        bench.advanceMillis(8_000);
        assertThat(bench.network.heldUp()).as("the end of the lost session").isPositive();

        bench.release(bench.grant(process));

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void sessionsThatCannotBeDeletedDoNotPileUpWithoutEnd() {
        bench.network.always(Call.BEGIN, Fate.LOST_ANSWER).always(Call.END, Fate.REFUSED_CONNECTION);
        LockEngine process = bench.process();
        process.acquire(Bench.waitingForever());
        bench.time.advance(Duration.ofMinutes(10));
        assertThat(bench.machineOf(process).loop.timers()).isLessThan(100);
    }

    private static LockKey key(int number) {
        return new LockKey("key-" + number, "default");
    }

    private static StoreFailure failureOf(Acquisition acquisition) {
        assertThat(acquisition.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        return ((AcquireOutcome.Failed) acquisition.outcome().join()).cause();
    }
}
