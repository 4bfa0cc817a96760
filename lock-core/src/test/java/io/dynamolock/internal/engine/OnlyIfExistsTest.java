package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller may want a lock only if it has an item. */
class OnlyIfExistsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processWithSession();

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.005S", "PT1M"})
    void aLockWithoutAnItemIsNotFoundAfterOneWriteHoweverLongTheWait(Duration wait) {
        Acquisition acquisition = bench.acquire(process, ifExists(wait), 1_000);

        assertThat(Acquisitions.outcome(acquisition)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.table.lock(Bench.KEY)).isEqualTo(LockItem.ABSENT);
        assertThat(bench.countEvents(process, "abandoned")).isOne();
        assertThat(process.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void aLockThatWasUsedBeforeIsGrantedForTwoWrites(Duration wait) {
        bench.release(bench.grant(process));
        bench.network.resetCounts();

        bench.release(bench.granted(process.acquire(ifExists(wait))));

        assertThat(bench.network.writes()).isEqualTo(2);
        assertThat(bench.network.reads()).isZero();
    }

    @Test
    void aBusyLockIsToldApartFromALockWithoutAnItem() {
        bench.grant(bench.processWithSession());

        Acquisition hasty = process.acquire(ifExists(Duration.ZERO));
        Acquisition patient = bench.acquire(process, ifExists(Duration.ofSeconds(1)), 2_000);

        assertThat(hasty).matches(Acquisitions::isTimedOut);
        assertThat(patient).matches(Acquisitions::isTimedOut);
    }

    @Test
    void anAppendWhoseAnswerWasLostIsRepeatedUnderTheSameCondition() {
        bench.network.next(Call.APPEND, Fate.LOST_ANSWER, 2);
        Acquisition absent = bench.acquire(process, ifExists(MINUTE), 1_000);
        assertThat(Acquisitions.outcome(absent)).isInstanceOf(AcquireOutcome.NotFound.class);

        bench.release(bench.grant(process));
        bench.network.next(Call.APPEND, Fate.LOST_ANSWER, 2);
        Acquisition present = bench.acquire(process, ifExists(MINUTE), 1_000);

        assertThat(present).matches(Acquisitions::isGranted);
    }

    @Test
    void callersThatComeAfterTheCallerThatMakesTheItemFindTheItem() {
        Acquisition first = process.acquire(Bench.exclusive());
        Acquisition second = process.acquire(ifExists(MINUTE));
        bench.release(bench.granted(first));

        assertThat(bench.granted(second).isValid()).isTrue();
    }

    @Test
    void anItemRemovedWhileACallerWaitsIsNotMadeAgainForThatCaller() {
        bench.grant(bench.processWithSession());
        Acquisition waiting = bench.acquire(process, ifExists(MINUTE), 1_000);
        bench.table.removeLock(Bench.KEY);

        bench.advanceMillis(5_000);

        assertThat(Acquisitions.outcome(waiting)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(bench.table.lock(Bench.KEY)).isEqualTo(LockItem.ABSENT);
    }

    private static AcquireSpec ifExists(Duration wait) {
        return Specs.exclusive(Bench.KEY).waiting(wait).onlyIfExists().spec();
    }
}
