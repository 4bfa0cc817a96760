package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Permits of one lock, and what they cost. */
class PermitsTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine one = bench.processThatHasUsedTheLock();
    private final LockEngine two = bench.processWithSession();
    private final LockEngine three = bench.processWithSession();

    @Test
    void soManyCallersOfAllProcessesHoldPermitsAndTheNextGetsOneWhenAnyIsReleased() {
        Grant first = bench.granted(permit(one, 2));
        Grant second = bench.granted(permit(two, 2));
        Acquisition third = permit(three, 2);
        bench.advanceMillis(100);
        Acquisition fourth = permit(one, 2);
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
        List<Acquisition> uses = Acquisitions.start(one, 20, spec(3, MINUTE));
        uses.forEach(Acquisitions::releaseAtOnce);
        bench.advanceMillis(5_000);

        assertThat(uses).allMatch(Acquisitions::isGranted);
        assertThat(bench.network.writes()).isLessThanOrEqualTo(2 * 20);
        assertThat(bench.network.reads()).isZero();
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void allThatSayAnotherNumberOfPermitsAreRefusedAndToldByOneAnswer() {
        bench.await(one.resize(Bench.KEY, 5));
        bench.network.resetCounts();

        List<Acquisition> others = Stream.concat(
                        Acquisitions.start(two, 25, spec(3, Duration.ZERO)).stream(),
                        Acquisitions.start(two, 25, spec(3, MINUTE)).stream())
                .toList();
        bench.advanceMillis(1_000);

        assertThat(others).allMatch(other -> new AcquireOutcome.OtherPermits(5).equals(Acquisitions.outcome(other)));
        assertThat(bench.network.writes()).isLessThanOrEqualTo(2);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void moreForAllCostOneWriteAndLetOthersInAndFewerTakeNobodysPermit() {
        Grant first = bench.granted(permit(one, 1));
        bench.network.resetCounts();

        bench.await(one.resize(Bench.KEY, 2));
        assertThat(bench.network.writes()).isOne();
        assertThat(bench.table.lock(Bench.KEY).permits()).isEqualTo(2);
        Grant second = bench.granted(permit(two, 2));
        bench.await(one.resize(Bench.KEY, 1));
        Acquisition third = permit(three, 1);
        bench.advanceMillis(1_000);

        assertThat(first.isValid()).isTrue();
        assertThat(second.isValid()).isTrue();
        bench.release(first);
        bench.advanceMillis(1_000);
        assertThat(third.outcome()).as("one is still held").isNotDone();
        bench.release(second);
        assertThat(bench.granted(third).isValid()).isTrue();
    }

    @Test
    void thePermitOfADeadProcessIsFreeWithinALeaseThoughOthersAreHeld() {
        bench.granted(permit(one, 2));
        bench.granted(permit(two, 2));
        Acquisition waiting = permit(three, 2);
        bench.advanceMillis(1_000);

        bench.machineOf(two).loop.die();
        bench.advanceMillis(25_000);

        assertThat(waiting).matches(Acquisitions::isGranted);
    }

    @Test
    void aPermitAndAnExclusiveHolderExcludeEachOtherInTheOrderOfTheirEntries() {
        Grant permit = bench.granted(permit(one, 5));
        Acquisition exclusive = bench.acquire(two, Bench.exclusive(), 1_000);
        Acquisition later = permit(three, 5);
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
    void whoDoesNotWaitGetsThePermitOfTheDeadThoughOneThatLivesHasAnother() {
        bench.granted(permit(one, 2));
        bench.granted(permit(two, 2));
        LockKey another = new LockKey("another", "default");
        bench.granted(one.acquire(Bench.exclusive(another, MINUTE)));
        three.acquire(Bench.exclusive(another, AcquireSpec.FOREVER));
        bench.machineOf(two).loop.die();
        bench.time.advance(MINUTE);
        assertThat(Acquisitions.isGranted(bench.acquire(three, spec(2, Duration.ZERO), 1_000)))
                .as("not yet known to be dead")
                .isFalse();
        bench.time.advance(MINUTE);

        assertThat(Acquisitions.isGranted(bench.acquire(three, spec(2, Duration.ZERO), 1_000)))
                .isTrue();
    }

    // Held for long

    @Test
    void aProcessIsAskedAboutWhatIsHeldForLongOnceALeaseByEachThatWaits() {
        Acquisitions.start(one, 20, spec(20, MINUTE)).forEach(bench::granted);
        two.acquire(spec(20, MINUTE.multipliedBy(10)));
        three.acquire(spec(20, MINUTE.multipliedBy(10)));
        bench.time.advance(MINUTE);
        bench.network.resetCounts();

        bench.time.advance(MINUTE);

        assertThat(bench.network.count(Call.NOTIFY)).isBetween(4, 8);
    }

    @Test
    void whoDoesNotWaitGetsAFreePermitBesideOneOfItsProcessThatIsGettingOne() {
        for (int permits : new int[] {5, 1}) {
            Bench another = new Bench();
            LockEngine process = another.processThatHasUsedTheLock();
            Acquisition waits = another.acquire(process, spec(permits, MINUTE), 1);
            Acquisition tries = another.acquire(process, spec(permits, Duration.ZERO));

            assertThat(waits).matches(Acquisitions::isGranted);
            assertThat(Acquisitions.isGranted(tries))
                    .as("of %s permits", permits)
                    .isEqualTo(permits > 1);
        }
    }

    @Test
    void aPermitIsGrantedBesideAnotherOfItsProcessHoweverShortTheWait() {
        bench.granted(permit(one, 5));
        bench.network.oneWayTakes(Duration.ofMillis(3));

        Acquisition brief = bench.acquire(one, spec(5, Duration.ofMillis(3)));

        assertThat(brief).matches(Acquisitions::isGranted);
    }

    /** One edit for all would be refused. */
    @Test
    void ofThreeThatDoNotWaitTwoGetTheTwoPermitsThatAreFree() {
        Acquisitions.start(two, 3, spec(5, MINUTE)).forEach(bench::granted);

        List<Acquisition> tries = Acquisitions.start(one, 3, spec(5, Duration.ZERO));
        bench.advanceMillis(100);

        assertThat(tries).allMatch(each -> each.outcome().isDone());
        assertThat(tries).filteredOn(Acquisitions::isGranted).hasSize(2);
    }

    private static Acquisition permit(LockEngine process, int permits) {
        return process.acquire(spec(permits, MINUTE));
    }

    private static AcquireSpec spec(int permits, Duration wait) {
        return Specs.as(Kind.PERMIT, Bench.KEY).permits(permits).waiting(wait).spec();
    }
}
