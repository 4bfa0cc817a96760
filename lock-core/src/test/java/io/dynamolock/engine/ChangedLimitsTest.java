package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The longest and the shortest hold, changed by the owner while it holds the lock. */
class ChangedLimitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();

    // The longest hold

    @Test
    void aLongestHoldThatIsMadeLongerEndsLater() {
        Grant grant = hold(seconds(2), null);
        cluster.time.advance(SECOND);
        limit(grant, seconds(10), null);

        cluster.time.advance(seconds(8));
        assertThat(grant.isValid()).isTrue();
        cluster.time.advance(seconds(2));

        assertThat(grant.isValid()).isFalse();
        assertThat(process.events).contains("lost: MAX_HOLD");
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aLongestHoldThatIsSetLateForcesItsCallerOutInTimeAndTheNextGetsTheLock() {
        Grant grant = hold(null, null);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        limit(grant, seconds(3), null);
        assertThat(grant.remainingValidity()).isBetween(SECOND, seconds(2));

        cluster.time.advance(seconds(3));

        assertThat(grant.isValid()).isFalse();
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aLongestHoldThatIsOverWhenItIsSetLosesTheLockAtOnce() {
        Grant grant = hold(null, null);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(seconds(5));
        List<String> told = new ArrayList<>();
        grant.onLost(() -> told.add("lost"));

        limit(grant, seconds(2), null);

        assertThat(grant.isValid()).as("before anything else happens").isFalse();
        assertThat(grant.loss()).contains(LossReason.MAX_HOLD);
        assertThat(process.grantOf(next).number()).isGreaterThan(grant.number());
        assertThat(told).containsExactly("lost");
        assertThat(grant.release()).isCompletedWithValue(false);
    }

    @Test
    void aLongestHoldThatIsTakenAwayNeverEnds() {
        Grant grant = hold(seconds(2), null);
        int timers = process.timers();

        limit(grant, null, null);
        cluster.time.advance(MINUTE);

        assertThat(grant.isValid()).isTrue();
        assertThat(process.timers()).isLessThan(timers);
    }

    @Test
    void aLongestHoldThatAnybodyHasSeenToBeOverStaysOver() {
        EngineBench bench = new EngineBench();
        Grant grant = bench.grantOf(bench.acquireAndSettle());
        assertThat(grant.limit(grant.limits(), new HoldLimits(seconds(2), null)))
                .isTrue();
        bench.time.settle();
        HoldLimits before = grant.limits();
        bench.bench.loop.shutdown();
        bench.time.advance(seconds(2));

        assertThat(grant.isValid()).as("though nobody was told").isFalse();
        assertThat(grant.limit(before, new HoldLimits(MINUTE, null))).isFalse();
        assertThat(grant.limits()).isEqualTo(before);
        assertThat(grant.isValid()).isFalse();
    }

    @Test
    void ofTwoChangesAtTheSameTimeOneIsRefused() {
        Grant grant = hold(null, null);
        HoldLimits before = grant.limits();

        assertThat(grant.limit(before, new HoldLimits(MINUTE, null))).isTrue();
        assertThat(grant.limit(before, new HoldLimits(null, SECOND))).isFalse();

        assertThat(grant.limits()).isEqualTo(new HoldLimits(MINUTE, null));
    }

    @Test
    void aReaderThatIsForcedOutByAChangedLimitLeavesTheOthersTheLock() {
        Grant other = process.grantOf(process.acquire(shared()));
        Grant grant = process.grantOf(process.acquire(shared()));

        limit(grant, SECOND, null);
        cluster.time.advance(seconds(2));

        assertThat(grant.isValid()).isFalse();
        assertThat(other.isValid()).isTrue();
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void aWriterThatGoesOnAsAReaderKeepsItsChangedLimit() {
        Grant writer = process.grantOf(process.acquire(
                new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, seconds(2), null, Kind.WRITE, 0, false)));
        limit(writer, seconds(5), null);
        var downgraded = writer.downgrade();
        cluster.time.advanceUntil(downgraded::isDone, SECOND);
        Grant reader = downgraded.getNow(null).orElseThrow();

        cluster.time.advance(seconds(3));
        assertThat(reader.isValid()).isTrue();
        cluster.time.advance(seconds(3));

        assertThat(reader.isValid()).isFalse();
    }

    /** The downgrade is done just before the change. */
    @Test
    void aLongestHoldThatIsSetBesideADowngradeIsThatOfTheReader() {
        EngineBench bench = EngineBench.started();
        Grant writer = bench.grantOf(bench.engine.acquire(
                new AcquireSpec(EngineBench.KEY, "test", AcquireSpec.FOREVER, null, null, Kind.WRITE, 0, false)));
        bench.faults.always(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        var downgraded = writer.downgrade();
        bench.time.settle();
        bench.bench.clock.meanwhile(() -> {
            bench.faults.resume();
            bench.time.settle();
        });

        limit(writer, seconds(2), null);
        Grant reader = downgraded.getNow(null).orElseThrow();
        bench.time.advance(seconds(3));

        assertThat(reader.isValid()).isFalse();
        assertThat(bench.events).anyMatch(event -> event.endsWith("MAX_HOLD"));
        assertThat(bench.queue()).isEmpty();
    }

    /** The limit is over when the answer to the downgrade comes, and its enforcement comes after that. */
    @Test
    void aLongestHoldThatIsOverBeforeADowngradeIsAnsweredEndsTheHoldOfTheWriter() {
        EngineBench bench = EngineBench.started();
        Grant writer = bench.grantOf(bench.engine.acquire(
                new AcquireSpec(EngineBench.KEY, "test", AcquireSpec.FOREVER, null, null, Kind.WRITE, 0, false)));
        bench.time.advance(seconds(10));
        bench.faults.always(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        var downgraded = writer.downgrade();
        bench.time.settle();

        bench.faults.resume();
        limit(writer, seconds(5), null);
        bench.time.advance(SECOND);

        assertThat(downgraded).isCompletedWithValue(Optional.empty());
        assertThat(bench.events).anyMatch(event -> event.endsWith("MAX_HOLD"));
        assertThat(bench.queue()).isEmpty();
    }

    // The shortest hold

    @Test
    void aCallerThatLeavesAtTheMomentOfItsGrantKeepsNothing() {
        Acquisition acquisition = process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, MINUTE));
        process.grantOf(acquisition);

        acquisition.abandon();
        cluster.time.advance(SECOND);

        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aShortestHoldThatIsSetBesideTheReleaseIsRefusedIfItComesTooLate() {
        EngineBench bench = EngineBench.started();
        Grant grant = bench.grantOf(bench.acquireAndSettle());
        HoldLimits before = grant.limits();
        bench.bench.clock.meanwhile(grant::release);

        assertThat(grant.limit(before, new HoldLimits(null, MINUTE))).isFalse();

        bench.time.advance(SECOND);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aShortestHoldThatIsMadeLongerKeepsTheLockLonger() {
        Grant grant = hold(null, seconds(2));
        limit(grant, null, seconds(10));

        CompletableFuture<Boolean> released = grant.release();
        cluster.time.advance(seconds(8));
        assertThat(released).isCompletedWithValue(true);
        assertThat(cluster.queue()).hasSize(1);
        cluster.time.advance(seconds(3));

        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aShortestHoldThatIsTakenAwayLetsTheReleaseTakeEffectAtOnce() {
        Grant grant = hold(null, MINUTE);
        limit(grant, null, Duration.ZERO);

        grant.release();
        cluster.time.advance(SECOND);

        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aShortestHoldThatIsSetLateOutlivesTheProcess() {
        SimulatedProcess other = cluster.startedProcess();
        Grant grant = hold(null, null);
        limit(grant, null, seconds(30));

        process.engine.shutdown();
        cluster.time.advance(seconds(25));
        assertThat(grant.isValid()).isFalse();
        assertThat(other.acquire(KEY, Duration.ZERO)).satisfies(tried -> {
            cluster.time.advance(SECOND);
            assertThat(tried).matches(Cluster::isTimedOut);
        });
        cluster.time.advance(seconds(7));

        assertThat(other.hold(KEY).isValid()).isTrue();
    }

    @Test
    void aLockThatWasReleasedTooEarlyIsKeptThoughItsLongestHoldEndsMeanwhile() {
        Grant grant = hold(seconds(5), seconds(5));
        grant.release();
        assertThat(grant.limit(grant.limits(), new HoldLimits(SECOND, SECOND))).isFalse();

        cluster.time.advance(seconds(4));
        assertThat(cluster.queue()).hasSize(1);
        cluster.time.advance(seconds(2));

        assertThat(cluster.queue()).isEmpty();
        assertThat(process.events).doesNotContain("lost: MAX_HOLD");
    }

    // The warning before the end

    @Test
    void theWarningBeforeTheEndFollowsTheEnd() {
        Grant grant = hold(seconds(60), null);
        List<Duration> told = new ArrayList<>();
        grant.onExpiring(seconds(5), () -> told.add(grant.remainingValidity()));
        cluster.time.advance(SECOND);

        limit(grant, seconds(90), null);
        cluster.time.advance(seconds(59));
        assertThat(told).as("at the former end").isEmpty();
        limit(grant, seconds(70), null);
        cluster.time.advance(seconds(4));
        assertThat(told).isEmpty();
        cluster.time.advance(SECOND);

        assertThat(told).hasSize(1);
        assertThat(told.get(0)).isBetween(seconds(4), seconds(5));
        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void theWarningComesAgainBeforeAnEndThatWasPutOffAfterIt() {
        Grant grant = hold(seconds(20), null);
        List<Duration> told = new ArrayList<>();
        grant.onExpiring(seconds(5), () -> told.add(grant.remainingValidity()));
        for (int i = 1; i <= 3; i++) {
            cluster.time.advance(seconds(16));
            assertThat(told).hasSize(i);
            limit(grant, grant.heldInAll().plusSeconds(20), null);
        }
        grant.release();
        cluster.time.advance(MINUTE);

        assertThat(told).hasSize(3);
    }

    @Test
    void afterHeartbeatsThatWereMissingForAWhileTheWarningComesAgainBeforeTheEnd() {
        Grant grant = hold(seconds(60), null);
        List<Duration> told = new ArrayList<>();
        grant.onExpiring(seconds(5), () -> told.add(grant.remainingValidity()));
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);
        cluster.time.advanceUntil(() -> !told.isEmpty(), MINUTE);
        assertThat(grant.heldInAll()).isLessThan(seconds(30));
        limit(grant, seconds(90), null);
        assertThat(told).as("no end is any nearer").hasSize(1);

        cluster.faults.heal();
        cluster.time.advance(seconds(90).minus(grant.heldInAll()).minus(seconds(6)));
        assertThat(told).hasSize(1);
        cluster.time.advance(seconds(2));

        assertThat(told).hasSize(2);
        assertThat(grant.isValid()).isTrue();
    }

    // How long it was held

    @Test
    void theTimeOfAHoldStandsStillOnceTheLockIsLostOrGoesOnAsAReader() {
        Grant lost = hold(seconds(2), null);
        cluster.time.advance(seconds(5));
        lost.release();
        cluster.time.advance(MINUTE);
        assertThat(lost.heldInAll()).isBetween(seconds(2), seconds(3));

        Grant writer = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null, Kind.WRITE, 0, false)));
        var downgraded = writer.downgrade();
        cluster.time.advanceUntil(downgraded::isDone, SECOND);
        cluster.time.advance(MINUTE);
        assertThat(writer.heldInAll()).isLessThan(SECOND);
        assertThat(downgraded.getNow(null).orElseThrow().heldInAll()).isGreaterThan(MINUTE);
    }

    private Grant hold(@Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        return process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, holdAtLeast)));
    }

    private static void limit(Grant grant, @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        assertThat(grant.limit(grant.limits(), new HoldLimits(maxHold, holdAtLeast)))
                .isTrue();
    }

    private static AcquireSpec shared() {
        return new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null, Kind.READ, 0, false);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
