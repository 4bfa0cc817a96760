package io.dynamolock.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Acquisitions;
import io.dynamolock.internal.engine.Bench;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Network.Call;
import io.dynamolock.internal.engine.Network.Fate;
import io.dynamolock.internal.engine.Specs;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A process holds more locks than it can take out of the queues before it stops. */
class HurriedShutdownTest {

    /** A call takes 6 ms, so a process with one call under way at once takes 167 entries out in a second. */
    private static final int SLOW = 1;

    private static final int MANY = 400;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HEARTBEAT = Bench.LEASE.dividedBy(4);

    private final Bench bench = new Bench();

    @Test
    void whatCannotBeTakenOutInTimeIsFreedByOneDeletionOfTheSession() {
        LockEngine process = slowProcess();
        List<Grant> held = holdMany(process);
        bench.network.resetCounts();

        CompletableFuture<Void> done = process.shutdown();
        assertThat(held).as("at once").noneMatch(Grant::isValid);
        bench.advanceMillis(Bench.CALL_TIMEOUT.toMillis() / 2 + 20);

        assertThat(done).isCompleted();
        assertThat(bench.table.sessionIds()).isEmpty();
        assertThat(bench.network.count(Call.END)).isOne();
        assertThat(stillTaken()).as("so that this test is about something").isGreaterThan(MANY / 2);
    }

    @Test
    void afterTheDeletionOfTheSessionNoEditOfItIsSent() {
        LockEngine process = slowProcess();
        holdMany(process);
        process.shutdown();
        bench.time.advanceUntil(() -> bench.network.count(Call.END) > 0, MINUTE);
        bench.network.resetCounts();

        bench.time.advance(MINUTE);

        assertThat(bench.network.writes()).isZero();
    }

    @Test
    void appendsThatWaitForRoomAreNotSentAfterTheDeletionOfTheSession() {
        bench.setMaxCalls(1);
        LockEngine process = bench.processWithSession();
        bench.network.next(Call.EDIT, Fate.STALLED, 1);
        List<Acquisition> asked = keys().limit(20)
                .map(key -> process.acquire(Bench.exclusive(key, MINUTE)))
                .toList();
        bench.advanceMillis(100);
        CompletableFuture<Void> done = process.shutdown();
        bench.time.advanceUntil(() -> bench.network.count(Call.END) > 0, MINUTE);
        bench.network.resetCounts();

        bench.network.resume();
        bench.time.advance(MINUTE);

        assertThat(done).isCompleted();
        assertThat(asked).noneMatch(Acquisitions::isGranted);
        assertThat(bench.network.count(Call.APPEND)).isZero();
    }

    @Test
    void whoeverComesThenGetsEachOfTheLocksAboutAtOnce() {
        LockEngine other = bench.processWithSession();
        LockEngine process = slowProcess();
        holdMany(process);
        bench.await(process.shutdown());

        List<Acquisition> asked =
                keys().map(key -> other.acquire(Bench.exclusive(key, MINUTE))).toList();
        bench.advanceMillis(1_000);

        assertThat(asked).allMatch(Acquisitions::isGranted);
    }

    @Test
    void whoeverHasWaitedForLongGetsTheLocksWithinAHeartbeat() {
        LockEngine other = bench.processWithSession();
        LockEngine process = slowProcess();
        holdMany(process);
        List<Acquisition> asked = keys().map(key -> other.acquire(Bench.exclusive(key, Duration.ofHours(1))))
                .toList();
        bench.time.advance(MINUTE);

        bench.await(process.shutdown());
        bench.time.advance(HEARTBEAT.plusSeconds(1));

        assertThat(asked).allMatch(Acquisitions::isGranted);
    }

    @Test
    void theLocksThatAreToBeKeptComeFirst() {
        LockEngine process = slowProcess();
        holdMany(process);
        LockKey kept = new LockKey("kept", "default");
        AcquireSpec spec = Specs.exclusive(kept).holdAtLeast(MINUTE).spec();
        bench.granted(process.acquire(spec));

        bench.await(process.shutdown());

        assertThat(bench.table.lock(kept).queue()).hasSize(1).allMatch(Entry.Kept.class::isInstance);
    }

    @Test
    void theSessionStaysUntilTheLocksThatAreToBeKeptAreWritten() {
        LockEngine process = bench.processThatHasUsedTheLock();
        bench.granted(
                process.acquire(Specs.exclusive(Bench.KEY).holdAtLeast(MINUTE).spec()));
        bench.network.next(Call.REISSUE, Fate.STALLED, 1);

        CompletableFuture<Void> done = process.shutdown();
        bench.advanceMillis(Bench.CALL_TIMEOUT.toMillis() * 3 / 4);
        assertThat(bench.table.sessionIds()).hasSize(1);
        bench.network.resume();
        bench.advanceMillis(100);

        assertThat(done).isCompleted();
        assertThat(bench.table.sessionIds()).isEmpty();
    }

    private LockEngine slowProcess() {
        bench.setMaxCalls(SLOW);
        return bench.processWithSession();
    }

    private static Stream<LockKey> keys() {
        return IntStream.range(0, MANY).mapToObj(i -> new LockKey("key-" + i, "default"));
    }

    private List<Grant> holdMany(LockEngine process) {
        List<Acquisition> asked =
                keys().map(key -> process.acquire(Bench.exclusive(key, MINUTE))).toList();
        return asked.stream().map(bench::granted).toList();
    }

    private long stillTaken() {
        return keys().filter(key -> !bench.table.lock(key).queue().isEmpty()).count();
    }
}
