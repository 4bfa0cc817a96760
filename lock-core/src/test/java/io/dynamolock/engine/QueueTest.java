package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
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
        List<String> arrived = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            for (SimulatedProcess process : List.of(first, second)) {
                String caller = process.name() + "#" + i;
                arrived.add(caller);
                process.acquire(KEY, AcquireSpec.FOREVER).outcome().thenAccept(outcome -> {
                    Grant grant = ((AcquireOutcome.Granted) outcome).grant();
                    granted.add(grant.number());
                    order.add(caller);
                    cluster.time.schedule(grant::release, Duration.ofMillis(3));
                });
                cluster.time.advance(Duration.ofMillis(20));
            }
        }

        held.release();
        assertThat(cluster.time.advanceUntil(() -> granted.size() == 100, MINUTE))
                .isTrue();

        assertThat(order).isEqualTo(arrived);
        assertThat(granted).isSorted().doesNotHaveDuplicates();
        assertThat(granted.get(0)).isGreaterThan(held.number());
    }

    @Test
    void theReleaseIsTheGrantToTheNextWithoutAWriteOfIts() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess next = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition waiting = next.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(200));
        cluster.calls.reset();

        held.release();
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(cluster.calls.writes()).as("the release").isOne();
    }

    @Test
    void aCallerThatDoesNotWaitFailsWithoutAskingWhenItsOwnProcessHolds() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.calls.reset();

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.settle();

        assertThat(acquisition).matches(Cluster::isTimedOut);
        assertThat(cluster.calls.total()).isZero();
    }

    @Test
    void aCallerThatDoesNotWaitFailsWhenAnotherProcessHolds() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();

        Acquisition acquisition = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(Cluster.outcome(acquisition)).isInstanceOfSatisfying(AcquireOutcome.TimedOut.class, outcome -> {
            assertThat(outcome.ahead()).isOne();
            assertThat(outcome.holder()).isNotNull();
        });
        assertThat(cluster.queue()).as("the holder's").hasSize(1);
    }

    @Test
    void aFiniteWaitEndsOnTimeAndLeavesNoTrace() {
        SimulatedProcess holder = cluster.startedProcess();
        holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        long start = cluster.time.nanos();

        Acquisition acquisition = process.acquire(KEY, Duration.ofSeconds(3));
        cluster.time.advanceUntil(() -> acquisition.outcome().isDone(), MINUTE);

        assertThat(acquisition).matches(Cluster::isTimedOut);
        assertThat(Duration.ofNanos(cluster.time.nanos() - start)).isEqualTo(Duration.ofSeconds(3));
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(cluster.queue()).as("the holder's").hasSize(1);
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
        assertThat(cluster.queue()).as("the holder and one who waits").hasSize(2);
        held.release();

        assertThat(third.grantOf(staying).isValid()).isTrue();
        assertThat(Cluster.outcome(leaving)).isInstanceOf(AcquireOutcome.Abandoned.class);
    }

    @Test
    void oneOfABlockThatLeavesTakesNobodyWithIt() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        List<Acquisition> block = cluster.acquire(process, 3, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        cluster.calls.reset();

        block.get(0).abandon();
        cluster.time.advance(Duration.ofMillis(5));
        assertThat(cluster.calls.writes()).isZero();
        held.release();

        long number = process.grantOf(block.get(1)).number();
        process.grantOf(block.get(1)).release();
        assertThat(process.grantOf(block.get(2)).number()).isEqualTo(number + 1);
    }

    @Test
    void anAbandonedGrantIsReleased() {
        SimulatedProcess process = cluster.startedProcess();
        Acquisition acquisition = process.acquire(KEY, MINUTE);
        Grant grant = process.grantOf(acquisition);

        acquisition.abandon();
        cluster.time.advance(Duration.ofMillis(50));

        assertThat(grant.isValid()).isFalse();
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void callersWhoComeWhileTheirBlockIsLastInLineJoinIt() {
        cluster.startedProcess().hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));

        cluster.acquire(process, 3, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(cluster.queue()).hasSize(2);
        assertThat(cluster.queue().get(1).callers()).isEqualTo(4);
    }

    @Test
    void callersWhoComeBehindAnotherProcessTakeAPlaceBehindIt() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        SimulatedProcess between = cluster.startedProcess();
        Acquisition first = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition second = between.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition third = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));

        held.release();
        long one = process.grantOf(first).number();
        process.grantOf(first).release();
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(third.outcome()).isNotDone();
        long two = between.grantOf(second).number();
        between.grantOf(second).release();

        assertThat(List.of(one, two, process.grantOf(third).number()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void theEndOfABlockWaitsForCallersWhoAreAboutToJoinIt() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(2));
        cluster.calls.reset();

        held.release();
        cluster.time.advanceUntil(() -> Cluster.isGranted(next), MINUTE);

        assertThat(cluster.calls.count(StoreOperation.LEAVE)).isZero();
        assertThat(process.grantOf(next).number()).isEqualTo(held.number() + 1);
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
