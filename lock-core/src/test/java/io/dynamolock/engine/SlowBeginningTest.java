package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of callers while a session begins more slowly than any other call may be answered. */
class SlowBeginningTest {

    private static final Duration CALL_TIMEOUT = Duration.ofMillis(600);
    private static final Duration STEP = Duration.ofMillis(10);

    private final EngineBench bench = new EngineBench(new Workbench.Settings()
            .lease(Duration.ofSeconds(3))
            .heartbeat(Duration.ofMillis(750))
            .driftMargin(Duration.ofMillis(150))
            .callTimeout(CALL_TIMEOUT)
            .build());

    // A store that is always slow

    @ParameterizedTest
    @CsvSource({"0, 5500", "300, 600", "800, 800", "4000, 4000"})
    void aCallerThatDoesNotWaitForEverIsToldThatTheStoreAnswersTooLate(long waitMillis, long limitMillis) {
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        Acquisition brief = bench.acquire(Duration.ofMillis(waitMillis));
        Acquisition patient = bench.acquire();

        Duration ended = untilItEnds(brief, Duration.ofMillis(2_500));

        assertThat(brief).matches(Cluster::isFailed);
        assertThat(ended).isLessThanOrEqualTo(Duration.ofMillis(limitMillis));
        assertThat(patient.outcome()).isNotDone();
    }

    @Test
    void aCallerThatWaitsForEverGetsTheLockOnceTheStoreIsQuickAgain() {
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        Acquisition patient = bench.acquire();
        untilItEnds(bench.acquire(Duration.ofSeconds(20)), Duration.ofMillis(2_500));
        assertThat(bench.events).contains("failed: create session");

        bench.faults.heal();
        bench.faults.resume();
        bench.time.advance(Duration.ofSeconds(5));

        assertThat(patient).matches(Cluster::isGranted);
    }

    // A store that does not answer

    @ParameterizedTest
    @CsvSource({"0, 4000", "300, 600", "599, 600", "800, 800", "1500, 1500"})
    void aWaitThatTheStoreNeverAnswersIsAFailureAndEndsOnTime(long waitMillis, long endMillis) {
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.STALLS);
        Acquisition brief = bench.acquire(Duration.ofMillis(waitMillis));

        bench.time.advance(Duration.ofMillis(endMillis - 1));
        assertThat(brief.outcome()).isNotDone();
        bench.time.advance(Duration.ofMillis(1));

        assertThat(brief).matches(Cluster::isFailed);
        assertThat(bench.engine.waiting()).isZero();
    }

    @Test
    void aWaitThatWasPutOffUnderASessionEndsOnTimeThoughThatIsLostBeforeTheLockIsAskedFor() {
        EngineBench busy = new EngineBench(new Workbench.Settings()
                .lease(Duration.ofSeconds(3))
                .heartbeat(Duration.ofMillis(750))
                .driftMargin(Duration.ofMillis(150))
                .callTimeout(CALL_TIMEOUT)
                .maxCallsInFlight(1)
                .build());
        Grant held = busy.hold();
        for (StoreOperation operation :
                List.of(StoreOperation.BEAT, StoreOperation.ASK, StoreOperation.BEGIN_SESSION)) {
            busy.faults.always(operation, Fault.STALLS);
        }
        while (held.remainingValidity().compareTo(Duration.ofMillis(100)) > 0) {
            busy.time.advance(STEP);
        }
        busy.acquire(new LockKey("first", "default"), AcquireSpec.FOREVER);
        Acquisition brief = busy.acquire(new LockKey("second", "default"), Duration.ofMillis(50));

        busy.time.advance(CALL_TIMEOUT.minusMillis(1));
        assertThat(brief.outcome()).isNotDone();
        busy.time.advance(Duration.ofMillis(1));

        assertThat(brief.outcome()).isDone();
    }

    // A store that is slow once

    @ParameterizedTest
    @EnumSource(names = {"EXCLUSIVE", "READ", "WRITE"})
    void theLockOfADeadProcessIsGotWithoutAWaitHoweverSlowTheBeginning(Kind kind) {
        EngineBench.Stranger dead = bench.stranger(1);
        dead.asks();
        dead.dies();
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        Acquisition tried = bench.engine.acquire(
                new AcquireSpec(EngineBench.KEY, "test", Duration.ZERO, null, null, kind, 0, false));
        bench.time.advance(Duration.ofSeconds(1));
        bench.faults.resume();

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(tried).matches(Cluster::isGranted);
    }

    @Test
    void aShortWaitHasTheTimeOfACallForTheBeginningAndAnotherForTheLock() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        bench.faults.next(StoreOperation.ASK, Fault.SLOW_ANSWER);
        Acquisition brief = bench.acquire(Duration.ofMillis(300));
        bench.time.advance(Duration.ofMillis(500));
        bench.faults.resume();
        bench.time.advance(Duration.ofMillis(500));
        assertThat(brief.outcome()).isNotDone();
        bench.faults.resume();
        bench.time.settle();

        assertThat(brief).matches(Cluster::isGranted);
    }

    /** The answer waits for it, and is handled before the timeout. */
    @Test
    void aProcessThatIsFrozenWhileItsSessionBeginsIsNotToldThatItsClockIsWrong() {
        Duration frozen = Duration.ofMinutes(3);
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        Acquisition patient = bench.acquireAndSettle();

        // The store's clock stays where it was when it answered.
        bench.bench.clock.freeze(frozen);
        bench.faults.resume();
        bench.time.settle();
        assertThat(patient.outcome()).isNotDone();
        // It has gone on, too, by the next answer.
        bench.bench.clock.moveWallClock(frozen.negated());
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(patient).matches(Cluster::isGranted);
        assertThat(bench.events).noneMatch(event -> event.startsWith("failed"));
    }

    // Closing

    @Test
    void aSessionWhoseSlowBeginningIsAnsweredAfterTheClosingIsDeleted() {
        bench.faults.next(StoreOperation.BEGIN_SESSION, Fault.SLOW_ANSWER);
        bench.acquire();
        bench.time.settle();
        CompletableFuture<Void> shutdown = bench.engine.shutdown();
        bench.time.advance(Duration.ofMillis(3_500));
        assertThat(shutdown).isNotDone();

        bench.faults.resume();
        bench.time.advance(Duration.ofMillis(100));

        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(shutdown).isDone();
    }

    @Test
    void aClosingDoesNotWaitForEverForASessionThatBegins() {
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.STALLS);
        bench.acquire();
        bench.time.settle();
        CompletableFuture<Void> shutdown = bench.engine.shutdown();

        bench.time.advance(Duration.ofMillis(4_600));

        assertThat(shutdown).isDone();
    }

    /** Each beginning is answered so late. */
    private Duration untilItEnds(Acquisition acquisition, Duration latency) {
        long start = bench.time.nanos();
        int begun = 0;
        long due = 0;
        while (!acquisition.outcome().isDone()) {
            int begins = bench.count(StoreOperation.BEGIN_SESSION);
            if (begins > begun) {
                begun = begins;
                due = bench.time.nanos() + latency.toNanos();
            }
            if (bench.time.nanos() >= due) {
                bench.faults.resume();
            }
            bench.time.advance(STEP);
            if (bench.time.nanos() - start > Duration.ofMinutes(1).toNanos()) {
                throw new AssertionError("no answer within a minute");
            }
        }
        return Duration.ofNanos(bench.time.nanos() - start);
    }
}
