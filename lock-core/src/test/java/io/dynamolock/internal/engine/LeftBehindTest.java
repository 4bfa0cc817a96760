package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller that no longer wants a lock leaves nothing behind: no entry, no timer, nothing that an engine remembers. */
class LeftBehindTest {

    /** One for the next heartbeat or the end of the session, whichever comes first. */
    private static final int TIMERS_OF_THE_SESSION = 1;

    private final Bench bench = new Bench();

    @Test
    void aCallerThatLeavesBeforeThereIsASessionLeavesNothing() {
        bench.network.always(Call.BEGIN, Fate.THROTTLED);
        LockEngine process = bench.process();
        Acquisition leaving = bench.acquire(process, Bench.exclusive(), 1_000);
        leaving.abandon();
        bench.advanceMillis(3_000);
        bench.network.resetCounts();
        bench.advanceMillis(60_000);

        assertThat(bench.network.sessionWrites()).isZero();
        assertThat(bench.machineOf(process).loop.timers()).isZero();
        assertThat(bench.locksRememberedBy(process)).isZero();
    }

    @Test
    void callersThatLeaveOrTimeOutLeaveNothing() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition leaving = process.acquire(Bench.exclusive());
        process.acquire(Bench.exclusive(Duration.ZERO));
        process.acquire(Bench.exclusive(Duration.ofMillis(3)));
        bench.acquire(process, Bench.exclusive(Duration.ofSeconds(10)), 9_900);
        leaving.abandon();
        bench.advanceMillis(200);

        assertNothingIsLeft(process, 1);
        bench.release(held);
        bench.advanceMillis(10_000);
        bench.network.resetCounts();
        bench.advanceMillis(20_000);
        assertThat(bench.network.sessionReads())
                .as("nobody is watched any more")
                .isZero();
        assertThat(bench.network.reads()).isZero();
    }

    @Test
    void aLostSessionLeavesNoTimer() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant held = bench.granted(process.acquire(Specs.exclusive(Bench.KEY)
                .waiting(Duration.ofMinutes(1))
                .maxHold(Duration.ofDays(1))
                .spec()));
        bench.machineOf(process).moveWallClock(Bench.LEASE);
        bench.advanceMillis(6_000);

        assertThat(held.isValid()).isFalse();
        assertThat(bench.machineOf(process).loop.timers()).isZero();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    @Test
    void thousandsOfCallersThatTimeOutBehindAPatientOneLeaveNothing() {
        Grant held = bench.grant(bench.processThatHasUsedTheLock());
        LockEngine process = bench.processWithSession();
        Acquisition first = process.acquire(Bench.waitingForever());
        List<Acquisition> passing = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            passing.add(bench.acquire(process, Bench.exclusive(Duration.ofMillis(100)), 12));
        }
        Acquisition last = bench.acquire(process, Bench.waitingForever(), 1_000);
        assertThat(passing).allMatch(caller -> caller.outcome().join() instanceof AcquireOutcome.TimedOut);
        first.abandon();
        bench.advanceMillis(1_000);
        bench.release(held);
        bench.release(bench.granted(last));
        bench.advanceMillis(1_000);

        assertNothingIsLeft(process, 0);
    }

    // Calls that are lost, late or doubled

    @ParameterizedTest
    @EnumSource(Kind.class)
    void anAppendThatLandsAfterItWasLookedForIsRemovedALeaseLater(Kind kind) {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.network.next(Call.EDIT, Fate.LANDS_LATE, 1);
        Acquisition leaving = bench.acquire(process, Bench.spec(kind, Duration.ZERO), 1);
        leaving.abandon();
        bench.advanceMillis(10_000);
        bench.network.landLate();
        assertThat(bench.queue()).hasSize(1);

        bench.time.advance(Bench.LEASE);

        assertThat(bench.queue()).isEmpty();
        assertThat(bench.locksRememberedBy(process)).isZero();
    }

    @Test
    void aMinuteOfLostLateAndDoubledCallsLeavesNothing() {
        List<LockEngine> processes = List.of(bench.processWithSession(), bench.processWithSession());
        SplittableRandom random = new SplittableRandom(1);
        List<Fate> fates =
                List.of(Fate.LOST_ANSWER, Fate.LANDS_LATE, Fate.LANDS_TWICE, Fate.SILENT, Fate.ANSWERED, Fate.ANSWERED);
        for (int i = 0; i < 1_200; i++) {
            Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
            Duration wait = Duration.ofMillis(random.nextBoolean() ? 0 : 500);
            AcquireSpec spec = Specs.as(kind, keyOf(kind))
                    .permits(kind == Kind.PERMIT ? 3 : 0)
                    .waiting(wait)
                    .spec();
            bench.network.next(Call.EDIT, fates.get(random.nextInt(fates.size())), 1);
            Acquisitions.releaseAtOnce(processes.get(random.nextInt(2)).acquire(spec));
            bench.advanceMillis(50);
            if (i % 97 == 0) {
                bench.network.landLate();
            }
        }
        bench.network.heal();
        bench.advanceMillis(7_000);
        bench.network.landLate();
        bench.time.advance(Bench.LEASE.multipliedBy(2));

        for (Kind kind : Kind.values()) {
            assertThat(bench.table.lock(keyOf(kind)).queue()).as("of %s", kind).isEmpty();
        }
        assertThat(processes).allMatch(process -> bench.locksRememberedBy(process) == 0);
    }

    private static LockKey keyOf(Kind kind) {
        return new LockKey("key-" + kind.mode(), "default");
    }

    private void assertNothingIsLeft(LockEngine process, int entriesOfOthers) {
        assertThat(bench.queue()).hasSize(entriesOfOthers);
        assertThat(bench.locksRememberedBy(process)).isZero();
        assertThat(process.waiting()).isZero();
        assertThat(bench.machineOf(process).loop.timers()).isEqualTo(TIMERS_OF_THE_SESSION);
    }
}
