package io.dynamolock.store.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.store.BlockId;
import io.dynamolock.store.Claimant;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.SessionId;
import io.dynamolock.store.StoreFailure;
import io.dynamolock.store.WriteResult;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The tools that other tests trust. */
class FaultyLockStoreTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

    private final LockKey key = new LockKey("key", "default");
    private final Claimant claimant =
            new Claimant(new SessionId(UUID.randomUUID()), new BlockId(UUID.randomUUID()), "owner");
    private final InMemoryLockStore memory = new InMemoryLockStore();
    private final CountingLockStore counting = new CountingLockStore(memory);
    private final FaultyLockStore store = new FaultyLockStore(counting);

    @Test
    void withoutAFaultEveryCallPasses() {
        assertThat(tryAcquire()).isCompletedWithValueMatching(WriteResult.Applied.class::isInstance);
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aRejectedOrLostRequestHasNoEffect() {
        store.next(StoreOperation.TRY_ACQUIRE, Fault.THROTTLED)
                .next(StoreOperation.TRY_ACQUIRE, Fault.REFUSED)
                .next(StoreOperation.TRY_ACQUIRE, Fault.LOST_REQUEST);

        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.REFUSED);
        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);

        assertThat(isHeld()).isFalse();
        assertThat(counting.total()).isZero();
        assertThat(tryAcquire()).isCompleted();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aLostAnswerHasItsEffect() {
        store.next(StoreOperation.TRY_ACQUIRE, Fault.LOST_ANSWER);

        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aLateCallTakesEffectWhenTheTestSays() {
        store.next(StoreOperation.TRY_ACQUIRE, Fault.LANDS_LATE);

        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(isHeld()).isFalse();
        assertThat(store.lateCalls()).isEqualTo(1);

        assertThat(store.landLate()).isEqualTo(1);
        assertThat(isHeld()).isTrue();
        assertThat(store.landLate()).isZero();
    }

    @Test
    void aDuplicateTakesEffectTwice() {
        store.next(StoreOperation.TAKE_NUMBERS, Fault.LANDS_TWICE);

        long tail = store.takeNumbers(key, 1, NOW).toCompletableFuture().join().tail();
        store.landLate();

        assertThat(memory.lockState(key).tail()).isEqualTo(tail + 1);
    }

    @Test
    void aStalledCallDoesNothingUntilItIsResumed() {
        store.next(StoreOperation.TRY_ACQUIRE, Fault.STALLS);

        CompletableFuture<WriteResult> answer = tryAcquire();
        assertThat(answer).isNotDone();
        assertThat(isHeld()).isFalse();

        assertThat(store.resume()).isEqualTo(1);
        assertThat(answer).isCompleted();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aSlowAnswerComesWhenItIsResumed() {
        store.next(StoreOperation.TRY_ACQUIRE, Fault.SLOW_ANSWER);

        CompletableFuture<WriteResult> answer = tryAcquire();
        assertThat(isHeld()).isTrue();
        assertThat(answer).isNotDone();
        assertThat(store.stalledCalls()).isEqualTo(1);

        store.resume();
        assertThat(answer).isCompleted();
    }

    @Test
    void everythingButBeatsCanBeThrottledUntilTheStoreIsHealed() {
        store.createSession(claimant.session(), Duration.ofSeconds(20), "owner", NOW);
        store.everythingButBeats(Fault.THROTTLED);

        assertThat(failureOf(tryAcquire())).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(store.beat(claimant.session(), 1, Set.of(), NOW).toCompletableFuture())
                .isCompleted();

        store.heal();
        assertThat(tryAcquire()).isCompleted();
    }

    @Test
    void callsAreCountedByWhatTheyAre() {
        store.createSession(claimant.session(), Duration.ofSeconds(20), "owner", NOW);
        store.beat(claimant.session(), 1, Set.of(), NOW);
        tryAcquire();
        store.look(key, 1);
        store.readSession(claimant.session());

        assertThat(counting.writes()).isEqualTo(3);
        assertThat(counting.lockWrites()).isEqualTo(1);
        assertThat(counting.sessionWrites()).isEqualTo(2);
        assertThat(counting.reads()).isEqualTo(2);
        assertThat(counting.polls()).isEqualTo(1);
        assertThat(counting.count(StoreOperation.BEAT)).isEqualTo(1);

        counting.reset();
        assertThat(counting.total()).isZero();
    }

    private CompletableFuture<WriteResult> tryAcquire() {
        return store.tryAcquire(key, claimant, 1, NOW).toCompletableFuture();
    }

    private boolean isHeld() {
        return memory.lockState(key).isHeldBy(claimant.block());
    }

    /** The failure must be as the port says: not wrapped. */
    private static StoreFailure.Kind failureOf(CompletableFuture<?> answer) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        answer.whenComplete((result, thrown) -> failure.set(thrown));
        assertThat(failure.get()).isInstanceOf(StoreFailure.class);
        return ((StoreFailure) failure.get()).kind();
    }
}
