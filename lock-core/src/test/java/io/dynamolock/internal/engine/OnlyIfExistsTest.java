package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.Bench.Call;
import io.dynamolock.internal.engine.Bench.Fate;
import io.dynamolock.internal.protocol.LockItem;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller may want a lock only if it has an item. */
class OnlyIfExistsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.begunBeside();

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.005S", "PT1M"})
    void aLockWithoutAnItemIsNotFoundHoweverLongTheWaitAfterOneWriteAndLeavesNone(Duration wait) {
        Acquisition acquisition = bench.acquire(process, ifExists(wait), 1_000);

        assertThat(Bench.outcome(acquisition)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(bench.writes).isOne();
        assertThat(bench.table.lock(Bench.KEY)).isEqualTo(LockItem.ABSENT);
        assertThat(bench.heard(process, "abandoned")).isOne();
        assertThat(process.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void aLockThatWasUsedBeforeIsGrantedForTwoWrites(Duration wait) {
        bench.release(bench.grant(process));
        bench.reset();

        bench.release(bench.granted(process.acquire(ifExists(wait))));

        assertThat(bench.writes).isEqualTo(2);
        assertThat(bench.reads).isZero();
    }

    @Test
    void aLockThatIsBusyIsToldApartFromOneThatIsNotThere() {
        bench.grant(bench.begunBeside());

        Acquisition hasty = process.acquire(ifExists(Duration.ZERO));
        Acquisition patient = bench.acquire(process, ifExists(Duration.ofSeconds(1)), 2_000);

        assertThat(hasty).matches(Bench::isTimedOut);
        assertThat(patient).matches(Bench::isTimedOut);
    }

    @Test
    void anAppendWhoseAnswerWasLostIsRepeatedUnderTheSameCondition() {
        bench.next(Call.APPEND, Fate.LOST_ANSWER, 2);
        Acquisition absent = bench.acquire(process, ifExists(MINUTE), 1_000);
        assertThat(Bench.outcome(absent)).isInstanceOf(AcquireOutcome.NotFound.class);

        bench.release(bench.grant(process));
        bench.next(Call.APPEND, Fate.LOST_ANSWER, 2);
        Acquisition present = bench.acquire(process, ifExists(MINUTE), 1_000);

        assertThat(present).matches(Bench::isGranted);
    }

    @Test
    void callersThatComeAfterOneThatMakesTheItemFindIt() {
        Acquisition first = process.acquire(Bench.exclusive());
        Acquisition second = process.acquire(ifExists(MINUTE));
        bench.release(bench.granted(first));

        assertThat(bench.granted(second).isValid()).isTrue();
    }

    @Test
    void anItemThatIsRemovedWhileACallerWaitsIsNotMadeAnewForIt() {
        bench.grant(bench.begunBeside());
        Acquisition waiting = bench.acquire(process, ifExists(MINUTE), 1_000);
        bench.table.removeLock(Bench.KEY);

        bench.advance(5_000);

        assertThat(Bench.outcome(waiting)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(bench.table.lock(Bench.KEY)).isEqualTo(LockItem.ABSENT);
    }

    private static AcquireSpec ifExists(Duration wait) {
        return Specs.exclusive(Bench.KEY).waiting(wait).onlyIfExists().spec();
    }
}
