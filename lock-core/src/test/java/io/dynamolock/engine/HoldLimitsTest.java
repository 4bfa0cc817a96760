package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.Entry;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The longest and the shortest hold a caller may ask for. */
class HoldLimitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();

    @Test
    void aHoldThatLastsTooLongIsEndedAndTheRestOfItsBlockGetsANewNumber() {
        SimulatedProcess other = cluster.startedProcess();
        Grant before = other.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition hung = process.acquire(longest(SECOND.multipliedBy(2)));
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        before.release();
        Grant grant = process.grantOf(hung);
        Entry entryBefore = cluster.queue().get(0);

        cluster.time.advance(Duration.ofMillis(1_900));
        assertThat(grant.isValid()).isTrue();
        cluster.time.advance(Duration.ofMillis(200));

        assertThat(grant.isValid()).isFalse();
        assertThat(process.events).contains("lost: MAX_HOLD");
        assertThat(process.grantOf(next).number()).isEqualTo(grant.number() + 1);
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isOne();
        assertThat(cluster.queue()).hasSize(1).doesNotContain(entryBefore);
    }

    @Test
    void nobodyIsGrantedTheLockBeforeTheRestOfTheBlockHasItsNewNumber() {
        SimulatedProcess process = cluster.startedProcess();
        Grant forced = process.grantOf(process.acquire(longest(SECOND)));
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(100));
        cluster.faults.next(StoreOperation.RENAME, Fault.LOST_ANSWER, 3);

        cluster.time.advance(SECOND);
        assertThat(forced.isValid()).isFalse();
        assertThat(next.outcome()).isNotDone();

        assertThat(process.grantOf(next).isValid()).isTrue();
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isEqualTo(4);
    }

    @Test
    void theRestOfABlockThatGotANewNumberReleasesUnderIt() {
        SimulatedProcess process = cluster.process();
        process.acquire(longest(SECOND));
        Acquisition next = process.acquire(KEY, AcquireSpec.FOREVER);

        process.grantOf(next).release();
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aHoldThatLastsTooLongIsReleasedWhenNobodyFollows() {
        SimulatedProcess process = cluster.startedProcess();
        Grant grant = process.grantOf(process.acquire(longest(SECOND.multipliedBy(2))));

        cluster.time.advance(Duration.ofSeconds(3));

        assertThat(grant.release()).isCompletedWithValue(false);
        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isZero();
    }

    @Test
    void aLockReleasedTooEarlyIsKeptUntilItsTime() {
        SimulatedProcess process = cluster.startedProcess();
        Grant grant = process.grantOf(process.acquire(shortest(Duration.ofSeconds(5))));

        CompletableFuture<Boolean> released = grant.release();
        cluster.time.advance(Duration.ofSeconds(4));

        assertThat(released).isCompletedWithValue(true);
        assertThat(grant.isValid()).isFalse();
        assertThat(cluster.queue()).hasSize(1);
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aLockReleasedTooEarlyIsNobodysInItsOwnProcessEither() {
        SimulatedProcess process = cluster.startedProcess();
        Grant grant = process.grantOf(process.acquire(shortest(Duration.ofSeconds(5))));
        Acquisition next = process.acquire(KEY, MINUTE);
        grant.release();

        cluster.time.advance(Duration.ofSeconds(4));
        assertThat(next.outcome()).isNotDone();
        cluster.time.advance(SECOND);

        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void theItemOfALockThatIsHeldForDaysIsKeptFromBeingCleanedAway() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        Entry entry = cluster.queue().get(0);
        cluster.calls.reset();

        cluster.time.advance(SimulatedProcess.SETTINGS.retention().plusSeconds(1));

        assertThat(cluster.calls.lockWrites()).isEqualTo(2);
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isEqualTo(2);
        assertThat(cluster.queue()).containsExactly(entry);
        assertThat(held.isValid()).isTrue();
    }

    @Test
    void theItemOfALockThatWasReleasedIsNotKept() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY).release();
        cluster.time.advance(SECOND);
        Grant another = process.hold(new LockKey("another", "default"));
        cluster.calls.reset();

        cluster.time.advance(SimulatedProcess.SETTINGS.retention());

        assertThat(cluster.calls.lockWrites()).as("the other's").isOne();
        assertThat(another.isValid()).isTrue();
    }

    @Test
    void theItemOfALockThatCannotBeKeptAtOnceIsKeptLater() {
        SimulatedProcess process = cluster.startedProcess();
        process.hold(KEY);
        cluster.calls.reset();
        cluster.faults.next(StoreOperation.RENAME, Fault.THROTTLED, 2);

        cluster.time.advance(SimulatedProcess.SETTINGS.retention().dividedBy(2).plusSeconds(1));

        assertThat(cluster.calls.count(StoreOperation.RENAME)).isEqualTo(3);
        assertThat(process.engine.held()).hasSize(1);
    }

    private static AcquireSpec longest(Duration maxHold) {
        return new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, null);
    }

    private static AcquireSpec shortest(Duration holdAtLeast) {
        return new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, holdAtLeast);
    }
}
