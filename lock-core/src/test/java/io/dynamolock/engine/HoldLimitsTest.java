package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The longest and the shortest hold a caller may ask for. */
class HoldLimitsTest {

    private final Cluster cluster = new Cluster();

    @Test
    void aHoldThatLastsTooLongIsEndedAndTheRestOfItsBlockGetsANewId() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY).release();
        SimulatedProcess other = cluster.startedProcess();
        Grant before = other.hold(KEY);
        Acquisition hung = process.acquire(new AcquireSpec(KEY, "test", MINUTE, Duration.ofSeconds(2), null));
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofSeconds(1));
        before.release();
        Grant grant = process.grantOf(hung);
        var blockBefore = cluster.table.lockState(KEY).holder();

        cluster.time.advance(Duration.ofMillis(1_900));
        assertThat(grant.isValid()).isTrue();
        cluster.time.advance(Duration.ofMillis(200));

        assertThat(grant.isValid()).isFalse();
        assertThat(process.events).contains("lost: MAX_HOLD");
        assertThat(next).matches(Cluster::isGranted);
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isOne();
        assertThat(cluster.table.lockState(KEY).holder()).isNotEqualTo(blockBefore);
    }

    @Test
    void aHoldThatLastsTooLongIsReleasedWhenNobodyFollows() {
        SimulatedProcess process = cluster.startedProcess();
        Acquisition hung = process.acquire(new AcquireSpec(KEY, "test", MINUTE, Duration.ofSeconds(2), null));
        Grant grant = process.grantOf(hung);

        cluster.time.advance(Duration.ofSeconds(3));

        assertThat(grant.release().join()).isFalse();
        assertThat(cluster.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aLockReleasedTooEarlyIsKeptUntilItsTime() {
        SimulatedProcess process = cluster.startedProcess();
        Acquisition brief = process.acquire(new AcquireSpec(KEY, "test", MINUTE, null, Duration.ofSeconds(5)));
        Grant grant = process.grantOf(brief);

        var released = grant.release();
        cluster.time.advance(Duration.ofSeconds(4));

        assertThat(released).isCompletedWithValue(true);
        assertThat(grant.isValid()).isFalse();
        assertThat(cluster.table.lockState(KEY).holder()).isNotNull();
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aLockThatIsHeldForDaysIsKeptFromBeingCleanedAway() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.calls.reset();

        cluster.time.advance(SimulatedProcess.SETTINGS.retention());

        assertThat(cluster.calls.count(StoreOperation.RENAME)).isPositive();
        assertThat(process.engine.held()).hasSize(1);
        assertThat(List.copyOf(process.events)).doesNotContain("session lost");
    }
}
