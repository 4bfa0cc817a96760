package io.dynamolock.engine;

import static io.dynamolock.engine.Cluster.KEY;
import static io.dynamolock.engine.Cluster.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.simulation.LatentLockStore;
import io.dynamolock.simulation.SimulatedProcess;
import io.dynamolock.simulation.VirtualTime;
import io.dynamolock.store.LockStore;
import io.dynamolock.store.memory.InMemoryLockStore;
import io.dynamolock.store.testing.InterceptedLockStore;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** DynamoDB tells its time with some answers only, to the second, and an answer may be on its way for long. */
class StampedTimeTest {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryLockStore table = new InMemoryLockStore(time::now);
    private Duration way = Duration.ofMillis(2);
    private Duration storeClockIsAhead = Duration.ZERO;

    @Test
    void aRightClockDoesNotLookWrongHoweverLongTheSessionHasLived() {
        SimulatedProcess process = process(1);
        process.hold(KEY).release();

        time.advance(Duration.ofHours(1));

        assertThat(process.engine.clockProblem()).isEmpty();
        inspect(process);
        assertThat(process.engine.clockProblem()).isEmpty();
    }

    @Test
    void aClockThatGoesWrongLaterLooksWrongUntilItIsSet() {
        SimulatedProcess process = process(1);
        process.hold(KEY).release();
        time.advance(Duration.ofHours(1));

        storeClockIsAhead = Duration.ofMinutes(3);
        inspect(process);
        assertThat(process.engine.clockProblem().orElseThrow()).contains("Set the clock of this machine");

        storeClockIsAhead = Duration.ZERO;
        inspect(process);
        assertThat(process.engine.clockProblem()).isEmpty();
    }

    @Test
    void aLockIsKeptForItsWholeTimeThoughTheSessionsBeginWasAnsweredSlowly() {
        SimulatedProcess other = process(1);
        other.hold(new LockKey("warm-up", "default")).release();
        way = Duration.ofMillis(1_900);
        SimulatedProcess process = process(2);
        Duration halfAMinute = Duration.ofSeconds(30);
        Acquisition acquisition = process.acquire(new AcquireSpec(KEY, "test", MINUTE, null, halfAMinute));
        time.advance(Duration.ofSeconds(4));
        way = Duration.ofMillis(2);
        Grant grant = process.grantOf(acquisition);
        Instant granted = time.now();
        grant.release();
        process.engine.shutdown();

        time.advance(Duration.between(time.now(), granted.plus(halfAMinute).minusMillis(200)));
        assertThat(getsIt(other)).isFalse();
        time.advance(Duration.ofSeconds(7));
        assertThat(getsIt(other)).isTrue();
    }

    private boolean getsIt(SimulatedProcess process) {
        Acquisition attempt = process.acquire(KEY, Duration.ZERO);
        time.advance(Duration.ofMillis(100));
        return Cluster.isGranted(attempt);
    }

    private void inspect(SimulatedProcess process) {
        var inspected = process.engine.inspect(new LockKey("any", "default"));
        time.advance(Duration.ofMillis(100));
        assertThat(inspected).isCompleted();
    }

    private SimulatedProcess process(int number) {
        LockStore network = new LatentLockStore(table, time, () -> way);
        return new SimulatedProcess(
                "process-" + number, time, new Stamping(network), SimulatedProcess.SETTINGS, number);
    }

    /** Stamps when the call is half-way, as the table answers it. */
    private final class Stamping extends InterceptedLockStore {

        private volatile @Nullable Instant stamp;

        Stamping(LockStore store) {
            super(store);
        }

        @Override
        protected <T> CompletionStage<T> intercept(StoreOperation operation, Supplier<CompletionStage<T>> call) {
            return call.get();
        }

        @Override
        public CompletionStage<LockItem> look(LockKey key, boolean consistent) {
            Instant half = half();
            return super.look(key, consistent).whenComplete((item, failure) -> {
                if (consistent) {
                    stamp = half;
                }
            });
        }

        @Override
        public CompletionStage<Answer<Optional<SessionItem>>> take(SessionId id, SessionStep step, Instant now) {
            Instant half = half();
            return super.take(id, step, now).whenComplete((answer, failure) -> {
                if (step instanceof SessionStep.Begin) {
                    stamp = half;
                }
            });
        }

        private Instant half() {
            return time.now().plus(way).plus(storeClockIsAhead).truncatedTo(ChronoUnit.SECONDS);
        }

        @Override
        public Optional<Instant> lastAnsweredAt() {
            return Optional.ofNullable(stamp);
        }
    }
}
