package io.dynamolock.engine;

import static io.dynamolock.engine.EngineBench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.LossReason;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What one who holds a lock can rely on. */
class GrantTest {

    private static final Duration VALID_FOR = EngineBench.SETTINGS.lease().minus(EngineBench.SETTINGS.driftMargin());

    static final StoredData NO_DATA = new StoredData() {

        @Override
        public LockData known() {
            return LockData.EMPTY;
        }

        @Override
        public void put(GrantedLock grant, LockData data, CompletableFuture<Boolean> written) {
            throw new UnsupportedOperationException();
        }
    };

    private final EngineBench bench = new EngineBench();
    private final LockEngine engine = bench.engine;
    private final List<String> told = new ArrayList<>();

    @Test
    void tellsWhatWasGrantedAndWhen() {
        bench.time.advance(Duration.ofSeconds(3));
        Grant grant = hold(null, null);

        assertThat(grant.key()).isEqualTo(KEY);
        assertThat(grant.number()).isEqualTo(bench.lock().tail());
        assertThat(grant.since()).isEqualTo(bench.bench.clock.now());
    }

    @Test
    void isValidAsLongAsItsSession() {
        Grant grant = hold(null, null);
        assertThat(grant.remainingValidity()).isEqualTo(VALID_FOR);

        bench.time.advance(Duration.ofSeconds(4));

        assertThat(grant.remainingValidity()).isEqualTo(VALID_FOR.minusSeconds(4));
        assertThat(grant.isValid()).isTrue();
    }

    @Test
    void aLongestHoldLimitsItsValidity() {
        Grant grant = hold(Duration.ofSeconds(10), null);
        assertThat(grant.remainingValidity()).isEqualTo(Duration.ofSeconds(10));

        bench.time.advance(Duration.ofSeconds(10).minusNanos(1));

        assertThat(grant.remainingValidity()).isEqualTo(Duration.ofNanos(1));
        assertThat(grant.isValid()).isTrue();
        bench.time.advance(Duration.ofNanos(1));
        assertThat(grant.remainingValidity()).isZero();
        assertThat(grant.isValid()).isFalse();
        assertThat(bench.events).endsWith("lost after PT10S: MAX_HOLD");
    }

    @Test
    void aLongestHoldBeyondTheSessionDoesNotExtendIt() {
        assertThat(hold(Duration.ofMinutes(1), null).remainingValidity()).isEqualTo(VALID_FOR);
    }

    @Test
    void isInvalidFromTheReleaseOn() {
        Grant grant = hold(null, null);

        grant.release();

        assertThat(grant.isValid()).isFalse();
        assertThat(grant.remainingValidity()).isZero();
        assertThat(engine.held()).isEmpty();
    }

    @Test
    void releasingTwiceIsReleasingOnce() {
        Grant grant = hold(null, null);

        CompletableFuture<Boolean> first = grant.release();
        CompletableFuture<Boolean> second = grant.release();
        assertThat(first).isNotDone();
        bench.time.settle();

        assertThat(first).isCompletedWithValue(true);
        assertThat(second).isCompletedWithValue(true);
        assertThat(grant.release()).isCompletedWithValue(true);
        assertThat(bench.count(StoreOperation.LEAVE)).isOne();
        assertThat(bench.events)
                .filteredOn(event -> event.startsWith("released"))
                .hasSize(1);
    }

    @Test
    void whatItsOwnerDoesToTheAnswerChangesNothing() {
        Grant grant = hold(null, null);

        grant.release().complete(false);
        bench.time.settle();

        assertThat(grant.release()).isCompletedWithValue(true);
    }

