package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Bench.Call;
import io.dynamolock.internal.engine.Bench.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.process.PausableEngine;
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
            LockEngine holder = bench.begun();
            LockEngine process = bench.begunBeside();
            Grant held = bench.grant(holder);
            bench.next(call, fate, 2);
            List<Acquisition> all = new ArrayList<>(Bench.callers(process, 3, Bench.forever()));
            bench.advance(2_000);
            all.addAll(Bench.callers(holder, 2, Bench.forever()));
            bench.advance(2_000);
            bench.resume();
            bench.landLate();

            all.forEach(next -> next.outcome()
                    .thenAccept(outcome ->
                            bench.time.inMillis(1, () -> Bench.grant(next).release(null))));
            bench.release(held);
            bench.time.advanceUntil(() -> all.stream().allMatch(Bench::isGranted), Duration.ofMinutes(2));
            assertThat(all).as("%s of %s", fate, call).allMatch(Bench::isGranted);
            bench.advance(60_000);

            assertThat(bench.queue()).as("%s of %s", fate, call).isEmpty();
            assertThat(((PausableEngine) process).locksInUse())
                    .as("%s of %s", fate, call)
                    .isZero();
        }
    }

    @Test
    void locksSurviveHalfAMinuteOfThrottlingAsLongAsHeartbeatsGetThrough() {
        LockEngine process = bench.begun();
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            grants.add(bench.granted(process.acquire(Bench.exclusive(key(i), AcquireSpec.FOREVER))));
        }
        bench.alwaysButHeartbeats(Fate.THROTTLED);

        Acquisition waiting = process.acquire(Bench.exclusive());
        CompletableFuture<Boolean> released = grants.get(0).release(null);
        bench.advance(30_000);

        assertThat(grants.subList(1, 20)).allMatch(Grant::isValid);
        assertThat(released).isDone();
        assertThat(waiting.outcome()).isNotDone();
        bench.heal();
        bench.advance(3_000);
        assertThat(waiting).matches(Bench::isGranted);
        assertThat(bench.table.lock(key(0)).queue()).isEmpty();
    }

    // Refusals

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "UNREADABLE"})
    void aStoreThatRefusesFailsAllWhoWaitAtOnceAndWhatTheyLeftIsTakenOutLater(Fate fate) {
        bench.grant(bench.begun());
        LockEngine process = bench.begunBeside();
        List<Acquisition> waiting = new ArrayList<>(Bench.callers(process, 3, Bench.forever()));
        bench.advance(1_000);
        bench.alwaysButHeartbeats(fate);
        waiting.addAll(Bench.callers(process, 3, Bench.forever()));
        waiting.addAll(Bench.callers(bench.process(), 3, Bench.forever()));
        bench.advance(2_000);

        assertThat(waiting)
                .allSatisfy(each -> assertThat(failureOf(each).kind().name()).isEqualTo(fate.name()));
        assertThat(process.waiting()).isZero();
        bench.heal();
        bench.advance(10_000);
        assertThat(bench.queue()).as("the holder's").hasSize(1);
    }

    @Test
    void nothingIsRememberedOfALockWhoseItemNobodyCanRead() {
        LockEngine process = bench.begun();
        bench.alwaysButHeartbeats(Fate.UNREADABLE);
        Bench.callers(process, 3, Bench.forever());
        bench.advance(30_000);

        assertThat(((PausableEngine) process).locksInUse()).isZero();
    }

    // Those who do not wait, or not long

    @Test
    void whoDoesNotWaitIsToldThoughTheDeadCannotBeTakenOut() {
        bench.grant(bench.begun());
        bench.die();
        bench.time.advance(Duration.ofHours(1));
        LockEngine process = bench.begunBeside();
        bench.next(Call.EDIT, Fate.ANSWERED, 1).always(Call.EDIT, Fate.THROTTLED);

        Acquisition tried = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1_000);

        assertThat(failureOf(tried).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
    }

    @Test
    void whoDoesNotWaitIsToldAndNobodyElseFailsForThat() {
        LockEngine process = bench.begun();
        Grant held = bench.grant(process);
        bench.always(Call.EDIT, Fate.THROTTLED);
        held.release(null);
        bench.advance(10);
        Acquisition tried = process.acquire(Bench.exclusive(Duration.ZERO));
        Acquisition patient = bench.acquire(process, Bench.exclusive(), 10_000);

        assertThat(failureOf(tried).kind()).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(patient.outcome()).isNotDone();
        bench.heal();
        assertThat(bench.granted(patient).isValid()).isTrue();
    }

    @Test
    void aWaitBehindAHolderIsATimeoutThoughACallHadFailedOrTheStoreHadNothingToSay() {
        LockEngine holder = bench.begun();
        bench.grant(holder);
        LockEngine process = bench.begunBeside();
        bench.next(Call.EDIT, Fate.THROTTLED, 1);

        Acquisition waiting = process.acquire(Bench.exclusive(Duration.ofSeconds(5)));
        Acquisition beside = holder.acquire(Bench.exclusive(Duration.ofMinutes(5)));
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(waiting.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(beside.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @ParameterizedTest(name = "a wait of {0} ms, which ends at {1} ms at the latest")
    @CsvSource({"0, 1000", "300, 1300", "4000, 5000"})
    void aBeginningThatIsAlwaysAnsweredTooLateIsAFailureForWhoDoesNotWaitForEver(long waitMillis, long most) {
        bench.lease = Duration.ofSeconds(3);
        bench.callTimeout = Duration.ofMillis(600);
        bench.always(Call.BEGIN, Fate.SLOW_ANSWER);
        LockEngine process = bench.process();
        Acquisition brief = process.acquire(Bench.exclusive(Duration.ofMillis(waitMillis)));
        Acquisition patient = process.acquire(Bench.forever());
        for (long passed = 0; passed < most; passed += 100) {
            bench.advance(100);
            if (passed % 2_500 == 2_400) {
                bench.resume();
            }
        }

        assertThat(failureOf(brief)).isNotNull();
        assertThat(patient.outcome()).isNotDone();
        bench.heal();
        bench.resume();
        bench.advance(5_000);
        assertThat(patient).matches(Bench::isGranted);
        assertThat(bench.table.sessionIds()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theFirstLockOfAProcessIsGotWithoutAWaitThoughItsSessionBeginsSlowly(Kind kind) {
        bench.callTimeout = Duration.ofMillis(600);
        bench.next(Call.BEGIN, Fate.SLOW_ANSWER, 1);
        Acquisition tried = bench.acquire(bench.process(), Bench.spec(kind, Duration.ZERO), 900);
        assertThat(tried.outcome()).as("longer than any other call may take").isNotDone();
        bench.resume();
        bench.advance(50);

        assertThat(tried).matches(Bench::isGranted);
    }

    @Test
    void aProcessThatIsFrozenWhileItsSessionBeginsIsNotToldThatItsClockIsWrong() {
        LockEngine process = bench.process();
        Acquisition patient = bench.acquire(process, Bench.forever(), 4);

        bench.of(process).loop.freeze(Duration.ofMinutes(3));
        bench.time.advance(Duration.ofMinutes(3).plusSeconds(1));

        assertThat(patient).matches(Bench::isGranted);
        assertThat(bench.of(process).events).noneMatch(event -> event.startsWith("failed"));
    }

    // Calls that land late

    @ParameterizedTest(name = "one that waits for ever: {0}")
    @CsvSource({"true", "false"})
    void anAppendThatLandsLongAfterIsTakenOutWhenOthersAsk(boolean waits) {
        LockEngine process = whoseAppendHasLandedLate();
        LockEngine other = bench.begunBeside();

        List<Acquisition> asking = new ArrayList<>();
        for (int attempt = 0; attempt < 4; attempt++) {
            asking.add(bench.acquire(other, Bench.exclusive(waits ? AcquireSpec.FOREVER : Duration.ZERO), 15_000));
        }

        assertThat(asking).anyMatch(Bench::isGranted);
        assertThat(bench.of(process).events).doesNotContain("session lost");
        bench.advance(12_000);
        assertThat(bench.table.sessionIds())
                .allMatch(id -> bench.table.session(id).orElseThrow().notices().isEmpty());
    }

    @Test
    void anAppendThatWaitedForItsTurnIsRememberedUntilItHasSurelyLanded() {
        bench.maxCalls = 1;
        LockEngine process = bench.begun();
        bench.next(Call.EDIT, Fate.SILENT, 2);
        bench.next(Call.EDIT, Fate.LANDS_LATE, 1);
        process.acquire(Bench.exclusive(new LockKey("one", "default"), Duration.ZERO));
        process.acquire(Bench.exclusive(new LockKey("other", "default"), Duration.ZERO));
        Acquisition late = process.acquire(Bench.exclusive());
        bench.advance(1);
        late.abandon();

        bench.time.advanceUntil(() -> bench.count(Call.APPEND) == 3, Duration.ofMinutes(1));
        bench.advance(1_900);
        bench.landLate();
        assertThat(bench.queue()).hasSize(1);

        bench.advance(10_000);
        assertThat(bench.queue()).isEmpty();
    }

    private LockEngine whoseAppendHasLandedLate() {
        LockEngine process = bench.begun();
        bench.next(Call.EDIT, Fate.LANDS_LATE, 1);
        Acquisition given = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1);
        given.abandon();
        bench.advance(10_000);
        bench.heal();
        bench.landLate();
        assertThat(bench.queue()).hasSize(1);
        return process;
    }

    @Test
    void aHolderWhoseEntryOthersAskAboutKeepsTheLock() {
        Grant held = bench.grant(bench.begun());
        Acquisition waiting = bench.begunBeside().acquire(Bench.forever());

        bench.time.advance(Duration.ofMinutes(5));

        assertThat(held.isValid()).isTrue();
        assertThat(waiting.outcome()).isNotDone();
        assertThat(bench.count(Call.NOTIFY)).isPositive();
        bench.release(held);
        bench.release(bench.granted(waiting));
    }

    @Test
    void anAnswerFromBeforeEndsNoLaterHoldOfTheSameProcess() {
        Grant held = bench.grant(bench.begun());
        LockEngine process = bench.begunBeside();
        Acquisition leaving = bench.acquire(process);
        bench.always(Call.READ, Fate.SLOW_ANSWER);
        bench.advance(100);
        leaving.abandon();
        bench.release(held);
        bench.table.removeLock(Bench.KEY);
        bench.advance(100);

        Grant later = bench.grant(process);
        bench.resume();
        bench.advance(1_000);

        assertThat(later.isValid()).isTrue();
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void cleaningUpDelaysNoCaller() {
        bench.maxCalls = 8;
        LockEngine process = bench.begun();
        bench.always(Call.END, Fate.STALLED).always(Call.NOTIFY, Fate.STALLED);
        bench.of(process).moveWallClock(Bench.LEASE);
        bench.advance(6_000);
        assertThat(bench.heldUp()).as("the end of the lost session").isPositive();

        bench.release(bench.grant(process));

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void sessionsWhoseEndCannotBeWrittenDoNotGatherWithoutEnd() {
        bench.always(Call.BEGIN, Fate.LOST_ANSWER).always(Call.END, Fate.REFUSED_CONNECTION);
        LockEngine process = bench.process();
        process.acquire(Bench.forever());
        bench.time.advance(Duration.ofMinutes(10));
        assertThat(bench.of(process).loop.timers()).isLessThan(100);
    }

    private static LockKey key(int number) {
        return new LockKey("key-" + number, "default");
    }

    private static StoreFailure failureOf(Acquisition acquisition) {
        assertThat(acquisition.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Failed.class);
        return ((AcquireOutcome.Failed) acquisition.outcome().join()).cause();
    }
}
