package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What callers leave behind when they go: no place, no timer, no memory, and nothing that harms those who come later. */
class LeftBehindTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LATER = Duration.ofSeconds(10);

    /** A place waits a moment for callers of its process that come back. */
    private static final Duration MOMENT = Duration.ofMillis(5);

    private final EngineBench bench = EngineBench.started();

    @Test
    void aCallerThatLeavesBeforeThereIsASessionLeavesNothing() {
        EngineBench bench = new EngineBench();
        bench.faults.always(StoreOperation.BEGIN_SESSION, Fault.THROTTLED);
        Acquisition leaving = bench.acquire(Duration.ofMinutes(1));
        bench.time.advance(SECOND);
        leaving.abandon();
        bench.time.advance(SECOND.multipliedBy(2));

        assertThat(bench.bench.loop.timers()).isZero();
        assertThat(bench.engine.locksInUse()).isZero();
        bench.calls.reset();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.calls.total()).isZero();
    }

    @Test
    void aReleasedLockLeavesNothing() {
        bench.hold().release();
        bench.time.settle();

        nothingIsLeft();
    }

    @Test
    void aLockWithLimitsThatWasPassedOnLeavesNothing() {
        Grant first = bench.grantOf(bench.engine.acquire(new AcquireSpec(
                EngineBench.KEY, "test", AcquireSpec.FOREVER, Duration.ofMinutes(1), Duration.ofMillis(1))));
        Acquisition second = bench.join();
        first.release();
        bench.grantOf(second).release();
        bench.time.advance(Duration.ofMillis(1));

        nothingIsLeft();
    }

    @Test
    void callersThatLeaveTheQueueLeaveNothing() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        List<Acquisition> waiting = List.of(bench.acquire(), bench.acquire());
        bench.time.settle();
        waiting.forEach(Acquisition::abandon);
        bench.time.advance(MOMENT);

        nothingIsLeftBehind(holder);
    }

    @Test
    void callersWhoseWaitIsOverLeaveNothing() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        bench.acquire(SECOND);
        bench.time.settle();
        bench.acquire(Duration.ZERO);
        bench.time.advance(SECOND.plus(MOMENT));

        nothingIsLeftBehind(holder);
    }

    @Test
    void aCallerThatDoesNotWaitLeavesNothing() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        Acquisition hasty = bench.acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(hasty).matches(Cluster::isTimedOut);
        nothingIsLeftBehind(holder);
    }

    @Test
    void aWaitThatWasOnlyKeptForTheFirstAnswerLeavesNothing() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        bench.faults.next(StoreOperation.ASK, Fault.SLOW_ANSWER);
        Acquisition brief = bench.acquire(Duration.ofMillis(300));
        bench.time.advance(Duration.ofMillis(400));
        assertThat(brief.outcome()).isNotDone();
        bench.calls.reset();

        bench.faults.resume();
        bench.time.settle();

        assertThat(brief).matches(Cluster::isTimedOut);
        bench.time.advance(MOMENT);
        assertThat(bench.calls.total()).as("it leaves, without a look").isOne();
        nothingIsLeftBehind(holder);
    }

    @ParameterizedTest
    @EnumSource(
            value = StoreOperation.class,
            names = {"ASK", "LOOK", "GROW"})
    void aCallerThatIsRefusedForGoodLeavesNothing(StoreOperation operation) {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        bench.faults.next(operation, Fault.REFUSED);
        Acquisition first = bench.acquireAndSettle();
        Acquisition second = bench.acquireAndSettle();
        bench.time.advance(SECOND);

        assertThat(List.of(first, second)).anyMatch(Cluster::isFailed);
        first.abandon();
        second.abandon();
        bench.time.advance(MOMENT);
        nothingIsLeftBehind(holder);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"STALLS", "SLOW_ANSWER", "THROTTLED", "LOST_ANSWER", "LOST_REQUEST", "LANDS_LATE"})
    void aCallerThatLeavesWhileACallIsUnderWayLeavesNothing(Fault fault) {
        for (StoreOperation operation :
                List.of(StoreOperation.ASK, StoreOperation.GROW, StoreOperation.LOOK, StoreOperation.LEAVE)) {
            EngineBench bench = EngineBench.started();
            EngineBench.Stranger holder = bench.stranger(1).asks();
            bench.faults.next(operation, fault);
            Acquisition first = bench.acquireAndSettle();
            Acquisition second = bench.acquireAndSettle();
            bench.time.advance(SECOND);
            first.abandon();
            second.abandon();
            bench.time.advance(SECOND);
            bench.faults.resume();
            bench.faults.landLate();
            holder.beats();
            bench.time.advance(LATER);
            holder.leaves();
            bench.time.advance(LATER);

            assertThat(bench.queue()).as("%s %s", operation, fault).isEmpty();
            assertThat(bench.engine.locksInUse()).as("%s %s", operation, fault).isZero();
            assertThat(bench.bench.loop.timers())
                    .as("%s %s", operation, fault)
                    .isEqualTo(EngineBench.TIMERS_OF_THE_SESSION);
        }
    }

    @Test
    void aWaitThatOutlivesItsSessionLeavesNothing() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        Acquisition waiting = bench.acquireAndSettle();
        bench.loseSession();
        bench.time.advance(SECOND.multipliedBy(2));
        assertThat(bench.queue())
                .as("the holder's, one of the lost session, one of the new")
                .hasSize(3);
        holder.leaves();
        bench.time.advance(SECOND);
        bench.grantOf(waiting).release();
        bench.time.advance(LATER);

        nothingIsLeft();
    }

    @Test
    void aLostSessionLeavesNoTimer() {
        Grant held = bench.grantOf(bench.acquireWithMaxHold(Duration.ofDays(1)));

        bench.loseSession();
        bench.time.settle();

        assertThat(held.isValid()).isFalse();
        assertThat(bench.bench.loop.timers()).isZero();
    }

    @Test
    void anAnswerThatComesWhenNobodyWantsTheLockHarmsNobodyWhoWantsItLater() {
        EngineBench.Stranger dead = bench.stranger(1).asks();
        Acquisition leaving = bench.acquireAndSettle();
        bench.faults.next(StoreOperation.LEAVE, Fault.STALLS);
        dead.dies();
        bench.time.advance(SECOND.multipliedBy(2));
        assertThat(bench.faults.stalledCalls())
                .as("the dead one is being cleared away")
                .isOne();
        leaving.abandon();
        bench.time.advance(MOMENT);
        assertThat(bench.engine.locksInUse()).isZero();

        Acquisition later = bench.acquire();
        bench.time.advance(SECOND);
        Grant held = bench.grantOf(later);
        bench.faults.resume();
        bench.time.advance(SECOND);

        assertThat(held.isValid()).isTrue();
        assertThat(bench.queue()).as("the later caller's").hasSize(1);
    }

    /** Nobody wants the lock, and the engine has forgotten it. */
    private void nothingIsLeft() {
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.engine.locksInUse()).isZero();
        assertThat(bench.engine.waiting()).isZero();
        assertThat(bench.bench.loop.timers()).isEqualTo(EngineBench.TIMERS_OF_THE_SESSION);
    }

    private void nothingIsLeftBehind(EngineBench.Stranger holder) {
        assertThat(bench.queue()).hasSize(1);
        assertThat(bench.engine.locksInUse()).isZero();
        holder.leaves();
        // Whoever watched the holder has stopped that by then.
        bench.time.advance(LATER);
        bench.calls.reset();
        bench.time.advance(EngineBench.SETTINGS.heartbeat());
        assertThat(bench.calls.total()).as("the beat").isOne();
        nothingIsLeft();
    }
}
