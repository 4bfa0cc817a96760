package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Acquisitions;
import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.store.LockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShutdownTest {

    private final Bench bench = new Bench();

    @Test
    void itFreesEverythingAtOnceAndStopsTheLoop() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant grant = bench.grant(process);
        List<Acquisition> waiting = Acquisitions.start(process, 5, Bench.exclusive());
        Acquisition ofAnother = bench.acquire(bench.processWithSession());

        CompletableFuture<Void> done = process.shutdown();
        assertThat(grant.isValid()).as("at once").isFalse();
        assertThat(done).isNotDone();
        bench.advanceMillis(100);

        assertThat(done).isCompleted();
        assertThat(process.shutdown()).isCompleted();
        assertThat(waiting).allMatch(each -> each.outcome().join() instanceof AcquireOutcome.Closed);
        assertThat(process.waiting()).isZero();
        assertThat(process.held()).isEmpty();
        assertThat(ofAnother).matches(Acquisitions::isGranted);
        assertThat(bench.table.sessionIds()).hasSize(1);
        assertThat(bench.machineOf(process).loop.isDead()).isTrue();
        assertThat(bench.machineOf(process).events())
                .contains("lost: CLOSED")
                .anyMatch(event -> event.startsWith("abandoned"));
        assertThat(process.acquire(Bench.exclusive()).outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void aShutdownOfAnUnusedEngineMakesNoCall() {
        LockEngine process = bench.process();

        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(100);

        assertThat(done).isCompleted();
        assertThat(bench.network.sessionWrites()).isZero();
        assertThat(bench.process().waiting()).isZero();
    }

    @Test
    void callersOfAnEngineWithoutItsLoopAreToldThatItIsClosed() {
        LockEngine process = bench.process();
        bench.machineOf(process).loop.shutdown();

        assertThat(process.acquire(Bench.exclusive()).outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(process.shutdown()).isCompleted();
        assertThatThrownBy(process.inspect(Bench.KEY)::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shut down");
    }

    @Test
    void callersAndReleasesThatItOvertakesAreHeardOfOnce() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(process);
        bench.machineOf(process).forgetEvents();

        Acquisition overtaken = process.acquire(Bench.exclusive());
        Acquisition leaving = process.acquire(Bench.exclusive());
        process.shutdown();
        leaving.abandon();
        held.release(null);
        Acquisition late = bench.acquire(process, Bench.exclusive(), 10_000);

        assertThat(overtaken.outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(late.outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(leaving.outcome().join()).isInstanceOf(AcquireOutcome.Abandoned.class);
        assertThat(bench.machineOf(process).events())
                .containsExactlyInAnyOrder(
                        "lost: CLOSED", "abandoned after PT0S", "abandoned after PT0S", "abandoned after PT0S");
    }

    @Test
    void anInspectionThatItOvertakesFails() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.always(Call.READ, Fate.STALLED);
        CompletableFuture<Inspection> before = process.inspect(Bench.KEY);
        bench.advanceMillis(100);
        process.shutdown();
        CompletableFuture<Inspection> during = process.inspect(Bench.KEY);
        bench.advanceMillis(10_000);

        assertThat(before).isCompletedExceptionally();
        assertThat(during).isCompletedExceptionally();
    }

    @Test
    void theEndOfTheSessionIsRepeatedForTheTimeOfACall() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.next(Call.END, Fate.THROTTLED, 2);

        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(500);

        assertThat(done).isCompleted();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void itWaitsForASilentStoreForTheTimeOfOneCall() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.grant(process);
        bench.network.always(Fate.SILENT);

        CompletableFuture<Void> done = process.shutdown();
        bench.time.advance(Bench.CALL_TIMEOUT.minusMillis(1));
        assertThat(done).isNotDone();
        bench.advanceMillis(1);

        assertThat(done).isCompleted();
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "REFUSED_CONNECTION"})
    void itDoesNotWaitForAStoreThatHasBeenGoneSinceTheSessionWasLost(Fate fate) {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.grant(process);
        bench.network.always(fate);
        bench.time.advance(Bench.LEASE.multipliedBy(2));
        Acquisition waiting = bench.acquire(process, Bench.waitingForever(), 10_000);

        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(1);

        assertThat(done).isCompleted();
        assertThat(waiting.outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void itDoesNotWaitAnyMoreWhenTheFirstSessionCannotBegin() {
        LockEngine process = bench.process();
        bench.network.always(Fate.SILENT);
        bench.acquire(process, Bench.exclusive(), 1_000);

        CompletableFuture<Void> done = process.shutdown();
        bench.time.advance(LockStore.timeToBegin(Bench.CALL_TIMEOUT).minusMillis(1_000));

        assertThat(done).isCompleted();
    }

    @Test
    void itFreesTheLocksOfAnOutageThatIsOver() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.grant(process);
        bench.network.always(Fate.REFUSED_CONNECTION);
        bench.time.advance(Bench.LEASE.dividedBy(2));
        bench.network.heal();

        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(1_500);

        assertThat(done).isCompleted();
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void aSessionThatIsBeginningIsDeletedHoweverSlowlyItBegins() {
        bench.setCallTimeout(Duration.ofMillis(600));
        LockEngine process = bench.process();
        bench.network.next(Call.BEGIN, Fate.SLOW_ANSWER, 1);
        bench.acquire(process, Bench.exclusive(), 10);
        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(3_500);
        assertThat(done).isNotDone();

        bench.network.resume();
        bench.advanceMillis(100);

        assertThat(done).isDone();
        assertThat(bench.table.sessionIds()).isEmpty();
    }
}
