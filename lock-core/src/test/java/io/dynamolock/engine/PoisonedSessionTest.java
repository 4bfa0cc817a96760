package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Somebody has written a session that nobody can read, and put it into a queue. */
class PoisonedSessionTest {

    private static final Duration LEASE = EngineBench.SETTINGS.lease();
    private static final LockKey POISONED = new LockKey("poisoned", "default");

    private final EngineBench bench = EngineBench.started();
    private final SessionId unreadable = bench.stranger(2).block().session();

    PoisonedSessionTest() {
        bench.faults.unreadable(unreadable);
        Entry entry = new Entry(new BlockId(unreadable, 1), 1);
        bench.table.take(POISONED, new Step.Ask(entry, 1, 10), bench.time.now());
    }

    @Test
    void anUnrelatedLockBehindADeadProcessIsTakenOverInTime() {
        bench.stranger(1).asks();
        Acquisition poisoned = bench.acquire(POISONED, AcquireSpec.FOREVER);
        Acquisition orphaned = bench.acquire();

        boolean inTime = bench.time.advanceUntil(() -> Cluster.isGranted(orphaned), LEASE.plusSeconds(2));

        assertThat(inTime).isTrue();
        assertThat(Cluster.outcome(poisoned)).as("it does not count as absent").isNull();
        assertThat(bench.table.session(unreadable)).isPresent();
    }

    @Test
    void aCallerThatDoesNotWaitIsTurnedAwayFromThePoisonedLockAlone() {
        Acquisition poisoned = bench.acquire(POISONED, Duration.ZERO);
        Acquisition free = bench.acquire(Duration.ZERO);
        bench.time.settle();

        assertThat(Cluster.isTimedOut(poisoned)).isTrue();
        assertThat(Cluster.isGranted(free)).isTrue();
    }

    @Test
    void anInspectionSaysWhichSessionsCannotBeRead() {
        bench.stranger(1).asks();
        CompletableFuture<Inspection> poisoned = bench.engine.inspect(POISONED);
        CompletableFuture<InspectionPage> all = bench.engine.list(null, null);
        bench.time.settle();

        assertThat(poisoned.join().unreadable()).containsExactly(unreadable);
        assertThat(all.join().locks().get(POISONED).unreadable()).containsExactly(unreadable);
        assertThat(all.join().locks().get(EngineBench.KEY).sessions()).hasSize(1);
    }
}