    @Test
    void aReleaseIsAnsweredWhenItIsWrittenOrHasFailedOnce() {
        Grant grant = hold(null, null);
        bench.faults.next(StoreOperation.LEAVE, Fault.THROTTLED);

        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.queue()).hasSize(1);
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.queue()).isEmpty();
    }

    @Test
    void aReleaseThatIsUnderWayWhenTheEngineIsShutDownIsAnswered() {
        Grant grant = hold(null, null);
        bench.faults.next(StoreOperation.LEAVE, Fault.STALLS);
        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        engine.shutdown();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
    }

    @Test
    void aReleaseOnAStoppedLoopIsALoss() {
        Grant grant = hold(null, null);
        grant.onLost(() -> told.add("lost"));
        bench.time.advance(Duration.ofSeconds(2));
        bench.bench.loop.meanwhile(bench.bench.loop::shutdown);

        assertThat(grant.release()).isCompletedWithValue(false);

        assertThat(bench.events).endsWith("lost after PT2S: CLOSED");
    }

    @Test
    void aReleaseAfterTheEndOfTheSessionIsALoss() {
        Grant grant = hold(null, null);
        grant.onLost(() -> told.add("lost"));
        bench.bench.clock.moveWallClock(VALID_FOR);

        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(told).containsExactly("lost");
        assertThat(bench.events)
                .filteredOn(event -> event.contains("SESSION_LOST"))
                .hasSize(1);
    }

    @Test
    void aGrantThatIsOverIsForgotten() {
        EngineContext context = bench.bench.context();
        Session session = new Session(
                Workbench.sessionId(1),
                EngineBench.SETTINGS,
                bench.bench.clock,
                Session.Sending.now(bench.bench.clock));
        Grants grants = new Grants(bench.bench.loop::execute);
        AcquireSpec spec = new AcquireSpec(KEY, "test", AcquireSpec.FOREVER, null, null);
        BlockId block = Workbench.block(session.id(), 1);
        GrantedLock released =
                new GrantedLock(context, grants, (grant, over) -> {}, NO_DATA, spec, session, block, 1, 1);
        GrantedLock lost = new GrantedLock(context, grants, (grant, over) -> {}, NO_DATA, spec, session, block, 2, 1);
        grants.add(released);
        grants.add(lost);

        released.release();
        grants.note(released, 7);
        grants.note(lost, 7);
        assertThat(grants.knows(released)).isFalse();
        assertThat(grants.knows(lost)).isTrue();
        assertThat(grants.notedFor(7, KEY)).containsExactly(lost);
        lost.lose(LossReason.SESSION_LOST);
        assertThat(grants.knows(lost)).isFalse();
        assertThat(grants.held()).isEmpty();
    }

    @Test
    void everyCallbackHearsOfTheLossOnceAndNotAtOnceOnTheCallingThread() {
        Grant grant = hold(null, null);
        grant.onLost(() -> told.add("first"));
        grant.onLost(() -> {
            throw new IllegalStateException("expected by this test");
        });
        grant.onLost(() -> told.add("third"));
        bench.loseSession();
        bench.time.settle();
        assertThat(told).containsExactlyInAnyOrder("first", "third");

        grant.onLost(() -> told.add("late"));
        assertThat(told).hasSize(2);
        bench.time.settle();

        assertThat(told).hasSize(3).endsWith("late");
    }

    @Test
    void aReleaseIsNoLoss() {
        Grant grant = hold(Duration.ofSeconds(1), null);
        grant.onLost(() -> told.add("lost"));
        grant.release();

        bench.time.advance(Duration.ofSeconds(10));

        assertThat(told).isEmpty();
        assertThat(bench.events).endsWith("released after PT0S");
    }

    @Test
    void aReleaseAfterALossIsNone() {
        Grant grant = hold(Duration.ofSeconds(1), null);
        bench.time.advance(Duration.ofSeconds(2));

        assertThat(grant.release()).isCompletedWithValue(false);
        bench.time.settle();

        assertThat(bench.events).endsWith("lost after PT1S: MAX_HOLD");
    }

    @Test
    void aGrantWhoseEngineIsShutDownIsInvalidAtOnceAndItsReleaseALoss() {
        Grant grant = hold(null, null);
        grant.onLost(() -> told.add("lost"));

        engine.shutdown();
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.remainingValidity()).isZero();
        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(told).containsExactly("lost");
        assertThat(bench.events).endsWith("lost after PT0S: CLOSED");
    }

    // The shortest hold

    @Test
    void aReleaseBeforeTheShortestHoldTakesEffectWhenItEnds() {
        Grant grant = hold(null, Duration.ofSeconds(5));
        Acquisition next = acquire(null, null);
        bench.time.advance(Duration.ofSeconds(2));

        CompletableFuture<Boolean> released = grant.release();
        bench.time.advance(Duration.ofSeconds(3).minusNanos(1));
        assertThat(released).isCompletedWithValue(true);
        assertThat(next.outcome()).isNotDone();
        bench.time.advance(Duration.ofNanos(1));

        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void aReleaseAtTheShortestHoldTakesEffectAtOnce() {
        Grant grant = hold(null, Duration.ofSeconds(5));
        bench.time.advance(Duration.ofSeconds(5));

        CompletableFuture<Boolean> released = grant.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(true);
        assertThat(bench.queue()).isEmpty();
        assertThat(bench.bench.loop.timers()).as("the session's").isEqualTo(2);
    }

    @Test
    void aShortestHoldThatTheSessionDidNotOutliveEndsWithIt() {
        Grant grant = hold(null, Duration.ofSeconds(30));
        grant.release();
        bench.time.settle();
        Acquisition next = acquire(null, null);
        bench.loseSession();
        bench.time.advance(Duration.ofSeconds(1));
        Grant second = bench.grantOf(next);
        bench.time.advance(Duration.ofSeconds(30));

        assertThat(second.isValid())
                .as("the end of the first hold's time is not its")
                .isTrue();
    }

    private Acquisition acquire(@Nullable Duration maxHold, @Nullable Duration atLeast) {
        return engine.acquire(new AcquireSpec(KEY, "test", Duration.ofMinutes(1), maxHold, atLeast));
    }

    private Grant hold(@Nullable Duration maxHold, @Nullable Duration atLeast) {
        return bench.grantOf(acquire(maxHold, atLeast));
    }
}
