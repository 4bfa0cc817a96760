package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.engine.Bench.Call;
import io.dynamolock.internal.engine.Bench.Fate;
import io.dynamolock.internal.engine.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ShutdownTest {

    private final Bench bench = new Bench();

    @Test
    void aShutdownFreesEverythingAtOnceAndStopsTheLoop() {
        LockEngine process = bench.begun();
        Grant grant = bench.grant(process);
        List<Acquisition> waiting = Bench.callers(process, 5, Bench.exclusive());
        Acquisition ofAnother = bench.acquire(bench.begunBeside());

        CompletableFuture<Void> done = process.shutdown();
        assertThat(grant.isValid()).as("at once").isFalse();
        assertThat(done).isNotDone();
        bench.advance(100);

        assertThat(done).isCompleted();
        assertThat(process.shutdown()).isCompleted();
        assertThat(waiting).allMatch(each -> each.outcome().join() instanceof AcquireOutcome.Closed);
        assertThat(process.waiting()).isZero();
        assertThat(process.held()).isEmpty();
        assertThat(ofAnother).matches(Bench::isGranted);
        assertThat(bench.table.sessionIds()).hasSize(1);
        assertThat(bench.of(process).loop.isDead()).isTrue();
        assertThat(bench.of(process).events).contains("lost: CLOSED").anyMatch(event -> event.startsWith("abandoned"));
        assertThat(process.acquire(Bench.exclusive()).outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void aShutdownOfAnUnusedEngineMakesNoCall() {
        LockEngine process = bench.process();

        CompletableFuture<Void> done = process.shutdown();
        bench.advance(100);

        assertThat(done).isCompleted();
        assertThat(bench.sessionWrites).isZero();
        assertThat(bench.process().waiting()).isZero();
    }

    @Test
    void callersOfAnEngineWithoutItsLoopAreToldThatItIsClosed() {
        LockEngine process = bench.process();
        bench.of(process).loop.shutdown();

        assertThat(process.acquire(Bench.exclusive()).outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(process.shutdown()).isCompleted();
        assertThatThrownBy(process.inspect(Bench.KEY)::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shut down");
    }

    @Test
    void callersAndReleasesThatAShutdownOvertakesAreToldOnce() {
        LockEngine process = bench.begun();
        Grant held = bench.grant(process);
        bench.of(process).events.clear();

        Acquisition overtaken = process.acquire(Bench.exclusive());
        Acquisition leaving = process.acquire(Bench.exclusive());
        process.shutdown();
        leaving.abandon();
        held.release(null);
        Acquisition late = bench.acquire(process, Bench.exclusive(), 10_000);

        assertThat(overtaken.outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(late.outcome().join()).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(leaving.outcome().join()).isInstanceOf(AcquireOutcome.Abandoned.class);
        assertThat(bench.of(process).events)
                .containsExactlyInAnyOrder(
                        "lost: CLOSED", "abandoned after PT0S", "abandoned after PT0S", "abandoned after PT0S");
    }

    @Test
    void anInspectionThatAShutdownOvertakesFails() {
        LockEngine process = bench.begun();
        bench.always(Call.READ, Fate.STALLED);
        CompletableFuture<Inspection> before = process.inspect(Bench.KEY);
        bench.advance(100);
        process.shutdown();
        CompletableFuture<Inspection> during = process.inspect(Bench.KEY);
        bench.advance(10_000);

        assertThat(before).isCompletedExceptionally();
        assertThat(during).isCompletedExceptionally();
    }

    @Test
    void theDeletionOfTheSessionIsRepeatedForTheTimeOfTwoCalls() {
        LockEngine process = bench.begun();
        bench.next(Call.END, Fate.THROTTLED, 2);

        CompletableFuture<Void> done = process.shutdown();
        bench.advance(500);

        assertThat(done).isCompleted();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void aShutdownWaitsForCallsUnderWayButNotForEver() {
        LockEngine process = bench.begun();
        bench.grant(process);
        bench.fate = Fate.SILENT;

        CompletableFuture<Void> done = process.shutdown();
        bench.time.advance(bench.callTimeout.multipliedBy(2).minusMillis(1));
        assertThat(done).isNotDone();
        bench.advance(1);

        assertThat(done).isCompleted();
    }

    @Test
    void aSessionThatIsBeginningIsDeletedHoweverSlowlyItBegins() {
        bench.callTimeout = Duration.ofMillis(600);
        LockEngine process = bench.process();
        bench.next(Call.BEGIN, Fate.SLOW_ANSWER, 1);
        bench.acquire(process, Bench.exclusive(), 10);
        CompletableFuture<Void> done = process.shutdown();
        bench.advance(3_500);
        assertThat(done).isNotDone();

        bench.resume();
        bench.advance(100);

        assertThat(done).isDone();
        assertThat(bench.table.sessionIds()).isEmpty();
    }
}
