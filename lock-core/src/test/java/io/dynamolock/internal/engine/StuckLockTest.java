package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockSnapshot;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A caller hangs while it holds the lock, and an operator looks at the lock and evicts. The caller has the lock by the
 * second entry of its process's turn; the caller before it has used the first entry up.
 */
class StuckLockTest {

    /** In milliseconds: a hold that lasts as long, and a call, after which the used-up entries are taken out. */
    private static final long LONG_HOLD = 2_100;

    private final Bench bench = new Bench();
    private final LockEngine elsewhere = bench.processThatHasUsedTheLock();
    private final LockEngine process = bench.processWithSession();

    private Grant first;
    private Grant hangs;

    @BeforeEach
    void theSecondCallerOfATurnHangs() {
        first = bench.grant(process);
        Acquisition second = bench.acquire(process);
        bench.release(first);
        hangs = bench.granted(second);
        bench.network.resetCounts();
    }

    // What is shown

    @Test
    void afterTwoSecondsTheEntryThatHoldsTheLockIsShownAsTheHolder() {
        bench.advanceMillis(LONG_HOLD);

        LockSnapshot shown = shown();
        assertThat(shown.holder())
                .map(LockSnapshot.Holder::id)
                .contains(hangs.entry().id());
        assertThat(shown.queue()).isEmpty();
        assertThat(bench.network.writes()).isOne();
    }

    @Test
    void afterTwoSecondsReadersThatHaveLeftAreNotShown() {
        bench.release(hangs);
        Grant leaving = bench.granted(process.acquire(Bench.spec(Kind.READ, Duration.ofMinutes(1))));
        bench.advanceMillis(100);
        Grant stays = bench.granted(process.acquire(Bench.spec(Kind.READ, Duration.ofMinutes(1))));
        bench.advanceMillis(10_000);
        bench.release(leaving);
        bench.network.resetCounts();
        bench.advanceMillis(LONG_HOLD);

        LockSnapshot shown = shown();
        assertThat(Stream.concat(shown.holder().stream(), shown.beside().stream()))
                .extracting(LockSnapshot.Holder::id)
                .containsExactly(stays.entry().id());
        assertThat(bench.network.writes()).isOne();
    }

    @Test
    void holdsOfLessThanTwoSecondsCostNoWriteForEarlierEntriesOfTheirTurn() {
        bench.advanceMillis(1_900);

        assertThat(bench.network.writes()).isZero();
    }

    @Test
    void theTokenIsExactInItsProcessAndWithinBoundsElsewhere() {
        for (long millis : new long[] {100, LONG_HOLD}) {
            bench.advanceMillis(millis);
            bench.await(hangs.putData(LockData.of("after " + millis)));
            assertTokens(shownBy(process), hangs.ticket(), hangs.ticket());
            Acquisition leaving = bench.acquire(elsewhere);
            leaving.abandon();
            bench.advanceMillis(100);
            assertTokens(shownBy(process), hangs.ticket(), hangs.ticket());
            assertThat(shown().holder().orElseThrow().leastToken()).isOne();
            assertThat(shown().holder().orElseThrow().greatestToken()).isGreaterThanOrEqualTo(hangs.ticket());
        }
    }

    @Test
    void theTokenOfTheTrueHolderIsShownInItsProcessEvenBeforeTwoSecondsAreOver() {
        assertTokens(shownBy(process), hangs.ticket(), hangs.ticket());
    }

    private static void assertTokens(LockSnapshot shown, long least, long greatest) {
        assertThat(shown.holder().orElseThrow().leastToken()).isEqualTo(least);
        assertThat(shown.holder().orElseThrow().greatestToken()).isEqualTo(greatest);
    }

    private LockSnapshot shown() {
        return shownBy(elsewhere);
    }

    private LockSnapshot shownBy(LockEngine registry) {
        return bench.await(registry.inspect(Bench.KEY)).snapshot(Bench.KEY);
    }

    private static String holder(LockSnapshot shown) {
        return shown.holder().orElseThrow().id();
    }

    // Who is evicted

    @ParameterizedTest
    @ValueSource(longs = {100, LONG_HOLD, 20_000})
    void whoeverHangsLosesTheLockIfItsShownHolderIsEvictedInItsProcess(long millis) {
        bench.advanceMillis(millis);

        assertThat(bench.await(process.evict(Bench.KEY, holder(shown()), ""))).isTrue();

        assertThat(hangs.loss()).contains(LossReason.EVICTED);
        assertThat(bench.granted(elsewhere.acquire(Bench.exclusive())).isValid())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {100, LONG_HOLD, 20_000})
    void whoeverHangsLosesTheLockIfItsShownHolderIsEvictedElsewhere(long millis) {
        bench.advanceMillis(millis);

        assertThat(bench.await(elsewhere.evict(Bench.KEY, holder(shown()), ""))).isTrue();

        assertThat(hangs.loss()).contains(LossReason.EVICTED);
        assertThat(bench.granted(elsewhere.acquire(Bench.exclusive())).isValid())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEvictionOfTheUsedUpEntryHitsWhoHangsHoweverLateItsNoticeIsHeard(boolean isHeardLate) {
        String id = holder(shown());
        if (isHeardLate) {
            bench.network.always(Network.Call.HEARTBEAT, Network.Fate.SILENT);
        }

        assertThat(bench.await(elsewhere.evict(Bench.KEY, id, ""))).isEqualTo(!isHeardLate);
        assertThat(hangs.isValid()).isEqualTo(isHeardLate);
        bench.network.heal();
        bench.advanceMillis(5_100);

        assertThat(hangs.loss()).contains(LossReason.EVICTED);
    }

    @Test
    void callersOfTheTurnBehindWhoHangsGoOnWaiting() {
        Acquisition next = bench.acquire(process);
        String id = holder(shown());

        assertThat(bench.await(elsewhere.evict(Bench.KEY, id, ""))).isTrue();

        assertThat(hangs.loss()).contains(LossReason.EVICTED);
        Grant granted = bench.granted(next);
        bench.advanceMillis(20_000);
        assertThat(granted.isValid()).isTrue();
    }

    @Test
    void aWaiterThatIsEvictedTwiceDoesNotTakeTheHolderWithIt() {
        Acquisition next = bench.acquire(process);
        String waits = bench.queue().get(1).id();
        bench.network.always(Network.Call.EDIT, Network.Fate.THROTTLED);

        process.evict(Bench.KEY, waits, "");
        process.evict(Bench.KEY, waits, "");
        bench.advanceMillis(500);
        bench.network.heal();
        bench.advanceMillis(10_000);

        assertThat(Acquisitions.outcome(next)).isInstanceOf(AcquireOutcome.Evicted.class);
        assertThat(hangs.isValid()).isTrue();
    }
}
