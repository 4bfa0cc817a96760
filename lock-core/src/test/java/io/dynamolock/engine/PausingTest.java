package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that pauses has nothing in the table and calls nobody, and goes on with those who wait. */
class PausingTest {

    private static final Duration MOMENT = Duration.ofMillis(100);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();
    private final SimulatedProcess other = cluster.startedProcess();

    @Test
    void leavesNothingInTheTableAndCallsNobody() {
        process.hold(KEY);
        process.hold(new LockKey("another", "default"));
        other.hold(new LockKey("others", "default"));
        Acquisition waiting = process.acquire(new LockKey("others", "default"), AcquireSpec.FOREVER);
        cluster.time.advance(MOMENT);

        pause(process);

        assertThat(cluster.table.sessionIds()).as("the other's").hasSize(1);
        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.table.lock(new LockKey("another", "default")).queue())
                .isEmpty();
        assertThat(cluster.table.lock(new LockKey("others", "default")).queue()).hasSize(1);
        other.engine.shutdown();
        cluster.time.advance(MINUTE);
        cluster.calls.reset();
        cluster.time.advance(Duration.ofHours(2));
        assertThat(cluster.calls.reads() + cluster.calls.writes()).isZero();
        assertThat(waiting.outcome()).isNotDone();
        assertThat(process.engine.waiting()).isOne();
    }

    @Test
    void makesEveryGrantInvalidAtOnceAndTellsItsOwner() {
        Grant grant = process.hold(KEY);
        List<String> told = new ArrayList<>();
        grant.onLost(() -> told.add("lost"));

        process.engine.pause();

        assertThat(grant.isValid())
                .as("before the event loop has done anything")
                .isFalse();
        assertThat(grant.loss()).contains(LossReason.PAUSED);
        cluster.time.advance(MOMENT);
        assertThat(told).containsExactly("lost");
        assertThat(grant.release()).isCompletedWithValue(false);
        assertThat(process.events).contains("lost: PAUSED").doesNotContain("session lost");
    }

    @Test
    void freesItsLocksForOthersAtOnce() {
        process.hold(KEY);
        Acquisition next = other.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofSeconds(1));

        pause(process);

        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(Cluster.outcome(next)).isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void keepsWhatIsToBeHeldForLonger() {
        Grant grant = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, Duration.ofSeconds(30))));
        Acquisition next = other.acquire(KEY, MINUTE);

        pause(process);

        assertThat(grant.isValid()).isFalse();
        cluster.time.advance(Duration.ofSeconds(28));
        assertThat(next.outcome()).isNotDone();
        cluster.time.advance(Duration.ofSeconds(5));
        assertThat(Cluster.outcome(next)).isInstanceOf(AcquireOutcome.Granted.class);
    }

    @Test
    void thoseWhoWaitAskAnewInTheirOrderWhenItGoesOn() {
        Grant first = process.hold(KEY);
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            serve(i, served);
            cluster.time.advance(MOMENT);
        }
        pause(process);
        serve(3, served);
        cluster.time.advance(MINUTE);
        assertThat(served).isEmpty();

        process.engine.resume();
        cluster.time.advance(Duration.ofSeconds(1));

        assertThat(served).containsExactly(0, 1, 2, 3);
        assertThat(first.isValid()).isFalse();
        assertThat(process.engine.waiting()).isZero();
        assertThat(cluster.queue()).isEmpty();
    }

    private void serve(int caller, List<Integer> served) {
        process.acquire(KEY, AcquireSpec.FOREVER).outcome().thenAccept(outcome -> {
            served.add(caller);
            ((AcquireOutcome.Granted) outcome).grant().release();
        });
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoDoesNotWaitIsToldThatItIsPaused(Kind kind) {
        pause(process);

        Acquisition impatient = process.acquire(spec(kind, Duration.ZERO));
        cluster.time.settle();

        assertThat(Cluster.outcome(impatient)).isEqualTo(new AcquireOutcome.Paused());
        assertThat(process.engine.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoDoesNotWaitAndHasNoAnswerYetIsToldThatItIsPaused(Kind kind) {
        cluster.faults.next(StoreOperation.ASK, Fault.STALLS);
        Acquisition impatient = process.acquire(spec(kind, Duration.ZERO));
        cluster.time.advance(MOMENT);

        process.engine.pause();
        cluster.time.settle();

        assertThat(Cluster.outcome(impatient)).isEqualTo(new AcquireOutcome.Paused());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void waitsEndInThePauseWhenTheirTimeIsOver(Kind kind) {
        other.hold(KEY);
        Acquisition behind = process.acquire(spec(kind, Duration.ofSeconds(3)));
        pause(process);
        Acquisition within = process.acquire(spec(kind, Duration.ofMillis(5)));
        cluster.time.advance(Duration.ofMillis(6));
        assertThat(Cluster.outcome(within)).isInstanceOf(AcquireOutcome.TimedOut.class);

        cluster.time.advance(Duration.ofSeconds(3));

        assertThat(Cluster.outcome(behind)).isInstanceOf(AcquireOutcome.TimedOut.class);
        assertThat(process.engine.waiting()).isZero();
    }

    private static AcquireSpec spec(Kind kind, Duration wait) {
        return new AcquireSpec(KEY, "test", wait, null, null, kind, kind == Kind.PERMIT ? 1 : 0, false);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aSessionThatIsJustBeginningIsTakenBack(Fault fault) {
        SimulatedProcess young = cluster.process();
        cluster.faults.next(StoreOperation.BEGIN_SESSION, fault);
        Acquisition waiting = young.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(1));

        CompletableFuture<Void> paused = young.engine.pause();
        cluster.time.advanceUntil(paused::isDone, MINUTE);
        cluster.faults.landLate();
        cluster.faults.resume();
        cluster.time.advance(MOMENT);

        assertThat(waiting.outcome()).isNotDone();
        assertThat(young.engine.session()).isEmpty();
        young.engine.resume();
        assertThat(young.grantOf(waiting).isValid()).isTrue();
        cluster.time.advance(Duration.ofMinutes(2));
        assertThat(young.engine.session()).isPresent();
    }

    @Test
    void aSessionThatIsJustBeginningIsGoneFromTheTableWhenThePauseIsThere() {
        SimulatedProcess young = cluster.process();
        young.acquire(KEY, AcquireSpec.FOREVER);
        cluster.time.advance(Duration.ofMillis(1));

        pause(young);

        assertThat(cluster.table.sessionIds()).as("the others'").hasSize(2);
    }

    @Test
    void aSessionThatCouldNotBeEndedForThePauseIsEndedAfterIt() {
        process.hold(KEY);
        var session = process.engine.session().orElseThrow().id();
        cluster.faults.always(StoreOperation.END_SESSION, Fault.THROTTLED);

        CompletableFuture<Void> paused = process.engine.pause();
        cluster.time.advanceUntil(paused::isDone, MINUTE);
        cluster.faults.heal();

        assertThat(paused).isDone();
        assertThat(cluster.table.sessionIds()).contains(session);
        process.engine.resume();
        cluster.time.advance(Duration.ofSeconds(2));
        assertThat(cluster.table.sessionIds()).doesNotContain(session);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void anAskUnderWayLeavesNothingInTheQueue() {
        for (int micros = 0; micros < 12_000; micros += 500) {
            Cluster fresh = new Cluster();
            SimulatedProcess pausing = fresh.startedProcess();
            pausing.acquire(KEY, AcquireSpec.FOREVER);
            fresh.time.advance(Duration.ofNanos(micros * 1_000L));

            CompletableFuture<Void> paused = pausing.engine.pause();
            fresh.time.advanceUntil(paused::isDone, MINUTE);

            assertThat(fresh.queue()).as("after %s us", micros).isEmpty();
            assertThat(fresh.table.sessionIds()).as("after %s us", micros).isEmpty();
        }
    }

    @Test
    void aReleaseUnderWayIsStillTheOwnersRelease() {
        for (int micros = 0; micros < 12_000; micros += 500) {
            Cluster fresh = new Cluster();
            SimulatedProcess pausing = fresh.startedProcess();
            CompletableFuture<Boolean> released = pausing.hold(KEY).release();
            fresh.time.advance(Duration.ofNanos(micros * 1_000L));

            CompletableFuture<Void> paused = pausing.engine.pause();
            fresh.time.advanceUntil(paused::isDone, MINUTE);

            assertThat(released).as("after %s us", micros).isCompletedWithValue(true);
            assertThat(fresh.queue()).as("after %s us", micros).isEmpty();
            Grant next = fresh.startedProcess().hold(KEY);
            assertThat(next.isValid()).isTrue();
        }
    }

    @Test
    void pausesTwiceAsOnce() {
        Acquisition waiting = process.acquire(KEY, AcquireSpec.FOREVER);
        CompletableFuture<Void> first = process.engine.pause();
        CompletableFuture<Void> second = process.engine.pause();
        assertThat(second).isNotDone();
        cluster.time.advance(MOMENT);
        CompletableFuture<Void> third = process.engine.pause();
        cluster.time.settle();

        assertThat(List.of(first, second, third)).allMatch(CompletableFuture::isDone);
        process.engine.resume();
        process.engine.resume();
        assertThat(process.grantOf(waiting).isValid()).isTrue();
    }

    @Test
    void resumesWhatIsNotPausedWithoutATrace() {
        Grant grant = process.hold(KEY);

        process.engine.resume();
        cluster.time.advance(MINUTE);

        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void goesOnBeforeThePauseIsThereAndPausesAgain() {
        for (int micros = 0; micros < 20_000; micros += 700) {
            Cluster fresh = new Cluster();
            SimulatedProcess pausing = fresh.startedProcess();
            Grant kept = pausing.grantOf(pausing.acquire(
                    new AcquireSpec(new LockKey("kept", "default"), "test", AcquireSpec.FOREVER, null, MINUTE)));
            pausing.hold(KEY);
            Acquisition waiting = pausing.acquire(KEY, AcquireSpec.FOREVER);
            CompletableFuture<Void> first = pausing.engine.pause();
            fresh.time.advance(Duration.ofNanos(micros * 1_000L));
            pausing.engine.resume();
            fresh.time.advance(Duration.ofNanos(micros * 700L));

            CompletableFuture<Void> second = pausing.engine.pause();
            fresh.time.advanceUntil(second::isDone, MINUTE);

            assertThat(first).isDone();
            assertThat(kept.isValid()).isFalse();
            assertThat(fresh.queue()).as("after %s us", micros).isEmpty();
            assertThat(fresh.table.sessionIds())
                    .as("after %s us: the one by which a lock is kept", micros)
                    .hasSize(1);
            pausing.engine.resume();
            fresh.time.advance(Duration.ofSeconds(1));
            assertThat(waiting.outcome()).isDone();
        }
    }

    @Test
    void closesWhilePausedAndWhilePausing() {
        for (int micros = 0; micros < 20_000; micros += 1_500) {
            Cluster fresh = new Cluster();
            SimulatedProcess pausing = fresh.startedProcess();
            pausing.hold(KEY);
            Acquisition waiting = pausing.acquire(KEY, AcquireSpec.FOREVER);
            CompletableFuture<Void> paused = pausing.engine.pause();
            fresh.time.advance(Duration.ofNanos(micros * 1_000L));

            CompletableFuture<Void> closed = pausing.engine.shutdown();
            fresh.time.advanceUntil(closed::isDone, MINUTE);

            assertThat(paused).isDone();
            assertThat(Cluster.outcome(waiting)).isInstanceOf(AcquireOutcome.Closed.class);
            assertThat(fresh.queue()).isEmpty();
            assertThat(fresh.table.sessionIds()).isEmpty();
            assertThat(pausing.engine.pause()).isDone();
            pausing.engine.resume();
        }
    }

    @Test
    void returnsInTimeThoughTheStoreDoesNotAnswerAndDeletesItsSessionWhenItGoesOn() {
        process.hold(KEY);
        cluster.faults.everything(Fault.STALLS);

        CompletableFuture<Void> paused = process.engine.pause();
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().multipliedBy(2));

        assertThat(paused).isDone();
        other.kill();
        int stalled = cluster.faults.stalledCalls();
        cluster.time.advance(MINUTE);
        assertThat(cluster.faults.stalledCalls()).as("nothing more is sent").isEqualTo(stalled);
        cluster.faults.heal();
        process.engine.resume();
        Grant grant = process.hold(KEY);
        cluster.time.advance(MOMENT);
        assertThat(grant.isValid()).isTrue();
        assertThat(cluster.queue()).hasSize(1);
        assertThat(cluster.table.sessionIds())
                .as("the new one and the dead one's")
                .hasSize(2);
    }

    @Test
    void anInspectionIsAnsweredInThePause() {
        other.hold(KEY);
        pause(process);

        CompletableFuture<Inspection> inspection = process.engine.inspect(KEY);
        cluster.time.advance(MOMENT);

        assertThat(inspection).isCompleted();
        assertThat(inspection.join().lock().queue()).hasSize(1);
    }

    @Test
    void anEvictionIsToldInThePause() {
        other.hold(KEY);
        pause(process);

        BlockId place = cluster.queue().get(0).block();
        CompletableFuture<Boolean> evicted = process.engine.evict(KEY, place);
        cluster.time.advance(MOMENT);

        assertThat(evicted).isCompletedWithValue(true);
    }

    @Test
    void showsItsSessionAndWhoWaitsWithoutACall() {
        other.hold(KEY);
        process.acquire(new AcquireSpec(KEY, "orders", MINUTE, null, null).by("till 3"));
        cluster.time.advance(Duration.ofSeconds(1));
        process.acquire(new AcquireSpec(KEY, "orders", MINUTE, null, null).by("till 4"));
        Duration beat = SimulatedProcess.SETTINGS.heartbeat();
        cluster.time.advance(beat);
        cluster.calls.reset();

        assertThat(process.engine.waiters()).extracting(WaitingCall::caller).containsExactly("till 3", "till 4");
        WaitingCall first = process.engine.waiters().get(0);
        assertThat(first.key()).isEqualTo(KEY);
        assertThat(first.name()).isEqualTo("orders");
        assertThat(Duration.between(
                        first.since(), process.engine.waiters().get(1).since()))
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(process.engine.session()).hasValueSatisfying(session -> {
            assertThat(cluster.table.sessionIds()).contains(session.id());
            assertThat(session.owner()).isEqualTo("process-1");
            assertThat(session.lastBeat()).isAfter(session.since());
            assertThat(session.remaining()).isGreaterThan(beat);
        });
        assertThat(cluster.calls.reads() + cluster.calls.writes()).isZero();
        pause(process);
        assertThat(process.engine.session()).isEmpty();
        assertThat(process.engine.waiters()).hasSize(2);
    }

    private void pause(SimulatedProcess pausing) {
        CompletableFuture<Void> paused = pausing.engine.pause();
        cluster.time.advanceUntil(paused::isDone, MINUTE);
    }
}
