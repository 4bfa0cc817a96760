package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a lock costs, in calls. A write that fails its condition counts, because it is billed. */
class CostTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.begun();

    @Test
    void aFreeLockCostsTwoWrites() {
        bench.release(bench.grant(process));

        assertCosts(2, 0);
    }

    @Test
    void aSectionBehindAnotherProcessCostsTwoWritesHoweverManyWait() {
        Grant held = bench.grant(process);
        List<Acquisition> waiting = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            waiting.add(bench.begunBeside().acquire(Bench.exclusive()));
            bench.advance(20);
        }
        bench.reset();
        bench.release(held);
        for (Acquisition next : waiting) {
            bench.release(bench.granted(next));
        }

        assertThat(bench.writes).as("the appends were before").isEqualTo(11);
    }

    @Test
    void aHundredCallersThatArriveTogetherCostThreeWrites() {
        List<Acquisition> callers = IntStream.range(0, 100)
                .mapToObj(i -> process.acquire(Bench.exclusive()))
                .toList();
        callers.forEach(caller -> bench.release(bench.granted(caller)));
        bench.advance(100);

        assertThat(bench.writes).isLessThanOrEqualTo(3);
        assertThat(bench.reads).isZero();
    }

    @Test
    void aTurnAtWhoseEndOthersAreWaitingAgainCostsOneWrite() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        Acquisition behind = other.acquire(Bench.exclusive());
        bench.advance(30);
        Acquisition again = process.acquire(Bench.exclusive());
        bench.advance(1);
        bench.reset();

        bench.release(held);
        bench.release(bench.granted(behind));
        Grant next = bench.granted(again);

        assertThat(bench.writes)
                .as("one to pass it on and wait again, one of the other")
                .isEqualTo(2);
        bench.release(next);
    }

    @Test
    void anOutageOfHoursLeavesNothingToCatchUpOn() {
        bench.fate = Bench.Fate.SILENT;
        Acquisition waiting = process.acquire(Bench.spec(Kind.EXCLUSIVE, AcquireSpec.FOREVER));
        bench.time.advance(Duration.ofHours(3));
        bench.reset();
        bench.fate = Bench.Fate.ANSWERED;

        bench.release(bench.granted(waiting));

        assertThat(bench.sessionWrites)
                .as("the end of the old session, a beginning, and those that were under way")
                .isLessThanOrEqualTo(4);
        assertThat(bench.writes).isLessThanOrEqualTo(4);
    }

    @Test
    void whoDoesNotWaitCostsOneWriteOrNoneIfItsProcessHoldsTheLock() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        bench.reset();

        Acquisition ofTheOther = other.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ZERO));
        bench.advance(100);
        assertThat(ofTheOther.outcome()).isDone();
        assertThat(bench.writes).isOne();
        assertThat(bench.sessionReads).isLessThanOrEqualTo(1);

        bench.reset();
        Acquisition ofTheSame = process.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ZERO));
        bench.advance(1);
        assertThat(ofTheSame.outcome()).isDone();
        assertCosts(0, 0);
        bench.release(held);
    }

    @Test
    void whoGivesUpCostsTwoWrites() {
        Grant held = bench.grant(process);
        LockEngine other = bench.begunBeside();
        bench.reset();

        Acquisition waits = other.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ofSeconds(3)));
        bench.advance(3_100);

        assertThat(waits.outcome()).isDone();
        assertThat(bench.writes).isEqualTo(2);
        assertThat(bench.table.lock(Bench.KEY).queue()).hasSize(1);
        bench.release(held);
    }

    @Test
    void aHundredReadersThatArriveTogetherCostThreeWrites() {
        List<Acquisition> readers = IntStream.range(0, 100)
                .mapToObj(i -> process.acquire(Bench.spec(Kind.READ, MINUTE)))
                .toList();
        List<Grant> grants = readers.stream().map(bench::granted).toList();
        grants.forEach(grant -> grant.release(null));
        bench.advance(100);

        assertThat(bench.writes).isLessThanOrEqualTo(3);
        assertThat(bench.table.lock(Bench.KEY).queue()).isEmpty();
    }

    @Test
    void aHundredPermitsThatArriveTogetherCostOneAppend() {
        List<Acquisition> callers = IntStream.range(0, 100)
                .mapToObj(i -> process.acquire(Bench.spec(Kind.PERMIT, MINUTE)))
                .toList();
        callers.forEach(bench::granted);

        assertThat(bench.writes).isLessThanOrEqualTo(2);
    }

    @Test
    void aWriterThatGoesOnAsAReaderCostsOneWrite() {
        Grant writer = bench.granted(process.acquire(Bench.spec(Kind.WRITE, MINUTE)));
        bench.reset();

        writer.downgrade();
        bench.advance(100);

        assertThat(writer.kind() == Kind.READ).isTrue();
        assertCosts(1, 0);
        bench.release(writer);
    }

    @Test
    void dataLeftByTheReleaseCostsNothingMoreAndDataWrittenBeforeOneWrite() {
        Grant grant = bench.grant(process);
        bench.reset();
        grant.putData(LockData.of("now"));
        bench.advance(100);
        assertCosts(1, 0);
        grant.release(LockData.of("left"));
        bench.advance(100);
        assertCosts(2, 0);

        assertThat(bench.table.lock(Bench.KEY).data()).isEqualTo(LockData.of("left"));
    }

    @Test
    void passingTheLockOnAfterAFencedWriteCostsOneWrite() {
        Acquisition first = process.acquire(Bench.exclusive());
        Acquisition second = process.acquire(Bench.exclusive());
        Grant fenced = bench.granted(first);
        assertThat(fenced.fence()).isPresent();
        bench.advance(100);
        bench.reset();

        bench.release(fenced);
        Grant next = bench.granted(second);

        assertThat(bench.writes).isEqualTo(1);
        bench.release(next);
    }

    @Test
    void aLockThatIsWantedOnlyIfItExistsAndDoesNotCostsOneWrite() {
        AcquireSpec spec =
                new AcquireSpec(new LockKey("none", "default"), "n", MINUTE, null, null, Kind.EXCLUSIVE, 0, true);
        Acquisition wanted = process.acquire(spec);
        bench.advance(100);

        assertThat(wanted.outcome()).isDone();
        assertCosts(1, 0);
    }

    @Test
    void oneHeartbeatServesAllLocksOfAProcess() {
        Grant grant = bench.grant(process);
        bench.reset();

        bench.advance(50_000);

        assertThat(bench.sessionWrites).isBetween(9, 11);
        assertCosts(0, 0);
        bench.release(grant);
    }

    private void assertCosts(int writes, int reads) {
        assertThat(bench.writes).as("writes").isEqualTo(writes);
        assertThat(bench.reads).as("reads").isEqualTo(reads);
    }
}
