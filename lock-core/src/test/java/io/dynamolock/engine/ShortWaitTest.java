package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wait that is shorter than the way to the store gets at least what no wait gets. */
class ShortWaitTest {

    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_000, 1_000_000, 2_000_000, 5_000_000})
    void aFreeLockIsGotEveryTime(long nanos) {
        SimulatedProcess process = cluster.startedProcess();
        for (int i = 0; i < 50; i++) {
            Acquisition brief = process.acquire(KEY, Duration.ofNanos(nanos));
            cluster.time.advance(Duration.ofMillis(10));
            assertThat(brief).matches(Cluster::isGranted);
            process.grantOf(brief).release();
            cluster.time.advance(Duration.ofMillis(10));
        }
    }

    @Test
    void theFirstLockOfAProcessIsGotThoughItsSessionHasToBegin() {
        for (int i = 0; i < 50; i++) {
            SimulatedProcess process = cluster.process();
            Acquisition brief = process.acquire(KEY, MILLI);
            cluster.time.advance(Duration.ofMillis(20));
            assertThat(brief).matches(Cluster::isGranted);
            process.grantOf(brief).release();
            cluster.time.advance(Duration.ofMillis(20));
        }
    }

    @Test
    void aTakenLockIsATimeoutAtTheFirstAnswer() {
        cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();

        Acquisition brief = process.acquire(KEY, MILLI);
        cluster.time.advance(Duration.ofMillis(5));

        assertThat(brief).matches(Cluster::isTimedOut);
        cluster.time.advance(Duration.ofMillis(20));
        assertThat(cluster.queue()).as("the holder's").hasSize(1);
    }

    @Test
    void aWaitThatOutlastsTheFirstAnswerEndsOnTime() {
        cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();

        Acquisition brief = process.acquire(KEY, Duration.ofMillis(8));
        cluster.time.advance(Duration.ofMillis(8).minusNanos(1));
        assertThat(brief.outcome()).isNotDone();
        cluster.time.advance(Duration.ofNanos(1));

        assertThat(brief).matches(Cluster::isTimedOut);
    }

    @Test
    void aShortWaitBehindItsOwnProcessEndsOnTime() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);

        Acquisition brief = process.acquire(KEY, MILLI);
        cluster.time.advance(MILLI);

        assertThat(brief).matches(Cluster::isTimedOut);
    }

    @Test
    void anAskThatIsThrottledOnceIsRepeatedForAShortWaitToo() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.next(StoreOperation.ASK, Fault.THROTTLED);

        Acquisition brief = process.acquire(KEY, MILLI);
        cluster.time.advance(SECOND);

        assertThat(brief).matches(Cluster::isGranted);
    }

    @Test
    void anOutageEndsAShortWaitAfterTheTimeOfOneCall() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.always(StoreOperation.ASK, Fault.STALLS);

        Acquisition brief = process.acquire(KEY, MILLI);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().minus(MILLI));
        assertThat(brief.outcome()).isNotDone();
        cluster.time.advance(Duration.ofMillis(10));

        assertThat(brief).matches(Cluster::isFailed);
        assertThat(process.engine.waiting()).isZero();
    }

    @Test
    void aWaitOfManyCallsEndsOnTimeThoughItsSessionBeganJustBefore() {
        Duration timeout = SimulatedProcess.SETTINGS.callTimeout();
        Duration wait = timeout.multipliedBy(5);
        SimulatedProcess process = cluster.process();
        cluster.faults.always(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);

        Acquisition caller = process.acquire(KEY, wait);
        cluster.time.advance(wait.minus(timeout));
        cluster.faults.heal().always(StoreOperation.ASK, Fault.STALLS);
        cluster.time.advance(timeout.minus(MILLI));
        assertThat(caller.outcome()).isNotDone();
        assertThat(cluster.faults.stalledCalls())
                .as("the session began, and the lock was asked for")
                .isPositive();
        cluster.time.advance(Duration.ofMillis(2));

        assertThat(caller.outcome()).isDone();
        assertThat(process.engine.waiting()).isZero();
    }
}
