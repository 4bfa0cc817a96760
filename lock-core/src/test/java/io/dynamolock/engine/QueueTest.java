package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Order, waiting and leaving. */
class QueueTest {

    private final Cluster cluster = new Cluster();

    @Test
    void grantsInTheOrderOfTicketsAcrossProcesses() {
        SimulatedProcess first = cluster.startedProcess();
        SimulatedProcess second = cluster.startedProcess();
        Grant held = first.hold(KEY);
        List<Long> granted = new ArrayList<>();
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            for (SimulatedProcess process : List.of(first, second)) {
                String caller = process.name() + "#" + i;
                process.acquire(KEY, AcquireSpec.FOREVER).outcome().thenAccept(outcome -> {
                    Grant grant = ((AcquireOutcome.Granted) outcome).grant();
                    granted.add(grant.number());
                    order.add(caller);
                    cluster.time.schedule(grant::release, Duration.ofMillis(3));
                });
                cluster.time.advance(Duration.ofMillis(20));
            }
        }
        List<String> arrived = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            arrived.add(first.name() + "#" + i);
            arrived.add(second.name() + "#" + i);
        }

        held.release();
        assertThat(cluster.time.advanceUntil(() -> granted.size() == 100, MINUTE))
                .isTrue();

        assertThat(order).isEqualTo(arrived);
        assertThat(granted).isSorted().doesNotHaveDuplicates();
        assertThat(granted.get(0)).isGreaterThan(held.number());
    }

    @Test
    void aCallerThatDoesNotWaitFailsWithoutAskingWhenItsOwnProcessHolds() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.calls.reset();

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.settle();

        assertThat(Cluster.isTimedOut(acquisition)).isTrue();
        assertThat(cluster.calls.total()).isZero();
    }

    @Test
    void aCallerThatDoesNotWaitFailsWhenAnotherProcessHoldsOrWaits() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(Cluster.isTimedOut(acquisition)).isTrue();
        AcquireOutcome.TimedOut outcome =
                (AcquireOutcome.TimedOut) acquisition.outcome().join();
        assertThat(outcome.ahead()).isPositive();
        assertThat(outcome.holder()).isNotNull();
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.table.rows(KEY)).isEmpty();
    }

    @Test
    void aFiniteWaitEndsOnTimeAndLeavesNoTrace() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        long start = cluster.time.nanos();

        Acquisition acquisition = process.acquire(KEY, Duration.ofSeconds(3));
        cluster.time.advanceUntil(() -> acquisition.outcome().isDone(), MINUTE);

        assertThat(Cluster.isTimedOut(acquisition)).isTrue();
        assertThat(Duration.ofNanos(cluster.time.nanos() - start)).isEqualTo(Duration.ofSeconds(3));
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(cluster.table.rows(KEY)).isEmpty();
        assertThat(process.engine.waiting()).isZero();
    }

    @Test
    void anInfiniteWaitNeverGivesUp() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition acquisition = process.acquire(KEY, AcquireSpec.FOREVER);

        cluster.time.advance(Duration.ofHours(2));
        assertThat(acquisition.outcome()).isNotDone();
        held.release();

        assertThat(process.grantOf(acquisition).isValid()).isTrue();
    }

    @Test
    void aCallerThatLeavesLeavesNoTraceAndLetsTheNextOnePass() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess second = cluster.startedProcess();
        SimulatedProcess third = cluster.startedProcess();
        Acquisition leaving = second.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition staying = third.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));

        leaving.abandon();
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(cluster.table.rows(KEY)).hasSize(1);
        held.release();

        assertThat(third.grantOf(staying).isValid()).isTrue();
        assertThat(leaving.outcome().join()).isInstanceOf(AcquireOutcome.Abandoned.class);
    }

    @Test
    void anAbandonedGrantIsReleased() {
        SimulatedProcess process = cluster.startedProcess();
        Acquisition acquisition = process.acquire(KEY, MINUTE);
        Grant grant = process.grantOf(acquisition);

        acquisition.abandon();
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(grant.isValid()).isFalse();
        assertThat(cluster.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aBlockWhoseNumbersFollowDirectlyNeedsNoRow() {
        Grant held = cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        cluster.calls.reset();
        Acquisition first = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition second = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));

        held.release();
        process.grantOf(first).release();
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(second).matches(Cluster::isGranted);
        assertThat(cluster.calls.count(StoreOperation.ENTER)).isOne();
        assertThat(cluster.calls.count(StoreOperation.HAND_OVER)).isOne();
        assertThat(cluster.calls.count(StoreOperation.RELEASE))
                .as("the other process's")
                .isOne();
    }

    @Test
    void aBlockEntersBeforeTheRowItReliedOnGoes() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition leaving = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(cluster.table.rows(KEY)).hasSize(1);
        long first = cluster.table.rows(KEY).get(0).first();

        leaving.abandon();
        cluster.time.advanceUntil(() -> cluster.table.rows(KEY).size() == 2, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(cluster.table.rows(KEY)).hasSize(1);
        assertThat(cluster.table.rows(KEY).get(0).first()).isEqualTo(first + 1);
    }

    @Test
    void theEndOfABlockWaitsForNumbersUnderWay() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(1));
        cluster.calls.reset();

        held.release();
        cluster.time.advanceUntil(() -> Cluster.isGranted(next), MINUTE);

        assertThat(cluster.calls.count(StoreOperation.EXTEND)).isOne();
        assertThat(cluster.calls.total()).isOne();
    }

    @Test
    void theCallerIsToldHowManyAreAhead() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        process.events.clear();

        cluster.acquire(process, 3, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(process.events).containsExactly("queued behind 1", "queued behind 2", "queued behind 3");
    }
}
