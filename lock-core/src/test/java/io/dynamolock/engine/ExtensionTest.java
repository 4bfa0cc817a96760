package io.dynamolock.engine;

import static io.dynamolock.engine.Workbench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.Holder;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever comes while its own process holds the lock, and nobody else waits. */
class ExtensionTest {

    private static final Duration PATIENCE = Duration.ofMillis(250);
    private static final Duration PAUSE = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Workbench bench = new Workbench();
    private final LockEngine engine = bench.engine();

    @Test
    void oneWhoComesCostsOneWriteAndPassesTheLockOnWithoutAny() {
        Grant held = bench.grantOf(acquire());
        Holder holder = holder();
        bench.store.reset();

        Acquisition next = acquireAndSettle();
        held.release();
        Grant second = bench.grantOf(next);

        assertThat(second.number()).isEqualTo(held.number() + 1);
        assertThat(second.isValid()).isTrue();
        assertThat(extensions()).isOne();
        assertThat(bench.store.total()).isOne();
        assertThat(holder()).isEqualTo(holder);
        second.release();
        bench.time.settle();
        assertThat(holder()).isNull();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void thoseWhoComeDuringAnExtensionShareTheNext() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition first = acquireAndSettle();
        List<Acquisition> gathered = List.of(acquireAndSettle(), acquireAndSettle(), acquireAndSettle());
        bench.faults.resume();
        held.release();

        bench.grantOf(first).release();
        for (int i = 0; i < 3; i++) {
            Grant granted = bench.grantOf(gathered.get(i));
            assertThat(granted.number()).isEqualTo(held.number() + 2 + i);
            granted.release();
        }
        assertThat(extensions()).isEqualTo(2);
    }

    @Test
    void thoseWhoAreServedByAnExtensionAndComeBackAtOnceShareTheNext() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition alone = acquireAndSettle();
        Acquisition first = acquireAndSettle();
        Acquisition second = acquireAndSettle();
        bench.faults.resume();
        held.release();
        bench.grantOf(alone).release();

        bench.grantOf(first).release();
        Acquisition third = acquireAndSettle();
        Acquisition fourth = acquireAndSettle();
        assertThat(extensions()).isEqualTo(2);

