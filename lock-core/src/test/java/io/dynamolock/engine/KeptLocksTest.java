package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shortest hold that a caller asked for outlives the process that stops. */
class KeptLocksTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    /** The step of the store's clock, and how often a process that waits looks. */
    private static final Duration A_LITTLE_LATER = Duration.ofSeconds(32);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();
    private final SimulatedProcess other = cluster.startedProcess();
    private long grantedAt;

    @Test
    void aLockReleasedTooEarlyIsKeptThoughItsProcessStops() {
        holdAtLeast(KEY, HALF_A_MINUTE).release();
        cluster.time.advance(SECOND);

        process.engine.shutdown();

        assertThat(getsItAt(Duration.ofSeconds(5))).isFalse();
        assertThat(getsItAt(Duration.ofSeconds(20))).isFalse();
        assertThat(getsItAt(Duration.ofSeconds(29))).isFalse();
        assertThat(getsItAt(A_LITTLE_LATER)).isTrue();
        assertThat(cluster.table.sessionIds()).as("the other's").hasSize(1);
    }

    @Test
    void aProcessThatHasNotLookedMeanwhileGetsItWithItsFirstTryWhenItsTimeIsOver() {
        holdAtLeast(KEY, HALF_A_MINUTE).release();

        process.engine.shutdown();

        assertThat(getsItAt(A_LITTLE_LATER)).isTrue();
    }

    @Test
    void aLockThatIsStillHeldIsKeptWhenItsProcessStopsHoweverManyWaitBehind() {
        Grant grant = holdAtLeast(KEY, HALF_A_MINUTE);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(grant.isValid()).isFalse();
        assertThat(Cluster.outcome(next)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(getsItAt(Duration.ofSeconds(29))).isFalse();
        assertThat(getsItAt(A_LITTLE_LATER)).isTrue();
    }

    @Test
    void aCallerThatWaitsGetsItSoonWhenItsTimeIsOver() {
        Grant kept = holdAtLeast(KEY, HALF_A_MINUTE);
        Acquisition waiting = other.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        kept.release();

        process.engine.shutdown();

        Grant next = other.grantOf(waiting);
        assertThat(sinceTheGrant()).isBetween(HALF_A_MINUTE, A_LITTLE_LATER.plusSeconds(1));
        assertThat(next.number()).isGreaterThan(kept.number());
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void eachLockIsKeptForItsOwnTime() {
        LockKey nightly = new LockKey("nightly", "default");
        holdAtLeast(nightly, Duration.ofMinutes(10)).release();
        holdAtLeast(KEY, HALF_A_MINUTE).release();

        process.engine.shutdown();

        assertThat(getsItAt(A_LITTLE_LATER)).isTrue();
        assertThat(getsItAt(nightly, Duration.ofMinutes(9))).isFalse();
        assertThat(getsItAt(nightly, Duration.ofMinutes(10).plusSeconds(2))).isTrue();
    }

    @Test
    void whatIsKeptCostsTwoWritesAndWhatIsNotCostsOne() {
        holdAtLeast(KEY, HALF_A_MINUTE).release();
        process.hold(new LockKey("another", "default"));
        cluster.calls.reset();

        process.engine.shutdown();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.count(StoreOperation.BEGIN_SESSION)).isOne();
        assertThat(cluster.calls.count(StoreOperation.RENAME)).isOne();
        assertThat(cluster.calls.count(StoreOperation.LEAVE)).isOne();
        assertThat(cluster.calls.count(StoreOperation.END_SESSION)).isOne();
        assertThat(cluster.calls.writes()).isEqualTo(4);
    }

    @Test
    void aLockWhoseShortestHoldIsOverIsFreeAtOnceWhenItsProcessStops() {
        holdAtLeast(KEY, SECOND);
        cluster.time.advance(SECOND.multipliedBy(2));

        process.engine.shutdown();

        assertThat(getsItAt(Duration.ofSeconds(3))).isTrue();
    }

    @Test
    void callsThatFailDoNotKeepALockFromBeingKeptAndLeaveNothing() {
        holdAtLeast(KEY, HALF_A_MINUTE).release();
        cluster.faults.next(StoreOperation.BEGIN_SESSION, Fault.LOST_ANSWER);
        cluster.faults.next(StoreOperation.BEGIN_SESSION, Fault.LOST_REQUEST);
        cluster.faults.next(StoreOperation.RENAME, Fault.LOST_ANSWER);

        process.engine.shutdown();

        assertThat(getsItAt(Duration.ofSeconds(29))).isFalse();
        assertThat(getsItAt(A_LITTLE_LATER)).isTrue();
        assertThat(cluster.table.sessionIds()).as("the other's").hasSize(1);
    }

    @Test
    void aLockThatSomebodyHasTakenAwayIsNotKept() {
        holdAtLeast(KEY, HALF_A_MINUTE).release();
        cluster.table.evictLock(KEY);

        process.engine.shutdown();

        assertThat(getsItAt(SECOND)).isTrue();
        assertThat(cluster.table.sessionIds()).as("the other's").hasSize(1);
    }

    @Test
    void aLockOfAProcessThatIsKilledIsFreeAfterALease() {
        holdAtLeast(KEY, Duration.ofMinutes(10)).release();

        process.kill();

        assertThat(getsItAt(SECOND)).isFalse();
        assertThat(getsItAt(SimulatedProcess.SETTINGS.lease().plusSeconds(6))).isTrue();
    }

    private Grant holdAtLeast(LockKey key, Duration holdAtLeast) {
        Grant grant =
                process.grantOf(process.acquire(new AcquireSpec(key, "test", AcquireSpec.FOREVER, null, holdAtLeast)));
        grantedAt = cluster.time.nanos();
        return grant;
    }

    private Duration sinceTheGrant() {
        return Duration.ofNanos(cluster.time.nanos() - grantedAt);
    }

    private boolean getsItAt(Duration sinceTheGrant) {
        return getsItAt(KEY, sinceTheGrant);
    }

    /** Whether a try that does not wait gets the lock. */
    private boolean getsItAt(LockKey key, Duration sinceTheGrant) {
        cluster.time.advance(sinceTheGrant.minus(sinceTheGrant()));
        Acquisition attempt = other.acquire(key, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(attempt.outcome()).isDone();
        return Cluster.isGranted(attempt);
    }

    @Test
    void aWriterWhoseGoingOnAsAReaderIsNotAnsweredIsKeptByEitherName() {
        for (Fault fault : List.of(Fault.SLOW_ANSWER, Fault.STALLS)) {
            Cluster another = new Cluster();
            List<SimulatedProcess> processes = another.startedProcesses(2);
            SimulatedProcess stopping = processes.get(0);
            Grant writer = stopping.grantOf(stopping.acquire(
                    new AcquireSpec(KEY, "test", MINUTE, null, MINUTE.multipliedBy(60), Kind.WRITE, 0, false)));
            another.faults.next(StoreOperation.RENAME, fault);
            writer.downgrade();
            another.time.advance(Duration.ofMillis(50));

            stopping.engine.shutdown();
            another.time.advance(SECOND);
            another.faults.resume();
            Acquisition next = processes.get(1).acquire(KEY, MINUTE.multipliedBy(2));
            another.time.advance(MINUTE);

            assertThat(next).as(fault.name()).matches(acquisition -> !Cluster.isGranted(acquisition));
        }
    }

    @Test
    void aPermitOfMoreThanThereAreNowIsKeptThoughItsPlaceHasMoved() {
        Cluster another = new Cluster();
        List<SimulatedProcess> processes = another.startedProcesses(3);
        permit(processes.get(0), MINUTE);
        Grant second = permit(processes.get(1), MINUTE);
        permit(processes.get(2), MINUTE.multipliedBy(60));
        processes.get(0).engine.resize(KEY, 1);
        another.time.advance(SECOND);
        second.release();
        another.time.advance(SECOND);

        processes.get(2).engine.shutdown();
        another.time.advance(MINUTE);

        assertThat(another.queue()).hasSize(2);
    }

    private static Grant permit(SimulatedProcess process, Duration holdAtLeast) {
        return process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", MINUTE, null, holdAtLeast, Kind.PERMIT, 3, false)));
    }
}
