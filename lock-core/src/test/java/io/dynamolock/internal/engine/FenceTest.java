package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A fence holds as long as its grant, and never for another caller. Plain writes that fail because of transactions with
 * a fence are no outage.
 */
class FenceTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();

    @Test
    void aFenceIsTheEntryOfTheHolderAndStaysWhenOthersCome() {
        Grant grant = bench.grant(process);
        Entry fence = grant.fence().orElseThrow();

        startWaiting();
        bench.advanceMillis(1_000);

        assertThat(bench.queue()).startsWith(fence);
        assertThat(grant.fence()).contains(fence);
    }

    @Test
    void aFenceCostsNoWriteIfNoCallerOfItsProcessFollows() {
        LockEngine other = bench.processWithSession();
        Grant grant = bench.grant(process);
        grant.fence();
        Acquisition next = bench.acquire(other, Bench.exclusive(), 1_000);

        bench.release(grant);
        bench.release(bench.granted(next));

        assertThat(bench.network.writes()).as("two appends, two releases").isEqualTo(4);
    }

    @Test
    void aFenceCostsOneWriteHoweverManyCallersOfItsProcessFollow() {
        Acquisition first = startWaiting();
        Stream.generate(this::startWaiting).limit(50).forEach(Acquisitions::releaseAtOnce);
        Grant grant = bench.granted(first);
        bench.advanceMillis(1_000);
        bench.network.resetCounts();
        grant.fence();
        grant.fence();

        bench.release(grant);
        bench.advanceMillis(1_000);

        assertThat(bench.network.writes()).as("the fence's end, the release").isEqualTo(2);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aGrantThatIsOverGivesNoFence() {
        Grant released = bench.grant(process);
        released.release();
        assertThat(released.fence())
                .as("though the event loop has not heard of the release")
                .isEmpty();

        Grant forced = bench.granted(process.acquire(
                Specs.exclusive(Bench.KEY).waiting(MINUTE).maxHold(SECOND).spec()));
        bench.advanceMillis(1_000);
        assertThat(forced.fence()).isEmpty();

        Grant lost = bench.grant(process);
        bench.machineOf(process).loop.freeze(MINUTE);
        bench.time.advance(Bench.LEASE);
        assertThat(lost.fence()).isEmpty();
    }

    @Test
    void aFenceOutlivesItsSessionOnlyUntilSomebodyElseHasTheLock() {
        LockEngine heir = bench.processWithSession();
        Grant grant = bench.grant(process);
        Entry fence = grant.fence().orElseThrow();
        Acquisition next = heir.acquire(Bench.exclusive());
        bench.machineOf(process).loop.freeze(MINUTE);

        bench.time.advance(Bench.LEASE.minusSeconds(3));
        assertThat(bench.queue()).startsWith(fence);
        bench.granted(next);

        assertThat(bench.queue()).doesNotContain(fence);
    }

    // Plain writes that fail for a moment because of transactions

    @ParameterizedTest
    @EnumSource(names = {"CONFLICTED", "THROTTLED", "REFUSED_CONNECTION"})
    void aCallerThatDoesNotWaitAsksAgainWhenItMeetsTransactionsOrFailures(Fate fate) {
        bench.network.next(Call.APPEND, fate, 5);

        Acquisition hasty = bench.acquire(process, Bench.exclusive(Duration.ZERO), 1_000);

        assertThat(hasty).matches(Acquisitions::isGranted);
        assertThat(bench.network.count(Call.APPEND)).isEqualTo(6);
    }

    @Test
    void writesThatMeetTransactionsForSecondsAreRepeatedSoonAndNotTooOften() {
        bench.network.always(Call.APPEND, Fate.CONFLICTED);
        Acquisition waiting = startWaiting();
        bench.advanceMillis(10_000);
        assertThat(bench.network.writes()).isBetween(100, 250);

        bench.network.heal();
        bench.network.resume();
        bench.advanceMillis(100);
        assertThat(waiting).matches(Acquisitions::isGranted);

        bench.network.always(Call.REMOVAL, Fate.CONFLICTED);
        Acquisitions.grant(waiting).release();
        bench.advanceMillis(5_000);
        bench.network.heal();
        bench.network.resume();
        bench.advanceMillis(100);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aWaitThatEndsWhileItMeetsTransactionsIsATimeoutAndNoOutage() {
        LockEngine other = bench.processWithSession();
        bench.network.always(Call.APPEND, Fate.CONFLICTED);

        Acquisition waiting = process.acquire(Bench.exclusive(SECOND.multipliedBy(2)));
        Acquisition hasty = bench.acquire(other, Bench.exclusive(Duration.ZERO), 3_000);

        assertThat(List.of(waiting, hasty)).allMatch(Acquisitions::isTimedOut);
    }

    private Acquisition startWaiting() {
        return process.acquire(Bench.exclusive());
    }
}
