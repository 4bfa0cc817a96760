package io.dynamolock.store.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.data.LockData;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.protocol.SessionId;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.BlockId;
import io.dynamolock.protocol.Dispute;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.Eviction;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.SessionItem;
import io.dynamolock.protocol.SessionStep;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The tools that other tests trust. */
class FaultyLockStoreTest {

    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");

    private final LockKey key = new LockKey("key", "default");
    private final SessionId session = SessionId.of(1);
    private final Entry entry = new Entry(new BlockId(session, 1), 1);
    private final InMemoryLockStore memory = new InMemoryLockStore();
    private final CountingLockStore counting = new CountingLockStore(memory);
    private final FaultyLockStore store = new FaultyLockStore(counting);

    @Test
    void withoutAFaultEveryCallPasses() {
        assertThat(ask()).isCompletedWithValueMatching(Answer.Applied.class::isInstance);
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aRejectedOrLostRequestHasNoEffect() {
        store.next(StoreOperation.ASK, Fault.THROTTLED)
                .next(StoreOperation.ASK, Fault.REFUSED)
                .next(StoreOperation.ASK, Fault.LOST_REQUEST);

        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.REFUSED);
        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);

        assertThat(isHeld()).isFalse();
        assertThat(counting.total()).isZero();
        assertThat(ask()).isCompleted();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aLostAnswerHasItsEffect() {
        store.next(StoreOperation.ASK, Fault.LOST_ANSWER);

        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aLateCallTakesEffectWhenTheTestSays() {
        store.next(StoreOperation.ASK, Fault.LANDS_LATE);

        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.UNAVAILABLE);
        assertThat(isHeld()).isFalse();
        assertThat(store.lateCalls()).isEqualTo(1);

        assertThat(store.landLate()).isEqualTo(1);
        assertThat(isHeld()).isTrue();
        assertThat(store.landLate()).isZero();
    }

    @Test
    void aDuplicateReachesTheStoreTwice() {
        store.next(StoreOperation.ASK, Fault.LANDS_TWICE);

        assertThat(ask()).isCompletedWithValueMatching(Answer::isApplied);
        assertThat(counting.count(StoreOperation.ASK)).isEqualTo(1);

        store.landLate();
        assertThat(counting.count(StoreOperation.ASK)).isEqualTo(2);
    }

    @Test
    void aStalledCallDoesNothingUntilItIsResumed() {
        store.next(StoreOperation.ASK, Fault.STALLS);

        CompletableFuture<Answer<LockItem>> answer = ask();
        assertThat(answer).isNotDone();
        assertThat(isHeld()).isFalse();

        assertThat(store.resume()).isEqualTo(1);
        assertThat(answer).isCompleted();
        assertThat(isHeld()).isTrue();
    }

    @Test
    void aSlowAnswerComesWhenItIsResumed() {
        store.next(StoreOperation.ASK, Fault.SLOW_ANSWER);

        CompletableFuture<Answer<LockItem>> answer = ask();
        assertThat(isHeld()).isTrue();
        assertThat(answer).isNotDone();
        assertThat(store.stalledCalls()).isEqualTo(1);

        store.resume();
        assertThat(answer).isCompleted();
    }

    @Test
    void everythingButBeatsCanBeThrottledUntilTheStoreIsHealed() {
        begin();
        store.everythingButBeats(Fault.THROTTLED);

        assertThat(failureOf(ask())).isEqualTo(StoreFailure.Kind.THROTTLED);
        assertThat(beat()).isCompletedWithValueMatching(Answer::isApplied);

        store.heal();
        assertThat(ask()).isCompleted();
    }

    @Test
    void callsAreCountedByWhatTheyAre() {
        begin();
        beat();
        ask();
        store.look(key, false);
        store.sessions(Set.of(session));

        assertThat(counting.writes()).isEqualTo(3);
        assertThat(counting.lockWrites()).isEqualTo(1);
        assertThat(counting.sessionWrites()).isEqualTo(2);
        assertThat(counting.reads()).isEqualTo(2);
        assertThat(counting.looks()).isEqualTo(1);
        assertThat(counting.count(StoreOperation.BEAT)).isEqualTo(1);

        counting.reset();
        assertThat(counting.total()).isZero();
    }

    @Test
    void eachStepIsAnOperationOfItsOwn() {
        store.take(key, new Step.Ask(entry, 1, 5), NOW);
        store.take(key, new Step.Grow(0, entry, 1), NOW);
        store.take(key, Step.Leave.of(0, entry), NOW);
        store.take(key, new Step.Rename(entry, entry), NOW);
        store.take(key, new Step.Put(entry, 0, LockData.EMPTY), NOW);
        store.locks(null, null);
        store.take(session, new SessionStep.Bury(1), NOW);
        store.take(session, new SessionStep.End(), NOW);
        store.take(session, new SessionStep.Raise(new Dispute(key, entry.block())), NOW);
        store.take(session, new SessionStep.Evict(Eviction.of(key, entry, 1)), NOW);

        assertThat(counting.counts())
                .containsOnly(
                        Map.entry(StoreOperation.ASK, 1),
                        Map.entry(StoreOperation.GROW, 1),
                        Map.entry(StoreOperation.LEAVE, 1),
                        Map.entry(StoreOperation.RENAME, 1),
                        Map.entry(StoreOperation.PUT, 1),
                        Map.entry(StoreOperation.LIST_LOCKS, 1),
                        Map.entry(StoreOperation.BURY, 1),
                        Map.entry(StoreOperation.END_SESSION, 1),
                        Map.entry(StoreOperation.RAISE_DISPUTE, 1),
                        Map.entry(StoreOperation.EVICT, 1));
    }

    private CompletableFuture<Answer<LockItem>> ask() {
        return store.take(key, new Step.Ask(entry, 100, 5), NOW).toCompletableFuture();
    }

    private void begin() {
        store.take(session, new SessionStep.Begin(Duration.ofSeconds(20), "owner", NOW), NOW);
    }

    private CompletableFuture<Answer<Optional<SessionItem>>> beat() {
        return store.take(session, new SessionStep.Beat(1, Set.of(), NOW), NOW).toCompletableFuture();
    }

    private boolean isHeld() {
        return entry.equals(memory.lock(key).first());
    }

    /** The failure must be as the port says: not wrapped. */
    private static StoreFailure.Kind failureOf(CompletableFuture<?> answer) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        answer.whenComplete((result, thrown) -> failure.set(thrown));
        assertThat(failure.get()).isInstanceOf(StoreFailure.class);
        return ((StoreFailure) failure.get()).kind();
    }
}
