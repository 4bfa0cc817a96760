package io.dynamolock.engine;

import static io.dynamolock.engine.EngineBench.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The engine's door. */
class LockEngineTest {

    private static final Duration CALL_TIMEOUT = EngineBench.SETTINGS.callTimeout();

    private final EngineBench bench = new EngineBench();
    private final LockEngine engine = bench.engine;

    // Held and waiting

    @Test
    void tellsWhichLocksAreHeldLongestFirst() {
        List<Grant> grants = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            grants.add(hold(new LockKey("key-" + i, "default")));
            bench.time.advance(Duration.ofSeconds(1));
        }
        grants.remove(2).release();

        assertThat(engine.held())
                .extracting(held -> held.key().key())
                .containsExactly("key-0", "key-1", "key-3", "key-4");
        assertThat(engine.held().get(0)).satisfies(held -> {
            assertThat(held.name()).isEqualTo("test");
            assertThat(held.number()).isEqualTo(grants.get(0).number());
            assertThat(held.since()).isEqualTo(grants.get(0).since());
        });
    }

    @Test
    void aLockThatIsNoLongerValidIsNotHeld() {
        hold(KEY);

        bench.bench.clock.moveWallClock(EngineBench.SETTINGS.lease());

        assertThat(engine.held()).isEmpty();
    }

    @Test
    void countsTheCallersThatWait() {
        Grant held = hold(KEY);
        acquire(Duration.ofMinutes(1));
        acquire(Duration.ofMinutes(1)).abandon();
        Acquisition last = acquire(Duration.ofMinutes(1));
        assertThat(engine.waiting()).isEqualTo(2);
        bench.time.settle();
        held.release();
        bench.time.settle();

        assertThat(engine.waiting()).isOne();
        last.abandon();
        last.abandon();
        assertThat(engine.waiting()).isZero();
    }

    // What is heard

    @Test
    void tellsHowLongEachCallerWaitedAndHeld() {
        Grant first = hold(KEY);
        acquire(Duration.ofSeconds(1));
        Acquisition leaving = acquire(AcquireSpec.FOREVER);
        Acquisition next = acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofSeconds(2));
        leaving.abandon();
        bench.time.advance(Duration.ofSeconds(1));
        first.release();
        Grant second = bench.grantOf(next);
        bench.time.advance(Duration.ofSeconds(4));
        second.release();
        bench.time.settle();

        assertThat(bench.events)
                .containsExactly(
                        "session started",
                        "acquired after PT0S",
                        "queued behind 1",
                        "queued behind 2",
                        "queued behind 3",
                        "timed out after PT1S",
                        "abandoned after PT2S",
                        "released after PT3S",
                        "acquired after PT3S in the queue",
                        "released after PT4S");
    }

    @Test
    void tellsHowLongACallerWaitedThatTheStoreFailed() {
        hold(KEY).release();
        bench.time.settle();
        bench.events.clear();
        bench.faults.always(StoreOperation.ASK, Fault.SLOW_ANSWER);
        acquire(Duration.ofSeconds(3));
        bench.time.advance(CALL_TIMEOUT);

        assertThat(bench.events).containsExactly("failed: ask", "abandoned after " + CALL_TIMEOUT);
    }

    // Disputes

    @Test
    void aDisputedBlockThatNobodyKnowsIsTakenOut() {
        hold(new LockKey("another", "default"));
        SessionId own = bench.table.sessionIds().iterator().next();
        BlockId stray = new BlockId(own, 77);
        bench.table.take(KEY, new Step.Ask(new Entry(stray, 1), 1, 200), bench.time.now());
        dispute(stray);

        bench.time.advance(EngineBench.SETTINGS.heartbeat());

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aDisputedBlockThatHoldsTheLockIsLeftAlone() {
        Grant grant = hold(KEY);
        dispute(bench.blockAt(0));

        bench.time.advance(EngineBench.SETTINGS.heartbeat());

        assertThat(grant.isValid()).isTrue();
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void aDisputedBlockThatWaitsIsLeftAlone() {
        bench.stranger(1).asks();
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        dispute(bench.blockAt(1));

        bench.time.advance(EngineBench.SETTINGS.heartbeat());

        assertThat(bench.queue()).hasSize(2);
        assertThat(bench.count(StoreOperation.LEAVE)).isZero();
    }

    @Test
    void aDisputedBlockWhoseAskIsNotAnsweredIsLeftAlone() {
        hold(new LockKey("another", "default"));
        bench.faults.next(StoreOperation.ASK, Fault.SLOW_ANSWER);
        Acquisition asking = acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofSeconds(3));
        dispute(bench.blockAt(0));

        bench.time.advance(Duration.ofMillis(2_500));
        assertThat(bench.queue()).hasSize(1);

        bench.faults.resume();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(asking).matches(Cluster::isGranted);
    }

    private void dispute(BlockId block) {
        bench.table.take(block.session(), new SessionStep.Raise(new Dispute(KEY, block)), bench.time.now());
    }

    // Inspecting

    @Test
    void inspectsALockWithItsQueueAndTheSessionsInIt() {
        hold(KEY);
        EngineBench.Stranger next = bench.stranger(1).asks(3);
        bench.stranger(2).asks().dies();
        bench.calls.reset();

        CompletableFuture<Inspection> inspecting = engine.inspect(KEY);
        bench.time.settle();

        Inspection inspection = inspecting.getNow(null);
        assertThat(inspection.lock()).isEqualTo(bench.lock());
        assertThat(inspection.lock().queue()).hasSize(3);
        assertThat(inspection.sessions().keySet())
                .containsExactlyInAnyOrder(
                        bench.blockAt(0).session(), next.block().session());
        assertThat(bench.calls.total())
                .as("one look, and one read of all sessions")
                .isEqualTo(2);
        assertThat(bench.calls.consistentLooks()).isOne();
    }

    @Test
    void inspectsALockThatNobodyWants() {
        CompletableFuture<Inspection> inspecting = engine.inspect(KEY);
        bench.time.settle();

        assertThat(inspecting.getNow(null).lock().queue()).isEmpty();
        assertThat(bench.calls.total()).isOne();
    }

    @Test
    void anInspectionThatFailsSaysWhy() {
        bench.faults.next(StoreOperation.LOOK, Fault.REFUSED);

        CompletableFuture<Inspection> look = engine.inspect(KEY);
        bench.time.settle();

        assertThatThrownBy(look::join).hasCauseInstanceOf(StoreFailure.class);
    }

    @Test
    void anInspectionByAStoppedEngineFails() {
        engine.shutdown();
        CompletableFuture<Inspection> during = engine.inspect(KEY);
        bench.time.settle();
        CompletableFuture<Inspection> after = engine.inspect(KEY);

        assertThatThrownBy(during::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(after::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shut down");
        assertThat(bench.calls.reads()).isZero();
    }

    @Test
    void anInspectionThatIsUnderWayWhenTheLoopStopsFails() {
        hold(KEY);
        bench.faults.always(StoreOperation.LOOK, Fault.STALLS);
        bench.faults.always(StoreOperation.END_SESSION, Fault.THROTTLED);
        CompletableFuture<Inspection> look = engine.inspect(KEY);
        bench.time.settle();
        engine.shutdown();

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.bench.loop.isStopped()).isTrue();
        assertThat(look).isCompletedExceptionally();
    }

    // The shutdown

    @Test
    void aShutdownFreesEverythingAndStopsTheLoop() {
        Grant grant = hold(KEY);
        Acquisition waiting = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        CompletableFuture<Void> done = engine.shutdown();
        assertThat(grant.isValid()).as("at once").isFalse();
        assertThat(done).isNotDone();
        bench.time.settle();

        assertThat(done).isCompleted();
        assertThat(engine.shutdown()).isCompleted();
        assertThat(waiting.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(engine.waiting()).isZero();
        assertThat(engine.held()).isEmpty();
        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(bench.bench.loop.isStopped()).isTrue();
        assertThat(bench.events).endsWith("lost after PT0S: CLOSED", "abandoned after PT0S");
    }

    @Test
    void aShutdownGivesBackWhatIsHeldAndWhatIsBeingReleased() {
        LockKey released = new LockKey("released", "default");
        hold(KEY);
        Grant releasing = hold(released);
        bench.faults.next(StoreOperation.LEAVE, Fault.THROTTLED);
        releasing.release();
        bench.time.settle();

        engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.table.lock(released).queue()).isEmpty();
    }

    @Test
    void aShutdownDuringARenameGivesTheLockBackUnderEitherNumber() {
        engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, Duration.ofSeconds(1), null));
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.next(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        bench.time.advance(Duration.ofSeconds(1));

        engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aShutdownOfAnEngineThatDidNothingStopsItsLoop() {
        CompletableFuture<Void> done = engine.shutdown();
        bench.time.settle();

        assertThat(done).isCompleted();
        assertThat(bench.bench.loop.isStopped()).isTrue();
        assertThat(bench.calls.total()).isZero();
    }

    @Test
    void aShutdownOfAnEngineWhoseLoopIsGoneIsDone() {
        bench.bench.loop.shutdown();

        assertThat(engine.shutdown()).isCompleted();
    }

    @Test
    void aCallerThatComesAfterTheShutdownIsToldSo() {
        engine.shutdown();
        Acquisition during = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Acquisition after = acquire(AcquireSpec.FOREVER);

        assertThat(during.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(after.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(engine.waiting()).isZero();
    }

    @Test
    void aCallerThatComesToAStoppedLoopIsToldSo() {
        bench.bench.loop.shutdown();

        assertThat(acquire(AcquireSpec.FOREVER).outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void aCallerThatTheShutdownOvertakesIsHeardOf() {
        hold(new LockKey("another", "default"));
        bench.faults.always(StoreOperation.END_SESSION, Fault.STALLS);
        bench.bench.loop.meanwhile(() -> {
            engine.shutdown();
            bench.time.settle();
            bench.events.clear();
        });

        Acquisition overtaken = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(overtaken.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(engine.waiting()).isZero();
        assertThat(bench.events).containsExactly("abandoned after PT0S");
    }

    @Test
    void aCallerThatLeavesDuringTheShutdownIsHeardOfOnce() {
        Acquisition left = acquire(AcquireSpec.FOREVER);
        engine.shutdown();
        left.abandon();
        bench.time.settle();

        assertThat(left.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Abandoned.class);
        assertThat(bench.events).containsExactly("abandoned after PT0S");
    }

    @Test
    void endingTheSessionIsTriedThreeTimes() {
        hold(KEY);
        bench.faults.always(StoreOperation.END_SESSION, Fault.THROTTLED);

        CompletableFuture<Void> done = engine.shutdown();
        bench.time.advance(Duration.ofMillis(149));
        assertThat(bench.calls.count(StoreOperation.END_SESSION)).isBetween(2, 3);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.calls.count(StoreOperation.END_SESSION)).isEqualTo(3);
        assertThat(done).isCompleted();
        assertThat(bench.bench.loop.isStopped()).isTrue();
    }

    @Test
    void aShutdownWaitsForCallsUnderWayButNotForever() {
        hold(KEY);
        bench.faults.always(StoreOperation.END_SESSION, Fault.STALLS);

        CompletableFuture<Void> done = engine.shutdown();
        bench.time.advance(CALL_TIMEOUT.multipliedBy(2).minusNanos(1));
        assertThat(done).isNotDone();
        bench.time.advance(Duration.ofNanos(1));

        assertThat(done).isCompleted();
    }

    @Test
    void aShutdownTakesOutTheBlockWhoseAskIsUnderWay() {
        EngineBench.Stranger holder = bench.stranger(1).asks();
        bench.faults.next(StoreOperation.ASK, Fault.STALLS);
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofSeconds(1));

        CompletableFuture<Void> done = engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(done).isNotDone();
        bench.faults.resume();
        bench.time.settle();

        assertThat(done).isCompleted();
        holder.leaves();
        assertThat(bench.queue()).isEmpty();
    }

    private Acquisition acquire(Duration wait) {
        return engine.acquire(new AcquireSpec(KEY, "test", wait, null, null));
    }

    private Grant hold(LockKey key) {
        return bench.grantOf(engine.acquire(new AcquireSpec(key, "test", Duration.ofMinutes(1), null, null)));
    }
}
