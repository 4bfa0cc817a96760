package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A lock stays taken for the shortest hold that a caller asked for, even if its process stops before. */
class KeptLocksTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    /**
     * Half a minute, a second for the resolution of the store's clock, and a quarter of a second between two reads of a
     * waiter.
     */
    private static final Duration SOON_AFTER_HALF_A_MINUTE = HALF_A_MINUTE.plusSeconds(8);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processWithSession();
    private final LockEngine other = bench.processWithSession();
    private long grantedAt;

    @BeforeEach
    void letTimePass() {
        bench.time.advance(MINUTE);
        bench.network.resetCounts();
    }

    @Test
    void aLockReleasedTooEarlyIsKeptWithItsDataThoughItsProcessStops() {
        holdAtLeast(Bench.KEY, HALF_A_MINUTE).release(LockData.of("left"));
        bench.advanceMillis(1_000);
        bench.network.resetCounts();

        process.shutdown();
        bench.advanceMillis(1_000);

        assertThat(bench.network.writes()).isOne();
        assertThat(bench.queue()).hasSize(1).allMatch(Entry.Kept.class::isInstance);
        assertThat(bench.table.lock(Bench.KEY).data()).isEqualTo(LockData.of("left"));
        assertThat(bench.table.sessionIds()).as("the other's").hasSize(1);
        assertThat(isGrantedAt(Duration.ofSeconds(5))).isFalse();
        assertThat(isGrantedAt(Duration.ofSeconds(29))).isFalse();
        assertThat(isGrantedAt(SOON_AFTER_HALF_A_MINUTE)).isTrue();
    }

    @Test
    void theFirstTryAfterTheShortestHoldGetsTheLockThoughNobodyHasReadIt() {
        holdAtLeast(Bench.KEY, HALF_A_MINUTE).release();

        process.shutdown();

        assertThat(isGrantedAt(SOON_AFTER_HALF_A_MINUTE)).isTrue();
    }

    @Test
    void aLockThatIsStillHeldIsKeptWhenItsProcessStopsHoweverManyWaitBehind() {
        Acquisition first = process.acquire(Specs.exclusive(Bench.KEY)
                .waiting(MINUTE)
                .holdAtLeast(HALF_A_MINUTE)
                .spec());
        List<Acquisition> behind = List.of(process.acquire(Bench.exclusive()), process.acquire(Bench.exclusive()));
        Grant grant = bench.granted(first);
        grantedAt = bench.time.nanos();
        bench.advanceMillis(1_000);

        process.shutdown();
        bench.advanceMillis(1_000);

        assertThat(grant.isValid()).isFalse();
        assertThat(behind).allMatch(waiter -> Acquisitions.outcome(waiter) instanceof AcquireOutcome.Closed);
        assertThat(bench.queue()).hasSize(1);
        assertThat(isGrantedAt(Duration.ofSeconds(29))).isFalse();
        assertThat(isGrantedAt(SOON_AFTER_HALF_A_MINUTE)).isTrue();
    }

    @Test
    void aWaiterGetsAKeptLockSoonAfterTheShortestHoldWithAGreaterTicket() {
        Grant kept = holdAtLeast(Bench.KEY, HALF_A_MINUTE);
        Acquisition waiting = bench.acquire(other, Bench.exclusive(), 1_000);
        kept.release();

        process.shutdown();

        Grant next = bench.granted(waiting);
        assertThat(sinceTheGrant()).isBetween(HALF_A_MINUTE, SOON_AFTER_HALF_A_MINUTE.plusSeconds(1));
        assertThat(next.ticket()).isGreaterThan(kept.ticket());
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void eachLockIsKeptUntilItsOwnShortestHoldEndsUnlessThatIsOver() {
        LockKey nightly = new LockKey("nightly", "default");
        LockKey over = new LockKey("over", "default");
        holdAtLeast(over, Duration.ofSeconds(1));
        bench.advanceMillis(2_000);
        holdAtLeast(nightly, Duration.ofMinutes(10)).release();
        holdAtLeast(Bench.KEY, HALF_A_MINUTE).release();

        process.shutdown();

        assertThat(isGrantedAt(over, Duration.ofSeconds(1))).isTrue();
        assertThat(isGrantedAt(Bench.KEY, SOON_AFTER_HALF_A_MINUTE)).isTrue();
        assertThat(isGrantedAt(nightly, Duration.ofMinutes(9))).isFalse();
        assertThat(isGrantedAt(nightly, Duration.ofMinutes(10).plusSeconds(8))).isTrue();
    }

    @Test
    void aLockOfAProcessThatIsKilledIsFreeAfterALease() {
        holdAtLeast(Bench.KEY, Duration.ofMinutes(10)).release();

        bench.machineOf(process).loop.die();

        assertThat(isGrantedAt(Duration.ofSeconds(1))).isFalse();
        bench.granted(other.acquire(Bench.exclusive()));
        assertThat(sinceTheGrant()).isLessThan(Bench.LEASE.plusSeconds(6));
    }

    private Grant holdAtLeast(LockKey key, Duration holdAtLeast) {
        Grant grant = bench.granted(process.acquire(
                Specs.exclusive(key).waiting(MINUTE).holdAtLeast(holdAtLeast).spec()));
        grantedAt = bench.time.nanos();
        return grant;
    }

    private Duration sinceTheGrant() {
        return Duration.ofNanos(bench.time.nanos() - grantedAt);
    }

    private boolean isGrantedAt(Duration sinceTheGrant) {
        return isGrantedAt(Bench.KEY, sinceTheGrant);
    }

    /** Whether a caller that does not wait gets the lock at this time. */
    private boolean isGrantedAt(LockKey key, Duration sinceTheGrant) {
        bench.time.advance(sinceTheGrant.minus(sinceTheGrant()));
        Acquisition attempt =
                bench.acquire(other, Specs.exclusive(key).notWaiting().spec());
        assertThat(attempt.outcome()).isDone();
        return Acquisitions.isGranted(attempt);
    }
}
