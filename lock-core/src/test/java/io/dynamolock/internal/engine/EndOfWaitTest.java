package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.process.LockEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A wait ends at its time, whatever the store does, and leaves nothing behind. */
class EndOfWaitTest {

    private final Bench bench = new Bench();

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "REFUSED_CONNECTION"})
    void aWaitFailsAtMostASecondLateWhenTheStoreDoesNotAnswer(Fate fate) {
        for (long waitMillis : new long[] {0, 300, 3_000}) {
            for (boolean isBegun : new boolean[] {true, false}) {
                bench.network.always(Fate.ANSWERED);
                LockEngine process = isBegun ? bench.processWithSession() : bench.process();
                bench.network.always(fate);

                Acquisition waits =
                        bench.acquire(process, Bench.exclusive(Duration.ofMillis(waitMillis)), waitMillis + 1_000);

                assertThat(Acquisitions.outcome(waits))
                        .as("a wait of %s ms, session begun: %s", waitMillis, isBegun)
                        .isInstanceOf(AcquireOutcome.Failed.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "PERMIT"})
    void aWaitFailsInAnOutageThoughOthersOfItsProcessHoldTheLock(Kind kind) {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.granted(process.acquire(Bench.spec(kind, Duration.ofMinutes(1))));
        bench.network.always(Fate.SILENT);

        Acquisition waits = bench.acquire(process, Bench.spec(kind, Duration.ofSeconds(3)), 4_000);

        assertThat(Acquisitions.outcome(waits)).isInstanceOf(AcquireOutcome.Failed.class);
    }

    @Test
    void aCallerGetsALockThatIsBeingReleasedHoweverShortItsWait() {
        LockEngine process = bench.processThatHasUsedTheLock();
        Grant held = bench.grant(process);
        bench.network.oneWayTakes(Duration.ofMillis(3));
        held.release(null);

        Acquisition brief = bench.acquire(process, Bench.exclusive(Duration.ofMillis(3)));

        assertThat(brief).matches(Acquisitions::isGranted);
    }

    @Test
    void aCallerThatDoesNotWaitIsAnsweredSoonThoughOthersKeepComing() {
        bench.grant(bench.processThatHasUsedTheLock());
        LockEngine other = bench.processWithSession();
        bench.network.resetCounts();

        List<Acquisition> tries = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            tries.add(bench.acquire(other, Bench.exclusive(Duration.ZERO), 1));
        }

        assertThat(tries.subList(0, 50)).allMatch(Acquisitions::isTimedOut);
        assertThat(bench.network.sessionReads()).isOne();
    }

    @Test
    void aCallerThatDoesNotWaitTakesOverTheLockOfALongDeadProcess() {
        bench.grant(bench.processThatHasUsedTheLock());
        bench.killLatestProcess();
        bench.time.advance(Duration.ofMinutes(10));
        LockEngine other = bench.processWithSession();

        Acquisition waits = other.acquire(Bench.exclusive(Duration.ZERO));

        bench.release(bench.granted(waits));
        assertThat(bench.queue()).isEmpty();
    }
}
