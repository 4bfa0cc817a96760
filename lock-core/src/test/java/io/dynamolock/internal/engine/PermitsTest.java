package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Permits of one lock, and what they cost. */
class PermitsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine processA = bench.processThatHasUsedTheLock();
    private final LockEngine processB = bench.processWithSession();
    private final LockEngine processC = bench.processWithSession();

    @Test
    void callersOfAllProcessesShareThePermitsAndTheNextGetsWhicheverIsReleased() {
        Grant first = bench.granted(permit(processA, 2));
        Grant second = bench.granted(permit(processB, 2));
        Acquisition third = permit(processC, 2);
        bench.advanceMillis(100);
        Acquisition fourth = permit(processA, 2);
        bench.advanceMillis(1_000);
        assertThat(third.outcome()).isNotDone();

        bench.release(second);
        bench.advanceMillis(1_000);

        assertThat(third).matches(Acquisitions::isGranted);
        assertThat(fourth.outcome()).isNotDone();
        assertThat(first.isValid()).isTrue();
    }

    @Test
    void eachUseOfAPermitCostsTwoWritesAndNoReadHoweverManyOfAProcessWait() {
        List<Acquisition> uses = Acquisitions.start(processA, 20, spec(3, MINUTE));
        uses.forEach(Acquisitions::releaseAtOnce);
        bench.advanceMillis(5_000);

        assertThat(uses).allMatch(Acquisitions::isGranted);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(2 * 20);
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void allCallersThatNameAnotherNumberOfPermitsAreRefusedByOneAnswer() {
        bench.await(processA.resize(Bench.KEY, 5));
        bench.network.resetCounts();

        List<Acquisition> others = Stream.concat(
                        Acquisitions.start(processB, 25, spec(3, Duration.ZERO)).stream(),
                        Acquisitions.start(processB, 25, spec(3, MINUTE)).stream())
                .toList();
        bench.advanceMillis(1_000);

        assertThat(others).allMatch(other -> new AcquireOutcome.OtherPermits(5).equals(Acquisitions.outcome(other)));
        assertThat(bench.network.writes()).isLessThanOrEqualTo(2);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aResizeCostsOneWriteLetsCallersInAndTakesNobodysPermit() {
        Grant first = bench.granted(permit(processA, 1));
        bench.network.resetCounts();

        bench.await(processA.resize(Bench.KEY, 2));
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.table.lock(Bench.KEY).permits()).isEqualTo(2);
        Grant second = bench.granted(permit(processB, 2));
        bench.await(processA.resize(Bench.KEY, 1));
        Acquisition third = permit(processC, 1);
        bench.advanceMillis(1_000);

        assertThat(first.isValid()).isTrue();
        assertThat(second.isValid()).isTrue();
        bench.release(first);
        bench.advanceMillis(1_000);
        assertThat(third.outcome()).as("a permit is still held").isNotDone();
        bench.release(second);
        assertThat(bench.granted(third).isValid()).isTrue();
    }

    @Test
    void thePermitOfADeadProcessIsFreeWithinALeaseThoughOthersAreHeld() {
        bench.granted(permit(processA, 2));
        bench.granted(permit(processB, 2));
        Acquisition waiting = permit(processC, 2);
        bench.advanceMillis(1_000);

        bench.machineOf(processB).loop.die();
        bench.advanceMillis(25_000);

        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void aPermitAndAnExclusiveHolderExcludeEachOtherInTheOrderOfTheirEntries() {
        Grant permit = bench.granted(permit(processA, 5));
        Acquisition exclusive = bench.acquire(processB, Bench.exclusive(), 1_000);
        Acquisition later = permit(processC, 5);
        bench.advanceMillis(1_000);
        assertThat(List.of(exclusive, later)).noneMatch(Acquisitions::isGranted);

        bench.release(permit);
        Grant alone = bench.granted(exclusive);
        bench.advanceMillis(1_000);
        assertThat(later.outcome()).isNotDone();
        bench.release(alone);

        assertThat(bench.granted(later).isValid()).isTrue();
    }

    @Test
    void aCallerThatDoesNotWaitGetsThePermitOfADeadProcessBesideALiveOne() {
        bench.granted(permit(processA, 2));
        bench.granted(permit(processB, 2));
        LockKey otherKey = new LockKey("another", "default");
        bench.granted(processA.acquire(Bench.exclusive(otherKey, MINUTE)));
        processC.acquire(Bench.exclusive(otherKey, AcquireSpec.FOREVER));
        bench.machineOf(processB).loop.die();
        bench.time.advance(MINUTE);

        assertThat(Acquisitions.isGranted(bench.acquire(processC, spec(2, Duration.ZERO), 1_000)))
                .isTrue();
    }

    // Permits that are held for long

    @Test
    void eachWaitingProcessAsksOnceALeaseAboutPermitsThatAreHeldForLong() {
        Acquisitions.start(processA, 20, spec(20, MINUTE)).forEach(bench::granted);
        processB.acquire(spec(20, MINUTE.multipliedBy(10)));
        processC.acquire(spec(20, MINUTE.multipliedBy(10)));
        bench.time.advance(MINUTE);
        bench.network.resetCounts();

        bench.time.advance(MINUTE);

        assertThat(bench.network.count(Call.NOTIFY)).isBetween(4, 8);
    }

    // Callers that do not wait, or not long

    @Test
    void aCallerThatDoesNotWaitGetsAFreePermitWhileItsProcessIsGettingOne() {
        for (int permits : new int[] {5, 1}) {
            Bench freshBench = new Bench();
            LockEngine process = freshBench.processThatHasUsedTheLock();
            Acquisition waits = freshBench.acquire(process, spec(permits, MINUTE), 1);
            Acquisition tries = freshBench.acquire(process, spec(permits, Duration.ZERO));

            assertThat(waits).matches(Acquisitions::isGranted);
            assertThat(Acquisitions.isGranted(tries))
                    .as("of %s permits", permits)
                    .isEqualTo(permits > 1);
        }
    }

    @Test
    void aPermitIsGrantedBesideAnotherOfItsProcessHoweverShortTheWait() {
        bench.granted(permit(processA, 5));
        bench.network.oneWayTakes(Duration.ofMillis(3));

        Acquisition brief = bench.acquire(processA, spec(5, Duration.ofMillis(3)));

        assertThat(brief).matches(Acquisitions::isGranted);
    }

    /** One edit that appends for all three callers would be refused as a whole. */
    @Test
    void twoOfThreeCallersThatDoNotWaitGetTheTwoFreePermits() {
        Acquisitions.start(processB, 3, spec(5, MINUTE)).forEach(bench::granted);

        List<Acquisition> tries = Acquisitions.start(processA, 3, spec(5, Duration.ZERO));
        bench.advanceMillis(100);

        assertThat(tries).allMatch(attempt -> attempt.outcome().isDone());
        assertThat(tries).filteredOn(Acquisitions::isGranted).hasSize(2);
    }

    private static Acquisition permit(LockEngine process, int permits) {
        return process.acquire(spec(permits, MINUTE));
    }

    private static AcquireSpec spec(int permits, Duration wait) {
        return Specs.as(Kind.PERMIT, Bench.KEY).permits(permits).waiting(wait).spec();
    }
}
