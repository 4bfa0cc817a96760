package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller may want a lock only if it has an item. */
class OnlyIfExistsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.005S", "PT1M"})
    void aLockWithoutAnItemIsNotFoundHoweverLongTheWaitAfterOneWriteAndLeavesNone(Duration wait) {
        cluster.calls.reset();

        Acquisition acquisition = process.acquire(ifExists(wait));
        cluster.time.advance(SECOND);

        assertThat(Cluster.outcome(acquisition)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(cluster.calls.lockWrites()).isOne();
        assertThat(cluster.table.lock(KEY)).isEqualTo(LockItem.ABSENT);
        assertThat(process.events).endsWith("abandoned");
        assertThat(process.engine.waiting()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void aLockThatWasUsedBeforeIsGranted(Duration wait) {
        process.hold(KEY).release();
        cluster.time.advance(SECOND);
        cluster.calls.reset();

        Acquisition acquisition = process.acquire(ifExists(wait));
        process.grantOf(acquisition).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.writes()).isEqualTo(2);
        assertThat(cluster.calls.reads()).isZero();
    }

    @Test
    void aLockThatIsBusyIsToldApartFromOneThatIsNotThere() {
        cluster.startedProcess().hold(KEY);

        Acquisition hasty = process.acquire(ifExists(Duration.ZERO));
        Acquisition patient = process.acquire(ifExists(SECOND));
        cluster.time.advance(SECOND.multipliedBy(2));

        assertThat(hasty).matches(Cluster::isTimedOut);
        assertThat(patient).matches(Cluster::isTimedOut);
    }

    @Test
    void anAskWhoseAnswerWasLostIsRepeatedUnderTheSameCondition() {
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER, 2);
        Acquisition absent = process.acquire(ifExists(MINUTE));
        cluster.time.advance(SECOND);
        assertThat(Cluster.outcome(absent)).isInstanceOf(AcquireOutcome.NotFound.class);

        process.hold(KEY).release();
        cluster.time.advance(SECOND);
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER, 2);
        Acquisition present = process.acquire(ifExists(MINUTE));
        cluster.time.advance(SECOND);

        assertThat(present).matches(Cluster::isGranted);
    }

    @Test
    void callersThatComeAfterOneThatMakesTheItemFindIt() {
        Grant first = process.hold(KEY);
        Acquisition second = process.acquire(ifExists(MINUTE));
        cluster.time.advance(SECOND);
        first.release();

        assertThat(process.grantOf(second).isValid()).isTrue();
    }

    @Test
    void anItemThatIsRemovedWhileACallerWaitsIsNotMadeAnewForIt() {
        cluster.startedProcess().hold(KEY);
        Acquisition waiting = process.acquire(ifExists(MINUTE));
        cluster.time.advance(SECOND);
        cluster.table.evictLock(KEY);

        cluster.time.advance(SECOND.multipliedBy(5));

        assertThat(Cluster.outcome(waiting)).isInstanceOf(AcquireOutcome.NotFound.class);
        assertThat(cluster.table.lock(KEY)).isEqualTo(LockItem.ABSENT);
    }

    private static AcquireSpec ifExists(Duration wait) {
        return new AcquireSpec(KEY, "test", wait, null, null, Kind.EXCLUSIVE, 0, true);
    }
}
