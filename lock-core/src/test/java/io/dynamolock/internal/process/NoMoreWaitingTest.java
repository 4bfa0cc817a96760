package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LeaderElection;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Acquisitions;
import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A process that is about to close lets its holders finish, and keeps nobody waiting. */
class NoMoreWaitingTest {

    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Bench bench = new Bench();
    private final LockEngine process = bench.processThatHasUsedTheLock();
    private final LockEngine other = bench.processWithSession();

    private static boolean isClosed(Acquisition acquisition) {
        return Acquisitions.outcome(acquisition) instanceof AcquireOutcome.Closed;
    }

    @Test
    void aWaitWithoutEndEndsWhenTheTimeIsOverAndAHoldStays() {
        Grant held = bench.grant(process);
        Acquisition local = bench.acquire(process, Bench.waitingForever());
        LockKey taken = new LockKey("taken", "default");
        Grant elsewhere = bench.granted(other.acquire(Bench.exclusive(taken, LONGEST)));
        Acquisition remote = bench.acquire(process, Bench.exclusive(taken, AcquireSpec.FOREVER));

        process.endWaitsAfter(LONGEST);
        bench.advanceMillis(9_900);
        assertThat(local.outcome()).isNotDone();
        bench.advanceMillis(200);

        assertThat(local).matches(NoMoreWaitingTest::isClosed);
        assertThat(remote).matches(NoMoreWaitingTest::isClosed);
        assertThat(process.waiting()).isZero();
        assertThat(held.isValid()).isTrue();
        bench.release(elsewhere);
        bench.advanceMillis(5_000);
        assertThat(bench.table.lock(taken).queue()).as("left without a trace").isEmpty();
        bench.release(held);
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void whoComesLaterGetsItsLockAtOnceOrNotAtAll() {
        Grant held = bench.grant(other);
        process.endWaitsAfter(Duration.ZERO);
        bench.advanceMillis(100);

        Acquisition inVain = bench.acquire(process, Bench.waitingForever(), 1_000);
        assertThat(inVain).matches(Acquisitions::isTimedOut);
        bench.release(held);
        assertThat(bench.granted(process.acquire(Bench.waitingForever())).isValid())
                .isTrue();
    }

    @Test
    void whoComesAtTheMomentOfTheEndDoesNotWaitEither() {
        Grant held = bench.grant(process);
        process.endWaitsAfter(Duration.ZERO);
        Acquisition between = process.acquire(Bench.waitingForever());
        bench.advanceMillis(100);

        assertThat(between).matches(NoMoreWaitingTest::isClosed);
        assertThat(held.isValid()).isTrue();
        assertThat(bench.countEvents(process, "abandoned")).isOne();
    }

    @Test
    void aCandidateGoesOnWaiting() {
        LockKey election = new LockKey("mails", LeaderElection.NAMESPACE);
        Grant leader = bench.granted(other.acquire(Bench.exclusive(election, LONGEST)));
        Acquisition candidate = bench.acquire(process, Bench.exclusive(election, AcquireSpec.FOREVER));
        process.endWaitsAfter(Duration.ZERO);
        bench.advanceMillis(1_000);

        assertThat(candidate.outcome()).isNotDone();
        bench.release(leader);
        assertThat(bench.granted(candidate).isValid()).isTrue();
    }
}
