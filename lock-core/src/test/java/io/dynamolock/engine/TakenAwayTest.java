package io.dynamolock.engine;

import static io.dynamolock.engine.EngineBench.KEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.testing.Fault;
import io.dynamolock.store.testing.StoreOperation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody deletes or empties a lock's item: any answer about that lock tells, that to the release at the latest. */
class TakenAwayTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final EngineBench bench = EngineBench.started();
    private final List<String> told = new ArrayList<>();
    private Grant held;

    @BeforeEach
    void holdTheLock() {
        held = bench.hold();
        held.onLost(() -> told.add("lost"));
    }

    @Test
    void theReleaseOfALockWhoseItemWasDeletedAnswersFalseAndTellsTheLoss() {
        bench.table.evictLock(KEY);

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(told).containsExactly("lost");
        assertThat(bench.events).endsWith("lost after PT0S: TAKEN_AWAY").doesNotContain("released after PT0S");
        assertThat(bench.lock()).isEqualTo(LockItem.ABSENT);
        assertThat(bench.engine.locksInUse()).isZero();
    }

    @Test
    void theReleaseOfALockWhoseQueueWasEmptiedAnswersFalse() {
        emptyTheQueue();

        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(told).containsExactly("lost");
    }

    @Test
    void theReleaseOfALockThatSomebodyElseGotMeanwhileAnswersFalseAndTakesNothingFromIt() {
        bench.table.evictLock(KEY);
        EngineBench.Stranger thief = bench.stranger(1).asks();

        CompletableFuture<Boolean> released = held.release();
        bench.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(false);
        assertThat(thief.stands()).isTrue();
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void theReleaseAnswersFalseThoughItsProcessGetsTheLockAnewMeanwhile() {
        bench.table.evictLock(KEY);
        bench.faults.next(StoreOperation.LEAVE, Fault.SLOW_ANSWER);
        CompletableFuture<Boolean> released = held.release();
        bench.time.settle();
        // An ask that is repeated needs a new number, and so another write, before the grant.
        bench.faults.next(StoreOperation.ASK, Fault.LOST_ANSWER).next(StoreOperation.RENAME, Fault.SLOW_ANSWER);
        Acquisition next = bench.acquireAndSettle();
        bench.time.advance(SECOND);
        assertThat(next.outcome()).isNotDone();

        bench.faults.resume();
        bench.time.settle();

        assertThat(released).isCompletedWithValue(false);
        assertThat(next).matches(Cluster::isGranted);
    }

    @Test
    void theAnswerToAChangeOfThePermitsTells() {
        bench.table.evictLock(KEY);

        bench.engine.resize(KEY, 3);
        bench.time.settle();

        assertThat(held.isValid()).isFalse();
        assertThat(told).containsExactly("lost");
    }

    @Test
    void theAnswerToACallerThatWantsToJoinTells() {
        bench.table.evictLock(KEY);

        Acquisition next = bench.join();

        assertThat(held.isValid()).isFalse();
        assertThat(told).containsExactly("lost");
        assertThat(held.release()).isCompletedWithValue(false);
        bench.time.settle();
        assertThat(next).as("asks for itself").matches(Cluster::isGranted);
        assertThat(bench.events).filteredOn(event -> event.startsWith("lost")).hasSize(1);
    }

    @Test
    void theAnswerThatKeepsTheItemTells() {
        bench.table.evictLock(KEY);

        bench.time.advance(EngineBench.SETTINGS.retention().dividedBy(2));

        assertThat(held.isValid()).isFalse();
        assertThat(told).containsExactly("lost");
    }

    @Test
    void theRenameOfALockWhoseItemWasDeletedIsTheEndOfTheHold() {
        held.release();
        bench.time.settle();
        Grant hung = bench.grantOf(bench.acquireWithMaxHold(SECOND));
        Acquisition next = bench.join();
        bench.table.evictLock(KEY);

        bench.time.advance(SECOND);
        bench.time.settle();

        assertThat(hung.isValid()).isFalse();
        assertThat(bench.grantOf(next).number()).isGreaterThan(hung.number());
        assertThat(bench.queue()).hasSize(1);
    }

    @Test
    void theCallersBehindALossAskAnewInTheirOrder() {
        Acquisition second = bench.join();
        Acquisition third = bench.join();
        bench.table.evictLock(KEY);
        EngineBench.Stranger thief = bench.stranger(1).asks();
        Acquisition fourth = bench.join();
        assertThat(told).containsExactly("lost");

        thief.leaves();
        bench.time.advance(SECOND);

        Grant two = bench.grantOf(second);
        two.release();
        Grant three = bench.grantOf(third);
        three.release();
        assertThat(List.of(two.number(), three.number(), bench.grantOf(fourth).number()))
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void aCallerThatWaitsInADeletedItemAsksAnew() {
        held.release();
        bench.time.settle();
        EngineBench.Stranger holder = bench.stranger(1).asks();
        Acquisition waiting = bench.acquireAndSettle();
        bench.table.evictLock(KEY);
        assertThat(holder.stands()).isFalse();

        bench.time.advance(SECOND);

        assertThat(waiting).matches(Cluster::isGranted);
        assertThat(bench.calls.consistentLooks()).as("one that made sure").isOne();
    }

    @Test
    void aLookThatIsOlderThanTheAskIsNoLoss() {
        held.release();
        bench.time.settle();
        EngineBench.Stranger holder = bench.stranger(1).asks();
        bench.faults.next(StoreOperation.LOOK, Fault.SLOW_ANSWER);
        Acquisition first = bench.acquireAndSettle();
        bench.time.advance(SECOND);
        assertThat(bench.faults.stalledCalls()).as("a look at two places").isOne();
        first.abandon();
        bench.time.settle();
        Acquisition second = bench.acquireAndSettle();
        bench.calls.reset();

        bench.faults.resume();
        bench.time.settle();
        bench.time.advance(SECOND);

        assertThat(second.outcome()).isNotDone();
        assertThat(bench.count(StoreOperation.ASK)).isZero();
        assertThat(bench.queue()).hasSize(2);
        assertThat(holder.stands()).isTrue();
    }

    @Test
    void aReleaseWhoseFirstAnswerWasLostIsNoLoss() {
        bench.faults.next(StoreOperation.LEAVE, Fault.LOST_ANSWER);

        CompletableFuture<Boolean> released = held.release();
        bench.time.advance(SECOND);

        assertThat(released).isCompletedWithValue(true);
        assertThat(told).isEmpty();
        assertThat(bench.queue()).isEmpty();
    }

    private void emptyTheQueue() {
        bench.table.take(KEY, Step.Leave.of(0, bench.queue().get(0)), bench.time.now());
    }
}
