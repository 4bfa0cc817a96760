package io.dynamolock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.engine.AcquireOutcome;
import io.dynamolock.engine.Grant;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lock that callers want is not free for long, however short their waits are; a lock that is free is got by any wait;
 * and a holder notices that somebody has removed the item of its lock.
 */
class IdleLockTest {

    private static final LockKey KEY = new LockKey("order-1", "default");
    private static final Duration SECTION = Duration.ofMillis(1);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofMillis(1);
    private static final Duration LONGEST_IDLE = Duration.ofMillis(150);
    private static final int PROCESSES = 4;

    private static final Duration WATCHED = Duration.ofSeconds(5);

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private long grants;
    private long freeSince;
    private Duration longestIdle = Duration.ZERO;

    private void start(int count) {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < count; i++) {
            // Five milliseconds for a call, there and back, and a little more now and then.
            LatentLockStore link =
                    new LatentLockStore(table, time, () -> Duration.ofNanos(2_000_000 + random.nextLong(1_000_000)));
            processes.add(new SimulatedProcess("p" + i, time, link, SimulatedProcess.SETTINGS, i));
        }
    }

    /** Asks, holds the lock for a moment, asks again, without end. */
    private void comesAgainAndAgain(SimulatedProcess process, Duration wait) {
        process.acquire(KEY, wait).outcome().thenAccept(outcome -> {
            if (outcome instanceof AcquireOutcome.Granted granted) {
                grants++;
                longestIdle = longer(longestIdle, Duration.ofNanos(time.nanos() - freeSince));
                time.schedule(() -> release(process, granted.grant(), wait), SECTION);
            } else {
                time.schedule(() -> comesAgainAndAgain(process, wait), BETWEEN_ATTEMPTS);
            }
        });
    }

    private void release(SimulatedProcess process, Grant grant, Duration wait) {
        freeSince = time.nanos();
        grant.release().thenRun(() -> comesAgainAndAgain(process, wait));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private double grantsPerSecond(int callersOfEach, Duration wait) {
        start(PROCESSES);
        for (SimulatedProcess process : processes) {
            for (int i = 0; i < callersOfEach; i++) {
                comesAgainAndAgain(process, wait);
            }
        }
        time.advance(Duration.ofSeconds(2));
        grants = 0;
        longestIdle = Duration.ZERO;
        time.advance(WATCHED);
        return grants / (double) WATCHED.toSeconds();
    }

    @ParameterizedTest(name = "{0} callers in each process")
    @ValueSource(ints = {1, 8})
    void aLockThatIsWantedIsNotFreeForLong(int callersOfEach) {
        double rateWithoutWait = grantsPerSecond(callersOfEach, Duration.ZERO);
        assertThat(rateWithoutWait)
                .as("grants a second of callers that do not wait")
                .isGreaterThan(20);
        for (long wait : new long[] {1, 2, 3, 5, 8, 12, 20, 50, 100, 1000}) {
            IdleLockTest another = new IdleLockTest();
            double rate = another.grantsPerSecond(callersOfEach, Duration.ofMillis(wait));
            assertThat(rate)
                    .as("grants a second with a wait of " + wait + " ms; without a wait there are " + rateWithoutWait)
                    .isGreaterThanOrEqualTo(rateWithoutWait / 2);
            assertThat(another.longestIdle)
                    .as("the longest time without a holder, with a wait of " + wait + " ms")
                    .isLessThanOrEqualTo(LONGEST_IDLE);
        }
    }

    @ParameterizedTest(name = "a wait of {0} ms")
    @ValueSource(longs = {0, 1, 2, 5, 50})
    void aFreeLockIsGotByAnyWait(long waitMillis) {
        start(1);
        SimulatedProcess process = processes.get(0);
        for (int i = 0; i < 50; i++) {
            LockKey key = new LockKey("order-" + i % 7, "default");
            AcquireOutcome outcome = outcomeOf(process, key, Duration.ofMillis(waitMillis));
            assertThat(outcome).as("attempt " + i).isInstanceOf(AcquireOutcome.Granted.class);
            ((AcquireOutcome.Granted) outcome).grant().release();
            time.advance(Duration.ofMillis(20));
        }
    }

    private AcquireOutcome outcomeOf(SimulatedProcess process, LockKey key, Duration wait) {
        var outcome = process.acquire(key, wait).outcome();
        assertThat(time.advanceUntil(outcome::isDone, Duration.ofSeconds(5))).isTrue();
        return outcome.join();
    }

    @Test
    void whoReleasesALockWhoseItemWasRemovedIsTold() {
        start(1);
        SimulatedProcess process = processes.get(0);
        Grant grant = process.hold(KEY);
        List<String> losses = new ArrayList<>();
        grant.onLost(() -> losses.add("told"));
        table.evictLock(KEY);
        var release = grant.release();
        time.advance(Duration.ofSeconds(1));
        assertThat(release.join()).isFalse();
        assertThat(losses).containsExactly("told");
        assertThat(process.events).contains("lost: TAKEN_AWAY").doesNotContain("released");
    }

    @Test
    void whoHoldsALockWhoseItemWasRemovedNoticesWithTheNextAnswer() {
        start(2);
        Grant grant = processes.get(0).hold(KEY);
        table.evictLock(KEY);
        Grant other = processes.get(1).hold(KEY);
        assertThat(other.number()).isGreaterThan(grant.number());
        // Any call about the lock is enough, such as that of another caller who wants it.
        processes.get(0).acquire(new AcquireSpec(KEY, "another", AcquireSpec.FOREVER, null, null));
        time.advance(Duration.ofMillis(100));
        assertThat(grant.isValid()).isFalse();
        assertThat(other.isValid()).isTrue();
        assertThat(grant.release().join()).isFalse();
    }
}
