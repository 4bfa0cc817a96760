package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A fence holds as long as its grant, and never for another caller. */
class FenceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Cluster cluster = new Cluster();
    private final SimulatedProcess process = cluster.startedProcess();

    @Test
    void aFenceNamesTheBlockThatIsFirstAndStaysWhenTheBlockGrows() {
        Grant grant = process.hold(KEY);
        BlockId fence = grant.fence().orElseThrow();
        assertThat(first()).isEqualTo(fence);

        process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        assertThat(cluster.queue()).containsExactly(new Entry(fence, 2));
        assertThat(grant.fence()).contains(fence);
    }

    @Test
    void aFenceCostsNoWriteIfNobodyOfItsProcessFollows() {
        SimulatedProcess other = cluster.startedProcess();
        cluster.calls.reset();
        Grant grant = process.hold(KEY);
        grant.fence();
        Acquisition next = other.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        grant.release();
        other.grantOf(next).release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.lockWrites()).as("two asks, two releases").isEqualTo(4);
    }

    @Test
    void aFenceCostsOneWriteIfOthersOfItsBlockFollowHoweverManyTheyAre() {
        Grant grant = process.hold(KEY);
        cluster.acquire(process, 50, MINUTE).forEach(this::releaseAtOnce);
        cluster.time.advance(SECOND);
        cluster.calls.reset();
        grant.fence();
        grant.fence();

        grant.release();
        cluster.time.advance(SECOND);

        assertThat(cluster.calls.count(StoreOperation.RENAME)).isOne();
        assertThat(cluster.calls.lockWrites()).as("the new number, the release").isEqualTo(2);
        assertThat(cluster.queue()).isEmpty();
    }

    @Test
    void aLateFirstSendingOfAnAskBringsNoFenceBack() {
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_REQUEST, 1);
        Grant grant = process.hold(KEY);
        Entry late = new Entry(new BlockId(first().session(), first().number() - 1), 1);
        BlockId fence = grant.fence().orElseThrow();
        grant.release();
        cluster.time.advance(Duration.ofMillis(100));

        cluster.table.take(KEY, new Step.Ask(late, 1, 100), cluster.time.now());

        assertThat(first()).isNotEqualTo(fence);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.queue()).as("its process has taken it out").isEmpty();
    }

    @Test
    void aLateAskAndALateRenameTogetherBringNoFenceBack() {
        cluster.faults.next(StoreOperation.ASK, Fault.LOST_REQUEST, 1);
        cluster.faults.next(StoreOperation.RENAME, Fault.LOST_REQUEST, 1);
        Grant grant = process.hold(KEY);
        assertThat(cluster.calls.count(StoreOperation.RENAME))
                .as("sent, repeated, and another")
                .isEqualTo(3);
        BlockId fence = grant.fence().orElseThrow();
        Entry asked = new Entry(new BlockId(fence.session(), fence.number() - 2), 1);
        Entry renamed = new Entry(new BlockId(fence.session(), fence.number() - 1), 1);
        grant.release();
        cluster.time.advance(Duration.ofMillis(100));

        cluster.table.take(KEY, new Step.Ask(asked, 1, 100), cluster.time.now());
        cluster.table.take(KEY, new Step.Rename(asked, renamed), cluster.time.now());

        assertThat(first()).isEqualTo(renamed.block()).isNotEqualTo(fence);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.queue()).as("its process has taken it out").isEmpty();
    }

    @Test
    void everyFencedCallerOfABlockHasANumberOfItsOwn() {
        Grant first = process.hold(KEY);
        Acquisition second = process.acquire(KEY, MINUTE);
        Acquisition third = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        BlockId fenceOfFirst = first.fence().orElseThrow();
        first.release();
        BlockId fenceOfSecond = process.grantOf(second).fence().orElseThrow();
        assertThat(first()).isEqualTo(fenceOfSecond);
        process.grantOf(second).release();
        BlockId fenceOfThird = process.grantOf(third).fence().orElseThrow();

        assertThat(first()).isEqualTo(fenceOfThird);
        assertThat(Set.of(fenceOfFirst, fenceOfSecond, fenceOfThird)).hasSize(3);
    }

    @Test
    void nobodyIsGrantedTheLockBeforeTheNewNumberIsInTheTable() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        BlockId fence = grant.fence().orElseThrow();
        cluster.faults.next(StoreOperation.RENAME, Fault.LOST_REQUEST, 3);

        grant.release();
        cluster.time.advance(Duration.ofMillis(100));
        assertThat(next.outcome()).isNotDone();
        assertThat(first()).isEqualTo(fence);

        assertThat(process.grantOf(next).isValid()).isTrue();
        assertThat(first()).isNotEqualTo(fence);
    }

    @Test
    void aBlockThatHasGrownUnheardGetsItsNewNumberAllTheSame() {
        Grant grant = process.hold(KEY);
        Acquisition second = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        BlockId fence = grant.fence().orElseThrow();
        cluster.faults.next(StoreOperation.GROW, Fault.SLOW_ANSWER);
        Acquisition third = process.acquire(KEY, MINUTE);
        cluster.time.advanceUntil(() -> cluster.faults.stalledCalls() == 1, SECOND);
        assertThat(cluster.queue()).containsExactly(new Entry(fence, 3));

        grant.release();
        Grant next = process.grantOf(second);

        assertThat(cluster.calls.count(StoreOperation.RENAME))
                .as("refused, and repeated")
                .isEqualTo(2);
        assertThat(first()).isEqualTo(next.fence().orElseThrow()).isNotEqualTo(fence);
        next.release();
        assertThat(process.grantOf(third).isValid()).isTrue();
    }

    @Test
    void theReleaseOfAFencedGrantEndsWhenTheNewNumberIsInTheTableOrHasFailedOnce() {
        Grant first = process.hold(KEY);
        Acquisition second = process.acquire(KEY, MINUTE);
        process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);
        first.fence();

        CompletableFuture<Boolean> written = first.release();
        cluster.time.advance(Duration.ofMillis(2));
        assertThat(written).isNotDone();
        cluster.time.advance(Duration.ofMillis(10));
        assertThat(written).isCompletedWithValue(true);

        Grant next = process.grantOf(second);
        next.fence();
        cluster.faults.always(StoreOperation.RENAME, Fault.LOST_REQUEST);
        CompletableFuture<Boolean> failed = next.release();
        cluster.time.advance(Duration.ofMillis(20));

        assertThat(failed).isCompletedWithValue(true);
    }

    @Test
    void aGrantThatIsOverGivesNoFence() {
        Grant released = process.hold(KEY);
        released.release();
        assertThat(released.fence()).isEmpty();

        Grant forced =
                process.grantOf(process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, SECOND, null)));
        cluster.time.advance(SECOND);
        assertThat(forced.fence()).isEmpty();

        Grant lost = process.hold(KEY);
        cluster.faults.always(StoreOperation.BEAT, Fault.LOST_REQUEST);
        cluster.time.advance(SimulatedProcess.SETTINGS.lease());
        assertThat(lost.fence()).isEmpty();
    }

    @Test
    void aFencedGrantThatIsKeptForItsShortestHoldIsFollowedUnderANewNumber() {
        Grant grant = process.grantOf(
                process.acquire(new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, SECOND.multipliedBy(5))));
        Acquisition next = process.acquire(KEY, MINUTE);
        BlockId fence = grant.fence().orElseThrow();

        grant.release();
        cluster.time.advance(SECOND);
        assertThat(first()).isEqualTo(fence);
        process.grantOf(next);

        assertThat(first()).isNotEqualTo(fence);
    }

    @Test
    void aFenceThatWasAskedForWhenTheGrantWasOverIsNone() {
        Grant grant = process.hold(KEY);
        Acquisition next = process.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        // The loop has not heard of the release when the fence is asked for.
        grant.release();
        assertThat(grant.fence()).isEmpty();
        process.grantOf(next);
    }

    @Test
    void afterALostSessionTheFenceHoldsUntilSomebodyElseHasTheLockAndNoLonger() {
        SimulatedProcess heir = cluster.startedProcess();
        Grant grant = process.hold(KEY);
        BlockId fence = grant.fence().orElseThrow();
        Acquisition next = heir.acquire(KEY, MINUTE);
        cluster.time.advance(SECOND);

        process.freeze();
        cluster.time.advance(SimulatedProcess.SETTINGS.lease().minusSeconds(3));
        assertThat(first()).as("nobody else may have the lock yet").isEqualTo(fence);
        heir.grantOf(next);

        assertThat(first()).isNotEqualTo(fence);
    }

    // Transactions make plain writes of the lock's item fail for a moment

    @Test
    void anAskThatDoesNotWaitIsRepeatedWhenItMeetsTransactions() {
        cluster.faults.next(StoreOperation.ASK, Fault.CONFLICTED, 5);

        Acquisition hasty = process.acquire(KEY, Duration.ZERO);
        cluster.time.advance(SECOND);

        assertThat(hasty).matches(Cluster::isGranted);
        assertThat(cluster.calls.count(StoreOperation.ASK)).isGreaterThanOrEqualTo(6);
    }

    @Test
    void asksThatMeetTransactionsForSecondsAreRepeatedAtLeastEveryHundredMilliseconds() {
        cluster.calls.reset();
        cluster.faults.always(StoreOperation.ASK, Fault.CONFLICTED);
        Acquisition waiting = process.acquire(KEY, MINUTE);
        cluster.time.advance(Duration.ofSeconds(10));
        assertThat(cluster.calls.count(StoreOperation.ASK)).isBetween(100, 200);

        cluster.faults.heal();
        cluster.time.advance(Duration.ofMillis(100));

        assertThat(waiting).matches(Cluster::isGranted);
    }

    @Test
    void aReleaseThatMeetsTransactionsIsRepeatedWithinTwentyMilliseconds() {
        Grant grant = process.hold(KEY);
        cluster.calls.reset();
        cluster.faults.next(StoreOperation.LEAVE, Fault.CONFLICTED, 10);

        grant.release();
        // Each time 5 ms for the call and at most 20 ms until the next.
        cluster.time.advance(Duration.ofMillis(10 * 25 + 5));

        assertThat(cluster.queue()).isEmpty();
        assertThat(cluster.calls.count(StoreOperation.LEAVE)).isEqualTo(11);
    }

    @Test
    void aWaitThatEndsWhileItsAskMeetsTransactionsIsATimeoutAndNoOutage() {
        SimulatedProcess another = cluster.startedProcess();
        cluster.faults.always(StoreOperation.ASK, Fault.CONFLICTED);

        Acquisition waiting = process.acquire(KEY, SECOND.multipliedBy(2));
        Acquisition hasty = another.acquire(KEY, Duration.ZERO);
        cluster.time.advance(SimulatedProcess.SETTINGS.callTimeout().plusSeconds(1));

        assertThat(waiting).matches(Cluster::isTimedOut);
        assertThat(hasty).matches(Cluster::isTimedOut);
    }

    private BlockId first() {
        return cluster.queue().get(0).block();
    }

    private void releaseAtOnce(Acquisition acquisition) {
        acquisition
                .outcome()
                .thenAccept(
                        outcome -> ((AcquireOutcome.Granted) outcome).grant().release());
    }
}