        bench.grantOf(second).release();
        bench.grantOf(third).release();
        assertThat(bench.grantOf(fourth).isValid()).isTrue();
        assertThat(extensions()).isEqualTo(3);
    }

    @Test
    void whoeverHasComeDuringAnExtensionGetsNumbersAMillisecondAfterIt() {
        bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        acquireAndSettle();
        acquireAndSettle();
        bench.faults.resume();
        bench.time.settle();

        bench.time.advance(PAUSE.minusNanos(1));
        assertThat(extensions()).isOne();
        bench.time.advance(Duration.ofNanos(1));
        assertThat(extensions()).isEqualTo(2);
    }

    @Test
    void theEndOfTheBlockWaitsForTheExtensionUnderWay() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition next = acquireAndSettle();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        assertThat(released).isNotDone();
        bench.faults.resume();

        assertThat(bench.grantOf(next).isValid()).isTrue();
        assertThat(released).isCompletedWithValue(true);
        assertThat(releases()).isZero();
        bench.time.advance(PATIENCE);
        assertThat(releases()).isZero();
    }

    @Test
    void everybodyIsToldHowManyAreAhead() {
        bench.grantOf(acquire());
        bench.heard.events.clear();

        acquireAndSettle();
        acquireAndSettle();
        bench.time.advance(PAUSE);

        assertThat(bench.heard.events).containsExactly("queued behind 1", "queued behind 2");
    }

    @Test
    void thoseWhoAreServedByTheAnswerHaveWaitedInTheQueue() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        acquireAndSettle();
        acquireAndSettle();
        acquireAndSettle();
        held.release();
        bench.time.settle();
        bench.heard.events.clear();

        bench.faults.resume();
        bench.time.advance(PAUSE);

        assertThat(bench.heard.events)
                .contains("queued behind 1", "acquired after PT0S in the queue", "queued behind 2");
    }

    // Somebody else has a ticket

    @Test
    void nobodyOfAnotherProcessIsPassed() {
        Grant held = bench.grantOf(acquire());
        Workbench.Stranger waiting = bench.stranger(1).queues(1);

        Acquisition next = acquireAndSettle();
        held.release();
        bench.time.advance(SECOND);

        assertThat(next.outcome()).isNotDone();
        assertThat(holder()).isNull();
        assertThat(extensions()).isOne();
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isOne();
        waiting.claims();
        waiting.releases();
        waiting.leaves();
        bench.time.advance(SECOND);
        assertThat(bench.grantOf(next).number()).isGreaterThan(waiting.last());
    }

    @Test
    void whereSomebodyElseIsKnownToWaitNoExtensionIsTried() {
        bench.grantOf(acquire());
        bench.stranger(1).queues(1);
        acquireAndSettle();

        acquireAndSettle();
        acquireAndSettle();

        assertThat(extensions()).isOne();
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isEqualTo(3);
    }

    @Test
    void theReleaseWaitsForTheNumbersThatFollowARefusedExtension() {
        bench.refuseExtensions();
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition next = acquireAndSettle();
        held.release();
        bench.time.settle();

        bench.faults.resume();

        assertThat(bench.grantOf(next).number()).isEqualTo(held.number() + 1);
        assertThat(releases()).isZero();
    }

    @Test
    void aLockThatWasTakenAwayByHandIsNotExtended() {
        Grant held = bench.grantOf(acquire());
        bench.table.release(KEY, holder().block(), bench.time.now());
        Workbench.Stranger thief = bench.stranger(1).takes(1);
        thief.claims();

        Acquisition next = acquireAndSettle();
        held.release();
        bench.time.advance(SECOND);
        assertThat(next.outcome()).isNotDone();
        thief.releases();
        bench.time.advance(SECOND);

        assertThat(bench.grantOf(next).number()).isGreaterThan(thief.last());
    }

    @Test
    void theLockGoesOnAtOnceIfTheRefusalShowsThatSomebodyElseIsNext() {
        Grant held = bench.grantOf(acquire());
        bench.stranger(1).queues(1);
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        bench.faults.next(StoreOperation.TAKE_NUMBERS, Fault.STALLS);
        acquireAndSettle();
        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        assertThat(released).isNotDone();

        bench.faults.resume();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(holder()).isNull();
    }

    @Test
    void afterARenameTheBlockIsExtendedByItsNewId() {
        Acquisition hung = acquire(SECOND);
        Acquisition second = acquire();
        bench.grantOf(hung);
        bench.time.advance(SECOND);
        Grant granted = bench.grantOf(second);
        bench.store.reset();

        Acquisition third = acquireAndSettle();
        granted.release();

        assertThat(bench.grantOf(third).number()).isEqualTo(granted.number() + 1);
        assertThat(extensions()).isOne();
        assertThat(bench.store.total()).isOne();
    }

    @Test
    void anExtensionThatLandsTwiceTakesTicketsOfNobody() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.LANDS_TWICE);
        Acquisition second = acquireAndSettle();
        bench.faults.landLate();
        Acquisition third = acquireAndSettle();

        held.release();
        Grant granted = bench.grantOf(second);
        granted.release();

        assertThat(granted.number()).isEqualTo(held.number() + 1);
        assertThat(bench.grantOf(third).number()).isEqualTo(held.number() + 3);
    }

    // Calls that go wrong

    @Test
    void anExtensionWhoseAnswerIsLostIsRepeatedAndItsTicketsAreNobodys() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.LOST_ANSWER);
        Acquisition next = acquireAndSettle();
        bench.time.advance(SECOND);
        held.release();

        Grant second = bench.grantOf(next);

        assertThat(second.number()).isEqualTo(held.number() + 2);
        assertThat(extensions()).isEqualTo(2);
        second.release();
        bench.time.settle();
        assertThat(holder()).isNull();
        assertThat(bench.table.lockState(KEY).tail())
                .isEqualTo(bench.table.lockState(KEY).serving());
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void anExtensionThatFailsHoldsUpNoRelease() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition next = acquireAndSettle();
        bench.time.advance(Workbench.SETTINGS.callTimeout().minus(Duration.ofMillis(100)));

        held.release();
        bench.time.advance(Duration.ofMillis(100));

        assertThat(releases()).isOne();
        bench.time.advance(SECOND);
        Grant second = bench.grantOf(next);
        bench.faults.resume();
        bench.time.settle();
        assertThat(second.isValid()).isTrue();
        assertThat(bench.table.lockState(KEY).serving())
                .as("the extension has landed late, and found another block")
                .isEqualTo(second.number());
    }

    @Test
    void onesWhoseExtensionIsAnsweredAfterTheReleaseGoOn() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.SLOW_ANSWER);
        Acquisition first = acquireAndSettle();
        Acquisition second = acquireAndSettle();
        held.release();
        bench.time.advance(PATIENCE);
        assertThat(releases()).isOne();

        bench.faults.resume();

        Grant granted = bench.grantOf(first);
        assertThat(granted.number()).isGreaterThan(held.number() + 1);
        assertThat(bench.store.count(StoreOperation.TRY_ACQUIRE)).isEqualTo(2);
        granted.release();
        assertThat(bench.grantOf(second).number()).isEqualTo(granted.number() + 1);
    }

    @Test
    void aRefusalForGoodReachesWhoeverComesAndNotWhoeverHolds() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.REFUSED);

        Acquisition next = acquireAndSettle();

        assertThat(next.outcome().join()).isInstanceOf(AcquireOutcome.Failed.class);
        assertThat(held.isValid()).isTrue();
    }

    // Callers who leave

    @Test
    void anExtensionForNobodyLeavesNothing() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.SLOW_ANSWER);
        Acquisition leaving = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();
        bench.faults.resume();
        bench.time.settle();

        held.release();
        bench.time.settle();

        assertThat(holder()).isNull();
        assertThat(engine.locksInUse()).isZero();
    }

    @Test
    void afterAnExtensionForNobodyTheBlockEndsAndThoseWhoHaveComeTry() {
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        acquireAndSettle().abandon();
        Acquisition next = acquireAndSettle();
        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();

        bench.faults.resume();

        assertThat(bench.grantOf(next).isValid()).isTrue();
        assertThat(released).isCompletedWithValue(true);
        assertThat(releases()).isOne();
        assertThat(extensions()).isOne();
    }

    @Test
    void whoeverLeftTheBlockIsNotServed() {
        Grant held = bench.grantOf(acquire());
        Acquisition leaving = acquireAndSettle();
        Acquisition staying = acquireAndSettle();
        leaving.abandon();
        bench.time.settle();

        held.release();

        assertThat(bench.grantOf(staying).number()).isEqualTo(held.number() + 2);
        assertThat(leaving.outcome().join()).isInstanceOf(AcquireOutcome.Abandoned.class);
    }

    // Forced out meanwhile

    @Test
    void anExtensionThatLandsBeforeARenameServesUnderTheNewId() {
        Grant forced = bench.grantOf(acquire(SECOND));
        Holder before = holder();
        bench.faults.next(StoreOperation.EXTEND, Fault.SLOW_ANSWER);
        Acquisition next = acquireAndSettle();
        bench.time.advance(SECOND);
        assertThat(forced.isValid()).isFalse();
        assertThat(next.outcome()).isNotDone();

        bench.faults.resume();

        Grant granted = bench.grantOf(next);
        assertThat(granted.isValid()).isTrue();
        assertThat(granted.number()).isEqualTo(forced.number() + 1);
        assertThat(bench.store.count(StoreOperation.RENAME)).isOne();
        assertThat(holder().block()).isNotEqualTo(before.block());
    }

    @Test
    void anExtensionThatLandsAfterARenameIsRefusedAndTheCallersFollow() {
        Acquisition hung = acquire(SECOND);
        Acquisition second = acquire();
        Grant forced = bench.grantOf(hung);
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition third = acquireAndSettle();
        bench.time.advance(SECOND);
        assertThat(forced.isValid()).isFalse();
        Grant granted = bench.grantOf(second);

        bench.faults.resume();
        bench.time.settle();
        granted.release();

        assertThat(bench.grantOf(third).number()).isEqualTo(granted.number() + 1);
        assertThat(bench.store.count(StoreOperation.TAKE_NUMBERS)).isOne();
        assertThat(bench.store.count(StoreOperation.HAND_OVER)).isOne();
    }

    @Test
    void anExtensionThatIsAnsweredDuringARenameIsServedAfterIt() {
        Acquisition hung = acquire(SECOND);
        Acquisition second = acquire();
        bench.grantOf(hung);
        bench.faults.next(StoreOperation.EXTEND, Fault.SLOW_ANSWER);
        Acquisition third = acquireAndSettle();
        bench.faults.next(StoreOperation.RENAME, Fault.THROTTLED);
        bench.time.advance(SECOND);

        bench.faults.resume();
        bench.time.settle();
        assertThat(second.outcome()).isNotDone();
        assertThat(third.outcome()).isNotDone();
        bench.time.advance(SECOND);

        Grant granted = bench.grantOf(second);
        granted.release();
        assertThat(bench.grantOf(third).number()).isEqualTo(granted.number() + 1);
    }

    // The end of the session

    @Test
    void theAnswerToAnExtensionOfALostSessionMeansNothing() {
        Grant held = bench.grantOf(acquire());
        bench.time.advance(Workbench.SETTINGS.heartbeat().minus(SECOND));
        bench.faults.next(StoreOperation.EXTEND, Fault.SLOW_ANSWER);
        Acquisition next = acquireAndSettle();
        bench.table.sessions().forEach(bench.table::endSession);
        assertThat(bench.time.advanceUntil(
                        () -> bench.heard.events.contains("session lost"), Workbench.SETTINGS.heartbeat()))
                .isTrue();

        bench.faults.resume();
        bench.time.settle();

        assertThat(held.isValid()).isFalse();
        bench.time.advance(Duration.ofMinutes(1));
        assertThat(bench.grantOf(next).number()).isGreaterThan(held.number() + 1);
        assertThat(bench.store.count(StoreOperation.EXTEND)).isOne();
    }

    @Test
    void whoseExtensionIsRefusedWhenTheSessionIsOverGoesOnUnderTheNext() {
        bench.refuseExtensions();
        Grant held = bench.grantOf(acquire());
        bench.faults.next(StoreOperation.EXTEND, Fault.STALLS);
        Acquisition next = acquireAndSettle();
        bench.clock.moveWallClock(Workbench.SETTINGS.lease());

        bench.faults.resume();
        bench.time.advance(Duration.ofMinutes(1));

        assertThat(held.isValid()).isFalse();
        assertThat(next).matches(Cluster::isGranted);
    }

    private Acquisition acquire() {
        return acquire(null);
    }

    private Acquisition acquire(@Nullable Duration maxHold) {
        return engine.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, maxHold, null));
    }

    /** With tickets of its own. */
    private Acquisition acquireAndSettle() {
        Acquisition acquisition = acquire();
        bench.time.settle();
        return acquisition;
    }

    private int extensions() {
        return bench.store.count(StoreOperation.EXTEND);
    }

    private int releases() {
        return bench.store.count(StoreOperation.RELEASE);
    }

    private @Nullable Holder holder() {
        return bench.table.lockState(KEY).holder();
    }
}
