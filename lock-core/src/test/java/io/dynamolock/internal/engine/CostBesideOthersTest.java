package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What leaders, tries, readers and permits cost beside others, in calls: as {@link CostTest}. */
class CostBesideOthersTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.begun();

    @Test
    void aReaderThatDoesNotWaitCostsOneWriteBehindAWriter() {
        bench.grant(process);
        LockEngine other = bench.begunBeside();
        Acquisition tried = other.acquire(Bench.spec(Kind.READ, Duration.ZERO));
        bench.advance(100);

        assertThat(tried.outcome()).isDone();
        assertThat(bench.writes).isOne();
        assertThat(bench.reads).isZero();
        assertThat(bench.sessionReads).isLessThanOrEqualTo(1);
    }

    @Test
    void aReaderThatDoesNotWaitBesideReadersOfOthersCostsThreeWrites() {
        LockEngine other = bench.begunBeside();
        bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        bench.reset();

        bench.release(bench.granted(other.acquire(Bench.spec(Kind.READ, Duration.ZERO))));

        assertCosts(3, 0);
    }

    @Test
    void aWriterBehindReadersOfAnotherProcessCostsTwoWrites() {
        LockEngine other = bench.begunBeside();
        Grant reader = bench.granted(process.acquire(Bench.spec(Kind.READ, MINUTE)));
        Acquisition writer = other.acquire(Bench.spec(Kind.WRITE, MINUTE));
        bench.advance(100);
        bench.release(reader);
        bench.release(bench.granted(writer));

        assertThat(bench.writes).as("the reader's were two").isEqualTo(4);
    }

    @Test
    void permitsThatComeOrGoTogetherCostOneWriteAndATryInVainOne() {
        LockEngine other = bench.begunBeside();
        bench.reset();
        List<Grant> permits =
                Stream.generate(() -> process.acquire(Bench.spec(Kind.PERMIT, MINUTE))).limit(100).toList().stream()
                        .map(bench::granted)
                        .toList();
        assertCosts(1, 0);
        bench.reset();

        Acquisition tried = other.acquire(Bench.spec(Kind.PERMIT, Duration.ZERO));
        bench.advance(100);
        assertThat(tried.outcome()).isDone();
        assertCosts(1, 0);
        bench.reset();
        permits.forEach(permit -> permit.release(null));
        bench.advance(100);

        assertThat(bench.queue()).isEmpty();
        assertCosts(1, 0);
    }

    @Test
    void theFirstTryAfterALockWasKeptCostsTwoWritesMore() {
        LockEngine next = bench.begunBeside();
        bench.granted(process.acquire(Specs.of(Bench.KEY, "bench", MINUTE, null, MINUTE)));
        process.shutdown();
        bench.advance(70_000);
        bench.reset();

        bench.release(bench.granted(next.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ZERO))));

        assertCosts(4, 0);
    }

    @Test
    void aLeaderCostsOneReadAtHalfPriceEachLease() {
        LockKey boss = new LockKey("boss", LockKey.ELECTIONS);
        bench.granted(process.acquire(Bench.exclusive(boss, AcquireSpec.FOREVER)));
        bench.reset();

        bench.time.advance(Bench.LEASE.multipliedBy(10));

        assertThat(bench.reads).as("ten less their ways").isBetween(9, 10);
        assertThat(bench.consistentReads).isZero();
        assertThat(bench.writes).isZero();
    }

    @Test
    void whoDoesNotWaitCostsNothingWhereItsProcessWaitsForTheLock() {
        bench.grant(process);
        LockEngine other = bench.begunBeside();
        other.acquire(Bench.exclusive());
        bench.advance(100);
        bench.reset();

        Acquisition tried = other.acquire(Bench.spec(Kind.EXCLUSIVE, Duration.ZERO));
        bench.advance(1);

        assertThat(tried.outcome()).isDone();
        assertThat(bench.writes).isZero();
    }

    private void assertCosts(int writes, int reads) {
        assertThat(bench.writes).as("writes").isEqualTo(writes);
        assertThat(bench.reads).as("reads").isEqualTo(reads);
    }
}
