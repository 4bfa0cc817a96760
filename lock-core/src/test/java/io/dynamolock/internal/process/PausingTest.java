package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Acquisitions;
import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that pauses has nothing in the table and calls nobody, and goes on with those who wait. */
class PausingTest {

    private static final LockKey ANOTHER = new LockKey("another", "default");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration STEP = Duration.ofNanos(700_000);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final LockEngine other = bench.processWithSession();

    @Test
    void aPauseLeavesNothingInTheTableAndMakesNoCalls() {
        bench.grant(process);
        Grant held = bench.granted(other.acquire(Bench.exclusive(ANOTHER, MINUTE)));
        Acquisition waiting = bench.acquire(process, Bench.exclusive(ANOTHER, AcquireSpec.FOREVER));

        bench.await(process.pause());

        assertThat(bench.table.sessionIds()).as("the other's").hasSize(1);
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.table.lock(ANOTHER).queue()).containsExactly(held.entry());
        bench.machineOf(other).loop.die();
        bench.network.resetCounts();
        bench.time.advance(Duration.ofHours(2));
        assertThat(bench.network.writes()
                        + bench.network.reads()
                        + bench.network.sessionWrites()
                        + bench.network.sessionReads())
                .isZero();
        assertThat(waiting.outcome()).isNotDone();
        assertThat(process.waiting()).isOne();
        assertThat(process.session()).isEmpty();
    }

    @Test
    void aPauseInvalidatesGrantsAtOnceTellsTheirOwnersAndFreesTheLocks() {
        Grant grant = bench.grant(process);
        List<String> told = new ArrayList<>();
        grant.onLost(() -> told.add("lost"));
        Acquisition next = bench.acquire(other);

        process.pause();

        assertThat(grant.isValid())
                .as("before the event loop has done anything")
                .isFalse();
        assertThat(grant.loss()).contains(LossReason.PAUSED);
        bench.advanceMillis(1_100);
        assertThat(next).matches(Acquisitions::isGranted);
        assertThat(told).containsExactly("lost");
        assertThat(grant.release()).isCompletedWithValue(false);
        assertThat(bench.countEvents(process, "lost: PAUSED")).isOne();
        assertThat(bench.countEvents(process, "session lost")).isZero();
    }

    @Test
    void keepsWhatIsToBeHeldForLonger() {
        bench.granted(process.acquire(Specs.exclusive(Bench.KEY)
                .waiting(MINUTE)
                .holdAtLeast(Duration.ofSeconds(30))
                .spec()));
        Acquisition next = other.acquire(Bench.exclusive());

        bench.await(process.pause());

        bench.advanceMillis(28_000);
        assertThat(next.outcome()).isNotDone();
        bench.advanceMillis(10_000);
        assertThat(next).matches(Acquisitions::isGranted);
    }

    @Test
    void waitersEnterTheQueuesAgainInTheirOrderAfterThePause() {
        Grant first = bench.grant(process);
        List<Integer> served = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            serve(i, served);
            bench.advanceMillis(100);
        }
        bench.await(process.pause());
        serve(3, served);
        bench.time.advance(MINUTE);
        assertThat(served).isEmpty();
        assertThat(process.waiters()).hasSize(4);

        process.resume();
        bench.advanceMillis(1_000);

        assertThat(served).containsExactly(0, 1, 2, 3);
        assertThat(first.isValid()).isFalse();
        assertThat(process.waiting()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    private void serve(int caller, List<Integer> served) {
        Acquisition acquisition = process.acquire(Bench.waitingForever());
        acquisition.outcome().thenRun(() -> served.add(caller));
        Acquisitions.releaseAtOnce(acquisition);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whoDoesNotWaitIsToldThatItIsPausedAlsoIfItHasNoAnswerYet(Kind kind) {
        bench.network.next(Call.APPEND, Fate.STALLED, 1);
        Acquisition before = bench.acquire(process, Bench.spec(kind, Duration.ZERO));

        process.pause();
        Acquisition after = bench.acquire(process, Bench.spec(kind, Duration.ZERO), 0);

        assertThat(Acquisitions.outcome(before)).isEqualTo(new AcquireOutcome.Paused());
        assertThat(Acquisitions.outcome(after)).isEqualTo(new AcquireOutcome.Paused());
        assertThat(process.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void waitsEndDuringAPauseByTimeoutOrWhenTheirCallersLeave(Kind kind) {
        bench.grant(other);
        Acquisition before = process.acquire(Bench.spec(kind, Duration.ofSeconds(3)));
        bench.await(process.pause());
        Acquisition within = process.acquire(Bench.spec(kind, Duration.ofMillis(5)));
        Acquisition left = process.acquire(Bench.spec(kind, MINUTE));
        left.abandon();
        bench.advanceMillis(6);
        assertThat(within).matches(Acquisitions::isTimedOut);
        assertThat(Acquisitions.outcome(left)).isInstanceOf(AcquireOutcome.Abandoned.class);

        bench.advanceMillis(3_000);

        assertThat(before).matches(Acquisitions::isTimedOut);
        assertThat(process.waiting()).isZero();
    }

    @ParameterizedTest
    @EnumSource(Fate.class)
    void aSessionThatIsJustBeginningIsDeletedForThePause(Fate fate) {
        LockEngine young = bench.process();
        bench.network.next(Call.BEGIN, fate, 1);
        Acquisition waiting = bench.acquire(young, Bench.waitingForever(), 1);

        bench.await(young.pause());
        bench.network.landLate();
        bench.network.resume();
        bench.advanceMillis(100);

        assertThat(waiting.outcome()).isNotDone();
        assertThat(young.session()).isEmpty();
        if (fate == Fate.ANSWERED) {
            assertThat(bench.table.sessionIds()).as("the others'").hasSize(2);
        }
        young.resume();
        assertThat(bench.granted(waiting).isValid()).isTrue();
        bench.time.advance(MINUTE.multipliedBy(2));
        assertThat(young.session()).isPresent();
    }

    @Test
    void aSessionThatCouldNotBeEndedForThePauseIsEndedAfterIt() {
        bench.grant(process);
        SessionId session = process.session().orElseThrow().id();
        bench.network.always(Call.END, Fate.THROTTLED);

        bench.await(process.pause());
        bench.network.heal();

        assertThat(bench.table.sessionIds()).contains(session);
        process.resume();
        bench.advanceMillis(5_000);
        assertThat(bench.table.sessionIds()).doesNotContain(session);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void callsUnderWayLeaveNothingInTheQueuesAndAReleaseIsInTime() {
        for (Duration after = Duration.ZERO; after.toMillis() < 14; after = after.plus(STEP)) {
            Bench fresh = new Bench();
            LockEngine pausing = fresh.processThatHasUsedTheLock();
            CompletableFuture<Boolean> released = fresh.grant(pausing).release();
            pausing.acquire(Bench.exclusive(ANOTHER, MINUTE));
            fresh.time.advance(after);

            fresh.await(pausing.pause());

            assertThat(released).as("after %s", after).isCompletedWithValue(true);
            assertThat(fresh.queue()).as("after %s", after).isEmpty();
            assertThat(fresh.table.lock(ANOTHER).queue()).as("after %s", after).isEmpty();
            assertThat(fresh.table.sessionIds()).as("after %s", after).isEmpty();
        }
    }

    @Test
    void aSecondPauseAndAResumeWithoutAPauseChangeNothing() {
        Acquisition waiting = bench.acquire(process, Bench.exclusive(), 1);
        List<CompletableFuture<Void>> pauses = new ArrayList<>();
        pauses.add(process.pause());
        pauses.add(process.pause());
        assertThat(pauses.get(1)).isNotDone();
        bench.advanceMillis(100);
        pauses.add(process.pause());
        bench.advanceMillis(1);

        assertThat(pauses).allMatch(CompletableFuture::isDone);
        process.resume();
        process.resume();
        Grant grant = bench.granted(waiting);
        process.resume();
        bench.advanceMillis(30_000);
        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void resumesBeforeThePauseIsDoneAndPausesAgain() {
        for (Duration after = Duration.ZERO; after.toMillis() < 25; after = after.plus(STEP)) {
            Bench fresh = new Bench();
            LockEngine pausing = fresh.processThatHasUsedTheLock();
            Grant kept = fresh.granted(pausing.acquire(
                    Specs.exclusive(ANOTHER).waiting(MINUTE).holdAtLeast(MINUTE).spec()));
            fresh.grant(pausing);
            Acquisition waiting = pausing.acquire(Bench.exclusive());
            CompletableFuture<Void> first = pausing.pause();
            fresh.time.advance(after);
            pausing.resume();
            fresh.time.advance(after.multipliedBy(2).dividedBy(3));

            fresh.await(pausing.pause());
            fresh.advanceMillis(100);

            assertThat(first).isDone();
            assertThat(kept.isValid()).isFalse();
            assertThat(fresh.queue()).as("after %s", after).isEmpty();
            assertThat(fresh.table.lock(ANOTHER).queue())
                    .as("after %s", after)
                    .hasSize(1)
                    .allMatch(Entry.Kept.class::isInstance);
            assertThat(fresh.table.sessionIds()).as("after %s", after).isEmpty();
            pausing.resume();
            fresh.granted(waiting);
        }
    }

    @Test
    void closesWhilePausedAndWhilePausing() {
        for (Duration after = Duration.ZERO; after.toMillis() < 25; after = after.plus(STEP)) {
            Bench fresh = new Bench();
            LockEngine pausing = fresh.processThatHasUsedTheLock();
            fresh.grant(pausing);
            Acquisition waiting = pausing.acquire(Bench.exclusive());
            CompletableFuture<Void> paused = pausing.pause();
            fresh.time.advance(after);

            fresh.await(pausing.shutdown());

            assertThat(paused).isDone();
            assertThat(Acquisitions.outcome(waiting)).isInstanceOf(AcquireOutcome.Closed.class);
            assertThat(fresh.queue()).as("after %s", after).isEmpty();
            assertThat(fresh.table.sessionIds()).as("after %s", after).isEmpty();
            assertThat(pausing.pause()).isDone();
            pausing.resume();
            assertThat(Acquisitions.outcome(pausing.acquire(Bench.exclusive())))
                    .isInstanceOf(AcquireOutcome.Closed.class);
        }
    }

    @Test
    void returnsInTimeThoughTheStoreDoesNotAnswerAndEndsItsSessionWhenItDoes() {
        bench.machineOf(other).loop.die();
        bench.grant(process);
        bench.network.always(Fate.SILENT);

        CompletableFuture<Void> paused = process.pause();
        bench.advanceMillis(4_000);
        assertThat(paused).isDone();

        bench.network.heal();
        process.resume();
        Grant grant = bench.grant(process);
        bench.time.advance(MINUTE);
        assertThat(grant.isValid()).isTrue();
        assertThat(bench.queue()).hasSize(1);
        assertThat(bench.table.sessionIds())
                .as("the new one and the dead one's")
                .hasSize(2);
    }

    @Test
    void inspectionsAndEvictionsAreAnsweredDuringAPause() {
        Grant held = bench.grant(other);
        bench.await(process.pause());

        assertThat(bench.await(process.inspect(Bench.KEY)).lock().queue()).containsExactly(held.entry());
        assertThat(bench.await(process.evict(Bench.KEY, held.entry().id(), ""))).isTrue();
    }

    @Test
    void showsItsSessionAndWhoWaitsWithoutACall() {
        bench.grant(other);
        bench.acquire(
                process,
                new AcquireSpec(Bench.KEY, "orders", MINUTE, null, null, Kind.EXCLUSIVE, 0, false, "till 3"),
                1_000);
        bench.acquire(
                process,
                new AcquireSpec(Bench.KEY, "orders", MINUTE, null, null, Kind.EXCLUSIVE, 0, false, "till 4"),
                5_000);
        bench.network.resetCounts();

        List<LockAdmin.Waiter> waiters = process.waiters();
        assertThat(waiters).extracting(LockAdmin.Waiter::caller).containsExactly("till 3", "till 4");
        assertThat(waiters.get(0).key()).isEqualTo(Bench.KEY.key());
        assertThat(waiters.get(0).namespace()).isEqualTo(Bench.KEY.namespace());
        assertThat(waiters.get(0).name()).isEqualTo("orders");
        assertThat(waiters.get(0).since()).isEqualTo(waiters.get(1).since().minusSeconds(1));
        assertThat(process.session()).hasValueSatisfying(session -> {
            assertThat(bench.table.sessionIds()).contains(session.id());
            assertThat(session.owner()).isEqualTo("process-1");
            assertThat(session.remaining()).isGreaterThan(Duration.ofSeconds(12));
        });
        assertThat(bench.network.writes() + bench.network.reads()).isZero();
    }
}
