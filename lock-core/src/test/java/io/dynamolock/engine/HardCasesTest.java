package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.StoreFailure;
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
    void nobodyIsPassedBehindMoreDeadWaitersThanOneLookShows() {
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
        assertThat(cluster.table.rows(KEY)).isEmpty();
        assertThat(crowd.engine.waiting()).isZero();
    }

    @Test
    void aPatientCallerDoesNotFailBecauseOneAheadWhoDoesNotWaitLostPatience() {
        SimulatedProcess other = cluster.startedProcess();
        SimulatedProcess process = cluster.startedProcess();
        Grant held = other.hold(KEY);
        // Somebody took a number and left: the lock is open, so that the one who does not wait has to look.
        cluster.startedProcess().acquire(KEY, Duration.ofMillis(50));
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
    void aCallerIsQueuedOnceHoweverOftenItTakesANewNumber() {
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
    void aSessionThatIsBeingCreatedDuringTheShutdownIsDeleted() {
        SimulatedProcess process = cluster.process();
        process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofMillis(1));
        CompletableFuture<Void> stopped = process.engine.shutdown();

        cluster.time.advance(Duration.ofMinutes(1));

        assertThat(stopped).isCompleted();
        assertThat(cluster.table.sessions()).isEmpty();
    }

    @Test
    void aLookThatTheShutdownOvertakesFails() {
        SimulatedProcess process = cluster.startedProcess();
        cluster.faults.always(StoreOperation.LOOK, Fault.STALLS).always(StoreOperation.END_SESSION, Fault.THROTTLED);
        CompletableFuture<QueueView> look = process.engine.look(KEY, 10);
        cluster.time.advance(Duration.ofMillis(100));
        process.engine.shutdown();

        cluster.time.advance(MINUTE);

        assertThat(look).isCompletedExceptionally();
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

    @Test
    void oneWhoDoesNotWaitAndIsPassedGivesUpAndHoldsUpNobodyBehind() {
        SimulatedProcess process = cluster.startedProcess();
        SimulatedProcess other = cluster.startedProcess();
        Grant held = other.hold(KEY);
        process.acquire(KEY, Duration.ofMillis(50));
        cluster.time.advance(Duration.ofSeconds(1));
        held.release();
        cluster.time.advance(Duration.ofSeconds(1));
        cluster.faults.next(StoreOperation.LOOK, Fault.STALLS);
        Acquisition passed = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(Duration.ofMillis(100));
        Grant passing = other.hold(KEY);
        Acquisition behind = process.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(100));

        cluster.faults.resume();
        cluster.time.advance(Duration.ofSeconds(1));
        passing.release();

        assertThat(cluster.time.advanceUntil(() -> Cluster.isGranted(behind), MINUTE))
                .isTrue();
        assertThat(Cluster.isTimedOut(passed)).isTrue();
    }

    @Test
    void theRestOfABlockThatGotANewIdReleasesUnderIt() {
        SimulatedProcess process = cluster.process();
        process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, Duration.ofSeconds(1), null));
        Acquisition next = process.acquire(KEY, AcquireSpec.FOREVER);

        process.grantOf(next).release();
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(cluster.table.lockState(KEY).holder()).isNull();
    }
}
