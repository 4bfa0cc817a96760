package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A holder is told before its lock can be lost. */
class ExpiringTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration FIVE = Duration.ofSeconds(5);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();
    private final List<Duration> told = new ArrayList<>();

    @Test
    void tellsOnceWhenHeartbeatsFailAndTheLockIsStillValid() {
        Grant grant = watched(process.hold(KEY));
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);

        cluster.time.advanceUntil(() -> !told.isEmpty(), Duration.ofMinutes(1));
        assertThat(grant.isValid()).isTrue();
        assertThat(told).containsExactly(FIVE);
        cluster.time.advance(Duration.ofMinutes(1));

        assertThat(grant.isValid()).isFalse();
        assertThat(told).hasSize(1);
    }

    @Test
    void tellsNothingAsLongAsHeartbeatsGetThrough() {
        watched(process.hold(KEY));

        cluster.time.advance(Duration.ofMinutes(10));

        assertThat(told).isEmpty();
    }

    @Test
    void tellsNothingOnceReleasedAndLeavesNoTimer() {
        process.hold(KEY).release();
        cluster.time.advance(SECOND);
        int timers = process.timers();

        Grant grant = watched(process.hold(KEY));
        cluster.time.advance(SECOND);
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);
        grant.release();
        cluster.time.advance(SECOND);

        assertThat(process.timers()).isEqualTo(timers);
        cluster.time.advance(Duration.ofMinutes(1));
        assertThat(told).isEmpty();
    }

    @Test
    void tellsBeforeTheEndOfALongestHold() {
        AcquireSpec spec = new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, Duration.ofMinutes(3), null);
        Grant grant = watched(process.grantOf(process.acquire(spec)));

        cluster.time.advance(Duration.ofMinutes(3).minus(FIVE).minus(SECOND));
        assertThat(told).isEmpty();
        cluster.time.advance(SECOND);

        assertThat(told).containsExactly(FIVE);
        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void tellsALossThatComesWithoutWarning() {
        watched(process.hold(KEY));
        cluster.table.evictLock(KEY);

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(told).hasSize(1);
    }

    @Test
    void tellsSoonWhenTheLockIsLostAlready() {
        Grant grant = process.hold(KEY);
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);
        cluster.time.advance(SimulatedProcess.SETTINGS.lease());

        watched(grant);
        assertThat(told).isEmpty();
        cluster.time.advance(SECOND);

        assertThat(told).containsExactly(Duration.ZERO);
    }

    @Test
    void refusesATimeThatIsReachedThoughAllIsWellAndSaysTheMost() {
        Grant grant = process.hold(KEY);
        Duration most = SimulatedProcess.SETTINGS.leastValidity();
        assertThat(most).isEqualTo(Duration.ofSeconds(10));

        for (Duration refused : List.of(most, Duration.ofMinutes(1), Duration.ZERO, SECOND.negated())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> grant.onExpiring(refused, () -> {}))
                    .withMessageContainingAll(refused.toString(), "less than PT10S", "longer lease");
        }
        grant.onExpiring(most.minusNanos(1), () -> {});
    }

    @Test
    void tellsNothingAsLongAsSlowHeartbeatsGetThroughHoweverSoonItIsToTell() {
        Grant grant = process.hold(KEY);
        Duration most = SimulatedProcess.SETTINGS.leastValidity().minusNanos(1);
        grant.onExpiring(most, () -> told.add(grant.remainingValidity()));

        for (int i = 0; i < 10; i++) {
            cluster.faults.next(StoreOperation.BEAT, Fault.SLOW_ANSWER);
            int beats = cluster.calls.count(StoreOperation.BEAT);
            cluster.time.advanceUntil(() -> cluster.calls.count(StoreOperation.BEAT) > beats, MINUTE);
            cluster.time.advance(SimulatedProcess.SETTINGS.beatTimeout().minusMillis(100));
            cluster.faults.resume();
            cluster.time.advance(SECOND);
        }

        assertThat(grant.isValid()).isTrue();
        assertThat(told).isEmpty();
    }

    private Grant watched(Grant grant) {
        grant.onExpiring(FIVE, () -> told.add(grant.remainingValidity()));
        return grant;
    }
}
