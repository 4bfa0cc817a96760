package io.dynamolock.internal.engine;

import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A holder is told before its lock can be lost. */
class ExpiringTest {

    private static final Duration FIVE = Duration.ofSeconds(5);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final List<Duration> told = new ArrayList<>();

    @Test
    void warnsOnceWhenHeartbeatsFailWhileTheLockIsStillValid() {
        Grant grant = watched(hold(null));
        bench.time.advance(MINUTE.multipliedBy(10));
        assertThat(told).as("as long as heartbeats get through").isEmpty();
        bench.network.always(Call.HEARTBEAT, Fate.REFUSED_CONNECTION);

        bench.time.advanceUntil(() -> !told.isEmpty(), MINUTE);
        assertThat(grant.isValid()).isTrue();
        assertThat(told).containsExactly(FIVE);
        bench.time.advance(MINUTE);

        assertThat(grant.isValid()).isFalse();
        assertThat(told).hasSize(1);
    }

    @Test
    void tellsOfALossThatComesWithoutWarningAndOfOneThatHasComeAlready() {
        Grant grant = watched(hold(null));
        process.shutdown();
        bench.advanceMillis(1_000);
        assertThat(told).containsExactly(Duration.ZERO);

        watched(grant);

        assertThat(told).hasSize(2);
    }

    @Test
    void refusesATimeThatIsReachedThoughAllIsWellAndNamesTheLongest() {
        Grant grant = hold(null);
        Duration most = Bench.LEASE.minus(Bench.LEASE.dividedBy(12)).minusSeconds(7);

        for (Duration refused : List.of(most, MINUTE, Duration.ZERO, FIVE.negated())) {
            refused(() -> grant.onExpiring(refused, () -> {}), refused.toString(), "less than " + most, "longer lease");
        }
        grant.onExpiring(most.minusNanos(1), () -> told.add(grant.remaining()));
        for (int i = 0; i < 10; i++) {
            bench.network.next(Call.HEARTBEAT, Fate.SLOW_ANSWER, 1);
            bench.time.advanceUntil(() -> bench.network.heldUp() == 1, MINUTE);
            bench.advanceMillis(1_990);
            bench.network.heal();
            bench.network.resume();
            bench.advanceMillis(100);
        }
        assertThat(told).as("as long as slow heartbeats get through").isEmpty();
        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void warnsBeforeTheLongestHoldEndsAndAgainEachTimeItIsExtended() {
        Grant grant = watched(hold(MINUTE));
        bench.advanceMillis(1_000);
        limit(grant, Duration.ofSeconds(90));
        bench.advanceMillis(59_000);
        assertThat(told).as("at the former end").isEmpty();

        for (int i = 1; i <= 3; i++) {
            limit(grant, grant.held().plusSeconds(20));
            bench.advanceMillis(14_900);
            assertThat(told).hasSize(i - 1);
            bench.advanceMillis(200);
            assertThat(told).hasSize(i);
            assertThat(told.get(i - 1)).isBetween(Duration.ofSeconds(4), FIVE);
            assertThat(grant.isValid()).isTrue();
        }
        grant.release();
        bench.time.advance(MINUTE);

        assertThat(told).hasSize(3);
    }

    @Test
    void tellsOfALossThatComesSoonAfterTheLongestHoldWasExtended() {
        Grant grant = watched(hold(MINUTE));
        bench.advanceMillis(56_000);
        assertThat(told).hasSize(1);
        limit(grant, MINUTE.multipliedBy(2));
        bench.advanceMillis(1_000);

        process.shutdown();
        bench.advanceMillis(1_000);

        assertThat(told).hasSize(2);
    }

    @Test
    void warnsOfNothingAfterAReleaseThoughTheShortestHoldGoesOn() {
        Grant grant = watched(bench.granted(process.acquire(
                Specs.exclusive(Bench.KEY).waiting(MINUTE).holdAtLeast(MINUTE).spec())));
        bench.advanceMillis(1_000);

        grant.release();
        bench.time.advance(MINUTE.multipliedBy(2));

        assertThat(told).isEmpty();
    }

    private Grant hold(@Nullable Duration maxHold) {
        return bench.granted(process.acquire(
                Specs.exclusive(Bench.KEY).waiting(MINUTE).maxHold(maxHold).spec()));
    }

    private Grant watched(Grant grant) {
        grant.onExpiring(FIVE, () -> told.add(grant.remaining()));
        return grant;
    }

    private static void limit(Grant grant, Duration maxHold) {
        assertThat(grant.limit(grant.limits(), new HoldLimits(maxHold, null))).isTrue();
    }
}
