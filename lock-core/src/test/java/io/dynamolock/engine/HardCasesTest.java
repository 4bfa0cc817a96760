package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Cases that an adversary of the engine thought of. */
class HardCasesTest {

    private static final Duration LEASE = SimulatedProcess.SETTINGS.lease();

    private final Cluster cluster = new Cluster();

    @Test
    void nobodyIsPassedBehindManyDeadWaiters() {
        List<SimulatedProcess> crashing = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            // Their heartbeats fall on the same moments, so that their deaths are found at one.
            SimulatedProcess waiter = cluster.process();
            waiter.acquire(KEY, AcquireSpec.FOREVER);
            crashing.add(waiter);
        }
        cluster.time.advance(Duration.ofSeconds(1));
        SimulatedProcess slow = cluster.startedProcess();
        Acquisition earlier = slow.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        Acquisition later = cluster.startedProcess().acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));

        crashing.forEach(SimulatedProcess::kill);
        cluster.time.advance(LEASE.multipliedBy(3).dividedBy(4));
        slow.freeze();
        cluster.time.advance(LEASE.multipliedBy(3).dividedBy(5));
        slow.thaw();
        cluster.time.advanceUntil(earlier.outcome()::isDone, LEASE);

        assertThat(earlier.outcome()).as("the one who came first").isDone();
        assertThat(later.outcome()).as("the one who came later").isNotDone();
    }

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
        assertThat(cluster.queue()).isEmpty();
        assertThat(crowd.engine.waiting()).isZero();
    }

    @Test
    void aPatientCallerDoesNotFailBecauseOneAheadWhoDoesNotWaitLostPatience() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.always(StoreOperation.ASK, Fault.THROTTLED);
        Acquisition impatient = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(100));
        Acquisition patient = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(impatient).matches(Cluster::isFailed);
        assertThat(patient.outcome()).isNotDone();
        cluster.faults.heal();
        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(patient), MINUTE))
                .isTrue();
    }

    @Test
    void aFailureThatHasPassedDoesNotTurnALaterTimeoutIntoAFailure() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.startedProcess().hold(KEY);
        cluster.faults.next(StoreOperation.ASK, Fault.THROTTLED);

        Acquisition waiting = process.acquire(KEY, Duration.ofSeconds(5));
        cluster.time.advance(Duration.ofSeconds(6));

        assertThat(waiting).matches(Cluster::isTimedOut);
    }

    @Test
    void aReleaseThatRacesWithTheLossOfTheSessionIsStillHeardOfOnce() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        process.freeze();
        cluster.time.advance(Duration.ofSeconds(1));
        held.release();
        cluster.time.advance(LEASE);
        process.thaw();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(endsOf(process)).hasSize(2).contains("released");
    }

    @Test
    void aReleaseAfterTheLeaseRanOutIsHeardOfAsALoss() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        process.freeze();
        cluster.time.advance(LEASE.plusSeconds(1));
        held.release();
        process.thaw();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(endsOf(process)).containsExactly("released", "lost: SESSION_LOST");
    }

    @Test
    void aReleaseAfterTheLongestHoldIsHeardOfAsALossOfThatKind() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, Duration.ofSeconds(1), null)));
        process.freeze();
        cluster.time.advance(Duration.ofSeconds(2));
        held.release();
        process.thaw();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(endsOf(process)).containsExactly("released", "lost: MAX_HOLD");
    }

    @Test
    void aReleaseDuringTheShutdownIsHeardOfOnce() {
        SimulatedProcess process = cluster.startedProcess();
        Grant held = process.hold(KEY);
        process.engine.shutdown();
        held.release();
        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(endsOf(process)).containsExactly("released", "lost: CLOSED");
    }

    /** How holds ended, the warm-up's included. */
    private static List<String> endsOf(SimulatedProcess process) {
        return process.events.stream()
                .filter(event -> event.equals("released") || event.startsWith("lost"))
                .toList();
    }

    @Test
    void aCallerIsQueuedOnceHoweverOftenItTakesANewPlace() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        holder.hold(KEY);
        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        process.freeze();
        cluster.time.advance(LEASE.plusSeconds(1));
        process.thaw();
        cluster.time.advance(Duration.ofSeconds(5));

        assertThat(waiting.outcome()).isNotDone();
        assertThat(process.events)
                .filteredOn(event -> event.startsWith("queued"))
                .hasSize(1);
    }

    @Test
    void aSessionThatIsBeginningDuringTheShutdownIsDeleted() {
        SimulatedProcess process = cluster.process();
        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(1));
        CompletableFuture<Void> stopped = process.engine.shutdown();

        cluster.time.advance(Duration.ofMinutes(1));

        assertThat(stopped).isCompleted();
        assertThat(cluster.table.sessionIds()).isEmpty();
    }

    @Test
    void anInspectionThatTheShutdownOvertakesFails() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.always(StoreOperation.LOOK, Fault.STALLS).always(StoreOperation.END_SESSION, Fault.THROTTLED);
        CompletableFuture<Inspection> inspection = process.engine.inspect(KEY);
        cluster.time.advance(Duration.ofMillis(100));
        process.engine.shutdown();

        cluster.time.advance(MINUTE);

        assertThat(inspection).isCompletedExceptionally();
    }

    @Test
    void aWatcherWhoseClockJumpsAheadDoesNotBuryTheLiving() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess watcher = cluster.startedProcess();
        SimulatedProcess third = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        Acquisition next = third.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofSeconds(1));
        watcher.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(500));

        watcher.moveWallClock(Duration.ofHours(1));
        cluster.time.advance(Duration.ofSeconds(10));

        assertThat(held.isValid()).isTrue();
        assertThat(next.outcome()).isNotDone();
    }

    @Test
    void manyKeysWhoseWaitersLeaveAtOnceLeaveNoEntry() {
        SimulatedProcess holder = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        List<LockKey> keys = new ArrayList<>();
        List<Acquisition> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            LockKey key = new LockKey("key-" + i, "default");
            holder.hold(key);
            keys.add(key);
            waiting.add(process.acquire(key, AcquireSpec.FOREVER));
        }
        cluster.time.advance(Duration.ofSeconds(1));
        assertThat(keys).allMatch(key -> cluster.table.lock(key).queue().size() == 2);
        waiting.forEach(Acquisition::abandon);
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(keys).allMatch(key -> cluster.table.lock(key).queue().size() == 1);
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
                .allSatisfy(each -> assertThat(Cluster.outcome(each))
                        .isInstanceOfSatisfying(
                                AcquireOutcome.Failed.class,
                                failed -> assertThat(failed.cause().kind()).isEqualTo(StoreFailure.Kind.REFUSED)));
        assertThat(process.engine.waiting()).isZero();
    }

    @Test
    void anAnswerOnceGivenUpDoesNotEndALaterHoldOfTheSameProcess() {
        SimulatedProcess holder = cluster.startedProcess();
        Grant held = holder.hold(KEY);
        SimulatedProcess process = cluster.startedProcess();
        Acquisition leaving = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));
        // The item is deleted, so that the next look has to be consistent, and that one is slow.
        held.release();
        cluster.table.evictLock(KEY);
        cluster.time.advanceUntil(() -> cluster.calls.consistentLooks() > 0, MINUTE);
        cluster.faults.next(StoreOperation.LOOK, Fault.STALLS);
        leaving.abandon();
        cluster.time.advance(Duration.ofMillis(100));

        Grant later = process.hold(KEY);
        cluster.faults.resume();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(later.isValid()).isTrue();
        assertThat(cluster.queue()).hasSize(1);
    }

    @Test
    void manyProcessesThatGiveUpAndComeBackKeepNobodyFromTheLock() {
        List<SimulatedProcess> processes = cluster.startedProcesses(4);
        List<Acquisition> attempts = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            for (SimulatedProcess process : processes) {
                Acquisition attempt = process.acquire(KEY, Duration.ofMillis(30));
                attempts.add(attempt);
                attempt.outcome().thenAccept(outcome -> {
                    if (outcome instanceof AcquireOutcome.Granted granted) {
                        cluster.time.schedule(granted.grant()::release, Duration.ofMillis(1));
                    }
                });
            }
            cluster.time.advance(Duration.ofMillis(100));
        }
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(attempts.stream().filter(Cluster::isGranted)).hasSizeGreaterThan(100);
        assertThat(cluster.queue()).isEmpty();
    }
}
