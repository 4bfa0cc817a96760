package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.LockItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody deletes or empties a lock's item: the next answer about that lock tells its process. */
class TakenAwayTest {

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final LockEngine other = bench.processWithSession();
    private final List<String> told = new ArrayList<>();

    @Test
    void releasingALockWhoseItemIsGoneHarmsNoNewHolderAndMakesNoItem() {
        Grant gone = bench.grant(process);
        bench.table.removeLock(Bench.KEY);
        bench.release(gone);
        assertThat(bench.table.lock(Bench.KEY)).isEqualTo(LockItem.ABSENT);
        assertThat(bench.locksRememberedBy(process)).isZero();

        Grant held = bench.grant(process);
        bench.table.removeLock(Bench.KEY);
        Grant thief = bench.grant(other);
        held.release();
        bench.advanceMillis(1_000);

        assertThat(bench.queue()).containsExactly(thief.entry());
        assertThat(thief.isValid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAnswerToANewCallerTellsTheHolderOfItsLossAndThatCallerGetsTheLock(boolean isEmptied) {
        Grant held = hold();
        takeAway(isEmptied);

        Acquisition next = process.acquire(Bench.exclusive());
        Grant granted = bench.granted(next);

        assertThat(held.loss()).contains(LossReason.TAKEN_AWAY);
        assertThat(told).containsExactly("lost");
        assertThat(held.release()).isCompletedWithValue(false);
        assertThat(granted.ticket()).isGreaterThan(held.ticket());
        assertThat(bench.countEvents(process, "lost: TAKEN_AWAY")).isOne();
        assertThat(bench.queue()).containsExactly(granted.entry());
    }

    @Test
    void theWriteThatKeepsTheItemOfALongHoldTellsTheHolderOfItsLoss() {
        bench.setLease(Duration.ofHours(8));
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        bench.machineOf(process).loop.die();
        bench.machineOf(other).loop.die();
        bench.table.removeLock(Bench.KEY);

        bench.time.advance(Duration.ofDays(4));

        assertThat(held.loss()).contains(LossReason.TAKEN_AWAY);
    }

    @Test
    void aCallerWhoseEntryWasDeletedWithTheItemAsksAgain() {
        bench.grant(other);
        Acquisition waiting = bench.acquire(process);
        bench.table.removeLock(Bench.KEY);

        bench.advanceMillis(2_000);

        assertThat(waiting).matches(Acquisitions::isGranted);
        assertThat(bench.network.consistentReads()).as("a read that made sure").isLessThanOrEqualTo(2);
    }

    @Test
    void aReadThatIsOlderThanTheAppendIsNotTakenForALoss() {
        bench.grant(other);
        bench.network.next(Call.READ, Fate.SLOW_ANSWER, 1);
        Acquisition first = process.acquire(Bench.exclusive());
        bench.time.advanceUntil(() -> bench.network.heldUp() == 1, Duration.ofSeconds(2));
        first.abandon();
        bench.advanceMillis(50);
        Acquisition second = bench.acquire(process);
        bench.network.resetCounts();

        bench.network.resume();
        bench.advanceMillis(1_000);

        assertThat(second.outcome()).isNotDone();
        assertThat(bench.network.writes()).isZero();
        assertThat(bench.queue()).hasSize(2);
    }

    private Grant hold() {
        Grant held = bench.grant(process);
        held.onLost(() -> told.add("lost"));
        return held;
    }

    private void takeAway(boolean isEmptied) {
        if (isEmptied) {
            bench.table.edit(Bench.KEY, Edits.remove(Map.of(0, bench.queue().get(0))), bench.time.now());
        } else {
            bench.table.removeLock(Bench.KEY);
        }
    }
}
