package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.Dispute;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The engine's door. */
class LockEngineTest {

    /** A beat and the end of the session's validity. */
    private static final int TIMERS_OF_THE_SESSION = 2;

    private static final Duration CALL_TIMEOUT = Workbench.SETTINGS.callTimeout();

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();

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

        bench.clock.moveWallClock(Workbench.SETTINGS.lease());

        assertThat(engine.held()).isEmpty();
    }

    @Test
    void countsThoseWhoWait() {
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

    // What is left behind

    @Test
    void aReleasedLockLeavesNoTimer() {
        Grant grant = bench.grantOf(engine.acquire(
                new AcquireSpec(KEY, "test", Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMillis(1))));
        bench.time.advance(Duration.ofMillis(2));
        grant.release();
        bench.time.settle();

        assertThat(bench.loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION);
    }

    @Test
    void aLockThatWasHandedOnLeavesNoTimer() {
        Grant first = bench.grantOf(
                engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), Duration.ofMinutes(1), null)));
        Acquisition second = acquire(Duration.ofMinutes(1));
        bench.time.settle();
        first.release();
        bench.time.settle();
        bench.grantOf(second).release();
        bench.time.settle();

        assertThat(bench.loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION);
    }

    @Test
    void thoseWhoLeaveLeaveNoTimer() {
        bench.table.createSession(Workbench.sessionId(1), Workbench.SETTINGS.lease(), "other", bench.clock.now());
        bench.table.tryAcquire(KEY, otherClaimant(), 1, bench.clock.now());
        Acquisition first = acquire(Duration.ofMinutes(1));
        Acquisition second = acquire(Duration.ofMinutes(1));
        bench.time.advance(Duration.ofMillis(500));
        first.abandon();
        second.abandon();
        bench.time.settle();
        int watchOnTheHolder = 1;

        assertThat(bench.loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION + watchOnTheHolder);
        bench.store.reset();
        bench.time.advance(Duration.ofSeconds(10));
        assertThat(bench.store.polls()).isZero();
        assertThat(bench.loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION);
    }

    @Test
    void aLostSessionLeavesNoTimer() {
        Grant grant = bench.grantOf(
                engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), Duration.ofDays(1), null)));
        assertThat(grant.isValid()).isTrue();
        bench.table.sessions().forEach(bench.table::endSession);
        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(bench.heard.events).endsWith("session lost", "lost after PT5S: SESSION_LOST");
        assertThat(bench.loop.timers()).isZero();
    }

    // What is heard

    @Test
    void tellsHowLongEverybodyWaitedAndHeld() {
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

        assertThat(bench.heard.events)
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
    void tellsHowLongOneWaitedWhomTheStoreFailed() {
        hold(KEY).release();
        bench.time.settle();
        bench.heard.events.clear();
        bench.faults.always(StoreOperation.TRY_ACQUIRE, Fault.SLOW_ANSWER);
        acquire(Duration.ofSeconds(3));
        bench.time.advance(Duration.ofSeconds(3));

        assertThat(bench.heard.events).containsExactly("abandoned after PT3S");
    }

    // Disputes

    @Test
    void aDisputedBlockThatNobodyKnowsIsReleased() {
        hold(new LockKey("another", "default"));
        var session = bench.table.sessions().iterator().next();
        BlockId stray = new BlockId(new UUID(5, 5));
        bench.table.tryAcquire(KEY, new Claimant(session, stray, "owner"), 1, bench.clock.now());
        bench.table.dispute(session, new Dispute(KEY, stray));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(bench.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aDisputedBlockThatHoldsTheLockIsLeftAlone() {
        Grant grant = hold(KEY);
        var holder = bench.table.lockState(KEY).holder();
        bench.table.dispute(holder.session(), new Dispute(KEY, holder.block()));

        bench.time.advance(Workbench.SETTINGS.heartbeat());

        assertThat(grant.isValid()).isTrue();
        assertThat(bench.table.lockState(KEY).holder()).isEqualTo(holder);
    }

    // Looking

    @Test
    void looksAtALockAndItsQueue() {
        Grant grant = hold(KEY);

        CompletableFuture<QueueView> look = engine.look(KEY, 10);
        bench.time.settle();

        assertThat(look.getNow(null).lock().serving()).isEqualTo(grant.number());
    }

    @Test
    void aLookThatFailsSaysWhy() {
        bench.faults.next(StoreOperation.LOOK, Fault.REFUSED);

        CompletableFuture<QueueView> look = engine.look(KEY, 10);
        bench.time.settle();

        assertThatThrownBy(look::join).hasCauseInstanceOf(StoreFailure.class);
    }

    @Test
    void aLookAtAStoppedEngineFails() {
        engine.shutdown();
        CompletableFuture<QueueView> during = engine.look(KEY, 10);
        bench.time.settle();
        CompletableFuture<QueueView> after = engine.look(KEY, 10);

        assertThatThrownBy(during::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(after::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("shut down");
        assertThat(bench.store.polls()).isZero();
    }

    @Test
    void aLookThatIsUnderWayWhenTheLoopStopsFails() {
        hold(KEY);
        bench.faults.always(StoreOperation.LOOK, Fault.STALLS);
        bench.faults.always(StoreOperation.END_SESSION, Fault.THROTTLED);
        CompletableFuture<QueueView> look = engine.look(KEY, 10);
        bench.time.settle();
        engine.shutdown();

        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.loop.isStopped()).isTrue();
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
        assertThat(bench.table.sessions()).isEmpty();
        assertThat(bench.loop.isStopped()).isTrue();
        assertThat(bench.heard.events).endsWith("lost after PT0S: CLOSED", "abandoned after PT0S");
    }

    @Test
    void aShutdownGivesBackWhatIsHeldAndWhatIsBeingReleased() {
        LockKey released = new LockKey("released", "default");
        hold(KEY);
        Grant releasing = hold(released);
        bench.faults.next(StoreOperation.RELEASE, Fault.THROTTLED);
        releasing.release();
        bench.time.settle();

        engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.lockState(KEY).holder()).isNull();
        assertThat(bench.table.lockState(released).holder()).isNull();
    }

    @Test
    void aShutdownDuringARenameGivesTheLockBackUnderEitherId() {
        engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, Duration.ofSeconds(1), null));
        acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        bench.faults.next(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        bench.time.advance(Duration.ofSeconds(1));

        engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));

        assertThat(bench.table.lockState(KEY).holder()).isNull();
    }

    @Test
    void aShutdownOfAnEngineThatDidNothingStopsItsLoop() {
        CompletableFuture<Void> done = engine.shutdown();
        bench.time.settle();

        assertThat(done).isCompleted();
        assertThat(bench.loop.isStopped()).isTrue();
        assertThat(bench.store.total()).isZero();
    }

    @Test
    void aShutdownOfAnEngineWhoseLoopIsGoneIsDone() {
        bench.loop.shutdown();

        assertThat(engine.shutdown()).isCompleted();
    }

    @Test
    void whoeverComesAfterTheShutdownIsToldSo() {
        engine.shutdown();
        Acquisition during = acquire(AcquireSpec.FOREVER);
        bench.time.settle();
        Acquisition after = acquire(AcquireSpec.FOREVER);

        assertThat(during.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(after.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(engine.waiting()).isZero();
    }

    @Test
    void whoeverComesToAStoppedLoopIsToldSo() {
        bench.loop.shutdown();

        assertThat(acquire(AcquireSpec.FOREVER).outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
    }

    @Test
    void oneWhomTheShutdownOvertakesIsHeardOf() {
        hold(new LockKey("another", "default"));
        bench.faults.always(StoreOperation.END_SESSION, Fault.STALLS);
        bench.loop.meanwhile(() -> {
            engine.shutdown();
            bench.time.settle();
            bench.heard.events.clear();
        });

        Acquisition overtaken = acquire(AcquireSpec.FOREVER);
        bench.time.settle();

        assertThat(overtaken.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Closed.class);
        assertThat(engine.waiting()).isZero();
        assertThat(bench.heard.events).containsExactly("abandoned after PT0S");
    }

    @Test
    void oneWhoLeavesDuringTheShutdownIsHeardOfOnce() {
        Acquisition left = acquire(AcquireSpec.FOREVER);
        engine.shutdown();
        left.abandon();
        bench.time.settle();

        assertThat(left.outcome().getNow(null)).isInstanceOf(AcquireOutcome.Abandoned.class);
        assertThat(bench.heard.events).containsExactly("abandoned after PT0S");
    }

    @Test
    void endingTheSessionIsTriedThreeTimes() {
        hold(KEY);
        bench.faults.always(StoreOperation.END_SESSION, Fault.THROTTLED);

        CompletableFuture<Void> done = engine.shutdown();
        bench.time.advance(Duration.ofMillis(149));
        assertThat(bench.store.count(StoreOperation.END_SESSION)).isBetween(2, 3);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(bench.store.count(StoreOperation.END_SESSION)).isEqualTo(3);
        assertThat(done).isCompleted();
        assertThat(bench.loop.isStopped()).isTrue();
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
    void aShutdownDeletesTheRowWhoseEntryIsUnderWay() {
        bench.table.createSession(Workbench.sessionId(1), Workbench.SETTINGS.lease(), "other", bench.clock.now());
        bench.table.tryAcquire(KEY, otherClaimant(), 1, bench.clock.now());
        bench.faults.next(StoreOperation.ENTER, Fault.STALLS);
        acquire(AcquireSpec.FOREVER);
        bench.time.advance(Duration.ofSeconds(1));

        CompletableFuture<Void> done = engine.shutdown();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(done).isNotDone();
        bench.faults.resume();
        bench.time.settle();

        assertThat(done).isCompleted();
        assertThat(bench.table.rowCount()).isZero();
    }

    private static Claimant otherClaimant() {
        return new Claimant(Workbench.sessionId(1), new BlockId(new UUID(1, 1)), "other");
    }

    private Acquisition acquire(Duration wait) {
        return engine.acquire(new AcquireSpec(KEY, "test", wait, null, null));
    }

    private Grant hold(LockKey key) {
        return bench.grantOf(engine.acquire(new AcquireSpec(key, "test", Duration.ofMinutes(1), null, null)));
    }
}
