package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.LockKey;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases that an adversary of the engine thought of. */
class HardCasesTest {

    private final Cluster cluster = new Cluster();

    @Test
    void thousandsWhoGaveUpBehindAnotherProcessLeaveNothingThatBreaksTheQueue() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess crowd = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition first = crowd.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(200));
        List<Acquisition> passing = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            passing.add(crowd.acquire(KEY, Duration.ofMillis(100)));
            cluster.time.advance(Duration.ofMillis(12));
        }
        Acquisition last = crowd.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(passing).allMatch(Cluster::isTimedOut);

        first.abandon();
        cluster.time.advance(Duration.ofSeconds(1));
        held.release();

        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(last), MINUTE))
                .isTrue();
        crowd.grantOf(last).release();
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(cluster.table.rows(KEY)).isEmpty();
        assertThat(crowd.engine.waiting()).isZero();
    }

    @Test
    void aPatientCallerDoesNotFailBecauseOneAheadWhoDoesNotWaitLostPatience() {
        SimulatedProcess other = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        Grant held = other.hold(KEY);
        // Somebody took a number and left: the lock is open, so that the one who does not wait has to look.
        other.acquire(KEY, Duration.ofMillis(50));
        cluster.time.advance(Duration.ofSeconds(1));
        held.release();
        cluster.time.advance(Duration.ofSeconds(1));

        cluster.faults.always(StoreOperation.LOOK, Fault.THROTTLED);
        Acquisition impatient = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition patient = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(impatient.outcome().join()).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(patient.outcome()).isNotDone();
        cluster.faults.heal();
        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(patient), MINUTE))
                .isTrue();
    }

    @Test
    void aFailureThatHasPassedDoesNotTurnALaterTimeoutIntoAFailure() {
        SimulatedProcess process = cluster.startedProcess();
        SimulatedProcess other = cluster.startedProcess();
        process.hold(KEY);
        other.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.faults.next(StoreOperation.ENTER, Fault.THROTTLED);

        Acquisition waiting = process.acquire(KEY, Duration.ofSeconds(5));
        cluster.time.advance(Duration.ofSeconds(6));

        assertThat(waiting.outcome().join()).isInstanceOf(AcquireOutcome.TimedOut.class);
    }

    @Test
    void manyKeysWhoseWaitersLeaveAtOnceLeaveNoRow() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        List<Acquisition> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            LockKey key = new LockKey("key-" + i, "default");
            holder.hold(key);
            waiting.add(process.acquire(key, AcquireSpec.FOREVER));
        }
        cluster.time.advance(Duration.ofSeconds(1));
        waiting.forEach(Acquisition::abandon);
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(cluster.table.rowCount()).isZero();
        assertThat(process.engine.waiting()).isZero();
    }

    @Test
    void aRefusalOfOneCallReachesEveryoneWhoWaits() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        List<Acquisition> waiting = new ArrayList<>(cluster.acquire(process, 3, AcquireSpec.FOREVER));
        cluster.time.advance(Duration.ofSeconds(1));
        waiting.addAll(cluster.acquire(process, 3, AcquireSpec.FOREVER));
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.faults.everything(Fault.REFUSED);
        cluster.time.advance(Duration.ofSeconds(2));

        assertThat(waiting)
                .allSatisfy(each -> assertThat(each.outcome().join())
                        .isInstanceOfSatisfying(
                                AcquireOutcome.Failed.class,
                                failed -> assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.REFUSED)));
        assertThat(process.engine.waiting()).isZero();
    }
}
