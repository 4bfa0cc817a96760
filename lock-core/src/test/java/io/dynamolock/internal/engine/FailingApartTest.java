package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** One kind of call fails and the others do not: what the others can do is done as if nothing failed. */
class FailingApartTest {

    /** Two times that a poll waits for an edit, a call, and the time for which the front has not changed. */
    private static final Duration SOON = Duration.ofMillis(80);

    private final Bench bench = new Bench();

    // Edits fail

    @ParameterizedTest
    @CsvSource({
        "THROTTLED, 0",
        "THROTTLED, 0.5",
        "THROTTLED, 0.9",
        "THROTTLED, 1",
        "REFUSED_CONNECTION, 1",
        "CONFLICTED, 1",
        "LOST_ANSWER, 1",
        "STALLED, 1",
        "SLOW_ANSWER, 1",
        "SILENT, 1"
    })
    void aProcessNoticesThatItHoldsTheLockHoweverManyOfItsEditsFail(Fate fate, double share) {
        LockEngine holder = bench.processThatHasUsedTheLock();
        bench.network.spareLatestProcess();
        LockEngine process = bench.processWithSession();
        Grant held = bench.grant(holder);
        Acquisition first = bench.acquire(process, Bench.waitingForever(), 200);
        bench.network.often(Call.EDIT, fate, share);
        bench.acquire(process, Specs.as(Kind.READ, Bench.KEY).waitingForever().spec(), 1_000);
        bench.release(held);

        assertNoticed(first);
    }

    private void assertNoticed(Acquisition acquisition) {
        long from = bench.time.millis();
        bench.time.advanceUntil(acquisition.outcome()::isDone, Duration.ofSeconds(10));
        assertThat(Duration.ofMillis(bench.time.millis() - from)).isLessThan(SOON);
        assertThat(acquisition).matches(Acquisitions::isGranted);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOST_ANSWER", "SLOW_ANSWER"})
    void aFreeLockIsGotThoughNoEditIsAnswered(Fate fate) {
        LockEngine process = bench.processWithSession();
        bench.network.always(Call.EDIT, fate);
        Acquisition acquisition = process.acquire(Bench.waitingForever());
        long from = bench.time.millis();

        bench.time.advanceUntil(acquisition.outcome()::isDone, Duration.ofSeconds(8));

        assertThat(acquisition).matches(Acquisitions::isGranted);
        assertThat(bench.time.millis() - from).isLessThan(600);
        assertThat(bench.queue()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aCallerThatDoesNotWaitGetsAFreeLockByOneAppendThoughItsAnswerIsLost() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.next(Call.EDIT, Fate.LOST_ANSWER, 5);

        Acquisition hasty = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1_000);

        assertThat(hasty).matches(Acquisitions::isGranted);
        assertThat(bench.network.count(Call.APPEND)).isOne();
    }

    @Test
    void anAppendWithoutAnAnswerIsLookedForBeforeAThirdOneIsSent() {
        LockEngine process = bench.processWithSession();
        bench.network.always(Call.EDIT, Fate.LOST_ANSWER).always(Call.READ, Fate.STALLED);
        process.acquire(Bench.waitingForever());
        bench.advanceMillis(1_900);

        assertThat(bench.network.count(Call.APPEND)).isEqualTo(2);
        assertThat(bench.network.consistentReads()).isOne();
    }

    @Test
    void aReleaseIsDoneAndTheNextCallerServedThoughNoEditIsAnswered() {
        LockEngine process = bench.processWithSession();
        bench.network.always(Call.EDIT, Fate.LOST_ANSWER);
        for (int i = 0; i < 3; i++) {
            Grant grant = bench.grant(process);
            bench.release(grant);
        }
        bench.advanceMillis(3_000);

        assertThat(bench.queue()).isEmpty();
    }

    // Reads fail

    @ParameterizedTest
    @EnumSource(names = {"THROTTLED", "REFUSED_CONNECTION", "STALLED", "SILENT"})
    void editsAreSentAtOnceThoughEveryReadFails(Fate fate) {
        LockEngine holder = bench.processThatHasUsedTheLock();
        bench.grant(holder);
        LockEngine process = bench.processWithSession();
        bench.acquire(process, Bench.waitingForever(), 200);
        bench.network.always(Call.READ, fate);
        bench.advanceMillis(5_000);
        bench.network.resetCounts();

        bench.acquire(process, Specs.as(Kind.READ, Bench.KEY).waitingForever().spec(), 70);

        assertThat(bench.network.count(Call.APPEND)).isOne();
    }

    @Test
    void aProcessNoticesThatItHoldsTheLockThoughOrdinaryReadsShowOldItemsForLong() {
        LockEngine holder = bench.processThatHasUsedTheLock();
        LockEngine process = bench.processWithSession();
        Grant held = bench.grant(holder);
        Acquisition first = bench.acquire(process, Bench.waitingForever(), 200);
        bench.network.readsShowOldItems();
        bench.advanceMillis(5_000);
        bench.release(held);

        bench.advanceMillis(1_100);

        assertThat(first).matches(Acquisitions::isGranted);
    }

    // Room among the calls in flight

    @Test
    void readsHaveRoomThoughEditsWaitForAnswers() {
        bench.setMaxCalls(2);
        LockEngine holder = bench.processThatHasUsedTheLock();
        bench.network.spareLatestProcess();
        LockEngine process = bench.processWithSession();
        Grant held = bench.grant(holder);
        Acquisition first = bench.acquire(process, Bench.waitingForever(), 200);
        bench.network.always(Call.EDIT, Fate.SILENT);
        for (int i = 0; i < 10; i++) {
            process.acquire(Bench.exclusive(new LockKey("other-" + i, "default"), Duration.ofMinutes(1)));
        }
        bench.advanceMillis(300);
        bench.release(held);

        assertNoticed(first);
    }
}
