package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The longest and the shortest hold that a caller asks for, and changes while it holds the lock. */
class HoldLimitsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HALF_DAY = Duration.ofHours(12);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();

    // The longest hold

    @Test
    void aHolderPastItsLongestHoldLosesTheLockAndTheNextHoldsByANewNumber() {
        Acquisition hung = acquire(Kind.EXCLUSIVE, seconds(2), null);
        Acquisition next = acquire(Kind.EXCLUSIVE, null, null);
        Grant grant = bench.granted(hung);
        bench.advanceMillis(100);
        Entry before = bench.queue().get(0);
        bench.advanceMillis(1_899);
        assertThat(grant.isValid()).isTrue();

        bench.advanceMillis(2);
        assertThat(grant.isValid()).isFalse();
        assertThat(next.outcome()).as("before the table says so").isNotDone();
        Grant second = bench.granted(next);

        assertThat(second.ticket()).isGreaterThan(grant.ticket());
        assertThat(bench.queue()).hasSize(1).doesNotContain(before);
        assertThat(bench.countEvents(process, "lost: MAX_HOLD")).isOne();
        assertThat(grant.release()).isCompletedWithValue(false);
        bench.release(second);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aReaderPastItsLongestHoldLeavesTheLockToOtherReadersOfItsEntry() {
        Acquisition unlimited = acquire(Kind.READ, null, null);
        Acquisition limited = acquire(Kind.READ, SECOND, null);
        Grant longer = bench.granted(unlimited);
        Grant forcedOut = bench.granted(limited);

        bench.advanceMillis(2_000);

        assertThat(forcedOut.loss()).contains(LossReason.MAX_HOLD);
        assertThat(longer.isValid()).isTrue();
        bench.release(longer);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aLongestHoldThatIsExtendedOrRemovedEndsLaterOrNever() {
        Grant grant = hold(seconds(2), null);
        bench.advanceMillis(1_000);
        limit(grant, seconds(10), null);
        bench.advanceMillis(8_000);
        assertThat(grant.isValid()).isTrue();

        limit(grant, null, null);
        bench.advanceMillis(60_000);
        assertThat(grant.isValid()).isTrue();

        limit(grant, grant.held().plus(SECOND), null);
        bench.advanceMillis(1_100);
        assertThat(bench.queue()).as("though nobody has looked").isEmpty();
        assertThat(grant.loss()).contains(LossReason.MAX_HOLD);
    }

    @Test
    void settingALongestHoldThatIsOverAlreadyLosesTheLockAtOnce() {
        Grant grant = hold(null, null);
        Acquisition next = acquire(Kind.EXCLUSIVE, null, null);
        bench.advanceMillis(5_000);
        List<String> told = new ArrayList<>();
        grant.onLost(() -> told.add("lost"));

        limit(grant, seconds(2), null);

        assertThat(grant.isValid()).as("before anything else happens").isFalse();
        assertThat(grant.loss()).contains(LossReason.MAX_HOLD);
        assertThat(told).containsExactly("lost");
        assertThat(bench.granted(next).ticket()).isGreaterThan(grant.ticket());
        assertThat(grant.release()).isCompletedWithValue(false);
    }

    @Test
    void aLongestHoldThatWasSeenToBeOverCannotBeExtended() {
        Grant grant = hold(seconds(2), null);
        HoldLimits before = grant.limits();
        bench.machineOf(process).loop.freeze(MINUTE);
        bench.advanceMillis(2_000);

        assertThat(grant.isValid()).as("though nobody was told").isFalse();
        assertThat(grant.limit(before, new HoldLimits(MINUTE, null))).isFalse();
        assertThat(grant.limits()).isEqualTo(before);
        assertThat(grant.isValid()).isFalse();
    }

    @Test
    void theSecondOfTwoConcurrentChangesAndOneAfterTheReleaseAreRefused() {
        Grant grant = hold(null, null);
        HoldLimits before = grant.limits();

        assertThat(grant.limit(before, new HoldLimits(MINUTE, null))).isTrue();
        assertThat(grant.limit(before, new HoldLimits(null, SECOND))).isFalse();
        assertThat(grant.limits()).isEqualTo(new HoldLimits(MINUTE, null));
        grant.release();
        assertThat(grant.limit(grant.limits(), new HoldLimits(null, MINUTE))).isFalse();
        bench.advanceMillis(1_000);

        assertThat(bench.queue()).isEmpty();
    }

    // The shortest hold

    @Test
    void nobodyGetsALockBeforeItsShortestHoldEndsNotEvenInItsProcess() {
        Grant grant = hold(null, seconds(5));
        Acquisition next = acquire(Kind.EXCLUSIVE, null, null);
        bench.advanceMillis(2_000);

        assertThat(bench.await(grant.release())).isTrue();
        assertThat(grant.isValid()).isFalse();
        bench.advanceMillis(2_980);
        assertThat(next.outcome()).isNotDone();
        assertThat(bench.countEvents(process, "released")).isZero();
        bench.advanceMillis(50);

        assertThat(next).matches(Acquisitions::isGranted);
        assertThat(bench.countEvents(process, "released")).isOne();
    }

    @Test
    void aShortestHoldThatIsExtendedKeepsTheLockLonger() {
        Grant grant = hold(null, seconds(2));
        limit(grant, null, seconds(10));

        grant.release();
        bench.advanceMillis(9_000);
        assertThat(bench.queue()).hasSize(1);
        bench.advanceMillis(1_500);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aReleaseTakesEffectAtOnceIfTheShortestHoldWasRemoved() {
        Grant grant = hold(null, MINUTE);
        limit(grant, null, null);

        bench.release(grant);

        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aGrantThatIsAbandonedOrGivenBackDoesNotKeepTheLock() {
        Acquisition left = acquire(Kind.EXCLUSIVE, null, MINUTE);
        bench.granted(left);
        left.abandon();
        bench.advanceMillis(100);
        assertThat(bench.queue()).isEmpty();

        bench.await(hold(null, MINUTE).giveBack());
        assertThat(bench.queue()).isEmpty();
    }

    // Holds of days

    @Test
    void anItemIsKeptFromBeingCleanedAwayOnlyWhileItsLockIsHeld() {
        bench.release(hold(null, null));
        Grant held = bench.granted(process.acquire(Specs.as(Kind.READ, new LockKey("another", "default"))
                .waiting(MINUTE)
                .spec()));
        bench.network.resetCounts();
        bench.network.next(Call.EDIT, Fate.THROTTLED, 1);

        bench.time.advance(HALF_DAY.plus(SECOND));

        assertThat(bench.network.count(Call.EDIT)).as("throttled, and repeated").isEqualTo(2);
        assertThat(bench.network.writes()).isEqualTo(2);
        assertThat(held.isValid()).isTrue();
        assertThat(held.entry()).isEqualTo(bench.table.lock(held.key()).first());
    }

    private Grant hold(@Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        return bench.granted(acquire(Kind.EXCLUSIVE, maxHold, holdAtLeast));
    }

    private Acquisition acquire(Kind kind, @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        return process.acquire(Specs.as(kind, Bench.KEY)
                .waiting(Duration.ofMinutes(5))
                .maxHold(maxHold)
                .holdAtLeast(holdAtLeast)
                .spec());
    }

    private static void limit(Grant grant, @Nullable Duration maxHold, @Nullable Duration holdAtLeast) {
        assertThat(grant.limit(grant.limits(), new HoldLimits(maxHold, holdAtLeast)))
                .isTrue();
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
