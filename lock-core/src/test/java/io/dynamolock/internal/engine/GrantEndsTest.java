package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Entry;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How grants end, and what becomes of what their owners had asked for. */
class GrantEndsTest {

    private static final LockKey KEY = new LockKey("order-17", "default");
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HALF_A_MINUTE = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);
    private final LockEngine engine = new PausableEngine(
            new EngineSettings(
                    "process",
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(5),
                    SECOND,
                    Duration.ofMillis(20),
                    SECOND,
                    Duration.ZERO,
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(4),
                    32,
                    Duration.ofDays(7),
                    200),
            table,
            time.new Loop(),
            time,
            new SplittableRandom(1),
            new Unheard());

    @Test
    void aLockThatIsHeldWhenItsProcessStopsIsKeptForItsShortestHold() {
        Grant grant = acquire(HALF_A_MINUTE, Kind.EXCLUSIVE);
        Instant end = time.now().plus(HALF_A_MINUTE);
        time.advance(SECOND);

        engine.shutdown();
        time.advance(SECOND);

        assertThat(grant.isValid()).isFalse();
        assertThat(keptUntil()).isBetween(end, end.plus(Duration.ofSeconds(2)));
    }

    @Test
    void aLockThatWasReleasedTooEarlyIsKeptForTheRestOnly() {
        Grant grant = acquire(HALF_A_MINUTE, Kind.EXCLUSIVE);
        Instant end = time.now().plus(HALF_A_MINUTE);
        grant.release(null);
        time.advance(Duration.ofSeconds(20));

        engine.shutdown();
        time.advance(SECOND);

        assertThat(keptUntil()).isBetween(end, end.plus(Duration.ofSeconds(2)));
    }

    @Test
    void whatIsLeftWithALockThatIsReleasedTooEarlyLiesThereWhenItIsKept() {
        Grant grant = acquire(HALF_A_MINUTE, Kind.EXCLUSIVE);
        grant.release(LockData.of("left"));
        time.advance(SECOND);

        engine.shutdown();
        time.advance(SECOND);

        assertThat(table.lock(KEY).data()).isEqualTo(LockData.of("left"));
    }

    @Test
    void theLimitsAtTheReleaseDecideHowLongALockIsHeld() {
        Grant grant = acquire(HALF_A_MINUTE, Kind.EXCLUSIVE);
        assertThat(grant.limit(grant.limits(), new HoldLimits(null, null))).isTrue();

        grant.release(null);
        time.advance(SECOND);

        assertThat(table.lock(KEY).queue()).isEmpty();
    }

    @Test
    void dataThatOthersOvertakeIsToldToo() {
        Grant grant = acquire(null, Kind.EXCLUSIVE);

        CompletableFuture<Boolean> first = grant.putData(LockData.of("first"));
        CompletableFuture<Boolean> second = grant.putData(LockData.of("second"));
        time.advance(SECOND);

        assertThat(second).isCompletedWithValue(true);
        assertThat(first).isCompleted();
        assertThat(table.lock(KEY).data()).isEqualTo(LockData.of("second"));
    }

    @Test
    void aWriterThatAsksTwiceToGoOnAsAReaderIsToldTwice() {
        Grant grant = acquire(null, Kind.WRITE);

        CompletableFuture<Boolean> first = grant.downgrade();
        CompletableFuture<Boolean> second = grant.downgrade();
        time.advance(SECOND);

        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(grant.downgrade()).isNotNull();
    }

    private Grant acquire(Duration least, Kind kind) {
        Acquisition acquisition =
                engine.acquire(new AcquireSpec(KEY, "test", HALF_A_MINUTE, null, least, kind, 0, false));
        time.advanceUntil(() -> acquisition.outcome().isDone(), SECOND);
        return ((AcquireOutcome.Granted) acquisition.outcome().join()).grant();
    }

    private Instant keptUntil() {
        assertThat(table.lock(KEY).queue())
                .hasOnlyElementsOfType(Entry.Kept.class)
                .hasSize(1);
        return ((Entry.Kept) table.lock(KEY).queue().get(0)).until();
    }
}
