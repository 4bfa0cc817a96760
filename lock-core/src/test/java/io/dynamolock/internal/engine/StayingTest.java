package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The entry of a released lock stays for a moment, so that a caller that comes back has the lock without a call. */
class StayingTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration STAY = Duration.ofMillis(10);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();

    private static AcquireSpec returning() {
        return returning(MINUTE);
    }

    private static AcquireSpec returning(Duration wait) {
        return Specs.exclusive(Bench.KEY).waiting(wait).staying(STAY).spec();
    }

    /** One turn of a loop that comes back to the lock at once. */
    private Grant turn() {
        return turn(process, returning(), 1);
    }

    private Grant turn(LockEngine of, AcquireSpec spec, long millis) {
        Grant grant = bench.granted(of.acquire(spec));
        bench.advanceMillis(millis);
        grant.releaseUnawaited();
        return grant;
    }

    /** Callers come back, and the process knows it. */
    private void comeBack() {
        for (int i = 0; i < 6; i++) {
            turn();
        }
        bench.advanceMillis(100);
        assertThat(bench.queue()).isEmpty();
        bench.network.resetCounts();
    }

    /** The lock is free, its entry stays. */
    private void leaveStaying() {
        comeBack();
        turn();
        bench.advanceMillis(1);
        assertThat(bench.queue()).hasSize(1);
        bench.network.resetCounts();
    }

    @Test
    void aLoopThatComesBackAtOnceCostsFewWrites() {
        comeBack();
        long[] tickets = new long[1_000];
        for (int i = 0; i < tickets.length; i++) {
            tickets[i] = turn(process, returning(), 0).ticket();
        }
        bench.advanceMillis(100);

        assertThat(tickets).isSorted().doesNotHaveDuplicates();
        assertThat(bench.network.writes()).isLessThanOrEqualTo(60);
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aNewLockCostsTwoWritesASection() {
        for (int i = 0; i < 10; i++) {
            turn();
            bench.advanceMillis(500);
        }

        assertThat(bench.network.writes()).isEqualTo(20);
        assertThat(bench.countEvents(process, "stay")).isZero();
    }

    @Test
    void theReleaseIsDoneWhenTheStayBegins() {
        comeBack();
        Grant grant = bench.granted(process.acquire(returning()));
        bench.network.always(Network.Fate.SILENT);

        CompletableFuture<Boolean> released = grant.releaseUnawaited();
        bench.advanceMillis(1);

        assertThat(released).isCompletedWithValue(true);
    }

    @Test
    void callersThatDidNotComeBackLatelyAreNotWaitedFor() {
        leaveStaying();
        for (int i = 0; i < 3; i++) {
            bench.advanceMillis(200);
            turn();
        }
        bench.advanceMillis(200);
        bench.network.resetCounts();
        turn();
        bench.advanceMillis(4);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void theLockIsFreeWhenTheStayIsOver() {
        leaveStaying();
        bench.advanceMillis(STAY.toMillis() + 5);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.network.writes()).isEqualTo(1);
        bench.advanceMillis(10);
        assertThat(bench.countEvents(process, "stay UNUSED")).isPositive();
    }

    @Test
    void aCallerOfAnotherProcessWaitsForTheStayAtMostOnce() {
        LockEngine other = bench.processWithSession();
        leaveStaying();
        Acquisition waiting = bench.acquire(other, Bench.exclusive(), 30);
        assertThat(Acquisitions.isGranted(waiting)).isTrue();
        assertThat(bench.countEvents(process, "stay TAKEN")).isEqualTo(1);

        bench.release(bench.granted(waiting));
        turn();
        turn();
        bench.advanceMillis(7);
        assertThat(bench.queue())
                .as("nothing stays for a second after others were seen")
                .isEmpty();
    }

    @Test
    void allStaysOfAnEntryTogetherLastNoLongerThanOneMay() {
        LockEngine other = bench.processWithSession();
        comeBack();
        for (int i = 0; i < 200; i++) {
            turn(process, returning(), 0);
        }
        bench.advanceMillis(20);
        turn();
        Acquisition waiting = other.acquire(Bench.exclusive());
        int millis = 0;
        for (Acquisition back = null; !waiting.outcome().isDone() && millis < 200; millis++) {
            if (back == null && millis % 4 == 0) {
                back = process.acquire(returning());
            } else if (back != null && back.outcome().isDone()) {
                Acquisitions.grant(back).releaseUnawaited();
                back = null;
            }
            bench.advanceMillis(1);
        }

        assertThat(millis).isLessThan(36);
    }

    // 1: spare slots serve only callers that come soon after their append

    @Test
    void whoComesDuringALongHoldDoesNotPassThoseWhoQueuedBefore() {
        LockEngine other = bench.processWithSession();
        comeBack();
        Grant held = bench.granted(process.acquire(returning()));
        bench.advanceMillis(60);
        Acquisition elsewhere = bench.acquire(other, Bench.exclusive(), 20);
        Acquisition later = bench.acquire(process, returning(), 20);
        held.releaseUnawaited();
        bench.granted(elsewhere);

        assertThat(later.outcome()).isNotDone();
        bench.release(bench.granted(elsewhere));
        assertThat(bench.granted(later).ticket())
                .isGreaterThan(bench.granted(elsewhere).ticket());
    }

    @Test
    void whoComesSoonAfterTheAppendIsServedByASpareSlot() {
        comeBack();
        Grant held = bench.granted(process.acquire(returning()));
        Acquisition soon = bench.acquire(process, returning(), 30);
        bench.network.resetCounts();
        held.releaseUnawaited();
        bench.advanceMillis(1);

        assertThat(Acquisitions.isGranted(soon)).isTrue();
        assertThat(bench.network.writes()).isZero();
    }

    // 2: the removal leaves the lock free for a moment

    @Test
    void aCallerElsewhereThatNeverWaitsFindsTheLockFreeThoughALoopComesBackAtOnce() {
        LockEngine other = bench.processWithSession();
        comeBack();
        Acquisition own = process.acquire(returning());
        int tries = 0;
        boolean isGranted = false;
        for (int step = 0; step < 3_000 && !isGranted; step++) {
            if (own.outcome().isDone()) {
                Acquisitions.grant(own).releaseUnawaited();
                own = process.acquire(returning());
            }
            if (step % 7 == 0) {
                tries++;
                Acquisition attempt = other.acquire(Bench.exclusive(Duration.ZERO));
                bench.time.advanceUntil(attempt.outcome()::isDone, Duration.ofSeconds(1));
                isGranted = Acquisitions.isGranted(attempt);
            }
            bench.advanceMillis(1);
        }

        assertThat(isGranted).isTrue();
        assertThat(tries).isLessThan(50);
    }

    // 3: not if others were seen

    @Test
    void nothingStaysForASecondAfterAnEditWithoutAnAnswer() {
        comeBack();
        bench.network.next(Network.Call.EDIT, Network.Fate.LOST_ANSWER, 1);
        turn();
        bench.advanceMillis(100);
        bench.network.resetCounts();

        for (int i = 0; i < 5; i++) {
            turn();
        }
        bench.advanceMillis(100);
        assertThat(bench.network.writes()).isGreaterThanOrEqualTo(6);
    }

    @Test
    void nothingStaysAfterSomebodyElseHadTheLockUnseen() {
        LockEngine other = bench.processWithSession();
        comeBack();
        bench.release(bench.grant(other));

        turn();
        bench.advanceMillis(1);
        turn();
        bench.advanceMillis(7);
        assertThat(bench.queue()).isEmpty();
    }

    // 4: who cannot be served by the entry ends the stay at once

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"READ", "WRITE"})
    void aCallerThatTheEntryCannotServeEndsTheStay(Kind kind) {
        leaveStaying();
        Acquisition otherwise = process.acquire(Bench.spec(kind, MINUTE));
        bench.advanceMillis(1);

        if (kind == Kind.READ) {
            assertThat(bench.network.writes()).isEqualTo(1);
            assertThat(bench.countEvents(process, "stay CUT_SHORT")).isEqualTo(1);
        }
        bench.release(bench.granted(otherwise));
    }

    @Test
    void anAwaitedReleaseEndsTheTurnAtOnce() {
        leaveStaying();
        Grant back = bench.granted(process.acquire(returning()));
        CompletableFuture<Boolean> released = back.release(null);
        bench.advanceMillis(7);

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.queue()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fence", "data", "shortest hold"})
    void nothingStaysAfterAHoldThatOthersMustSee(String what) {
        comeBack();
        AcquireSpec spec = what.equals("shortest hold")
                ? Specs.exclusive(Bench.KEY)
                        .staying(STAY)
                        .holdAtLeast(Duration.ofMillis(5))
                        .spec()
                : returning();
        Grant grant = bench.granted(process.acquire(spec));
        if (what.equals("fence")) {
            grant.fence();
        }
        if (what.equals("data")) {
            grant.release(LockData.of("left"));
        } else {
            grant.releaseUnawaited();
        }
        bench.advanceMillis(13);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void closingEndsTheStayAtOnce() {
        leaveStaying();
        process.shutdown();
        bench.advanceMillis(4);

        assertThat(bench.queue()).isEmpty();
    }

    // 5: each grant checks the session, and none comes after the removal

    @Test
    void nobodyHasTheLockByAStayingEntryOnceItsRemovalWasSent() {
        leaveStaying();
        bench.advanceMillis(STAY.toMillis() - 1);
        Acquisition late = process.acquire(returning());
        bench.advanceMillis(1);
        assertThat(late.outcome()).isNotDone();

        Set<Entry> staying = new HashSet<>(bench.queue());
        bench.granted(late);
        assertThat(bench.queue()).doesNotContainAnyElementsOf(staying);
    }

    // 6: no entry has more than 128 slots

    @Test
    void anEntryThatStaysHasAtMostAHundredAndTwentyEightSlots() {
        comeBack();
        int most = 0;
        for (int i = 0; i < 2_000; i++) {
            turn(process, returning(), 0);
            List<Entry> queue = bench.queue();
            most = Math.max(most, queue.isEmpty() ? 0 : queue.get(0).slots());
        }

        assertThat(most).isEqualTo(128);
    }
}
