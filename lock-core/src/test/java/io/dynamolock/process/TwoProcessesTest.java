package io.dynamolock.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.DynamoLocks;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.process.WorkerProcess.Message;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two real processes on one table, and what becomes of the locks when one of them dies, stops or freezes. The times are
 * measured by the machine's monotonic clock, from just before the signal to the other process's grant.
 */
// One after the other, because they measure times.
@Execution(ExecutionMode.SAME_THREAD)
class TwoProcessesTest {

    private static final Duration LEASE = LockWorker.LEASE;
    private static final Duration AFTER_CRASH = LEASE.plusSeconds(2);
    private static final Duration AFTER_STOP = Duration.ofSeconds(1);

    /** How long to wait for what is not measured: a busy machine may take its time. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String key = "order-" + UUID.randomUUID();
    private FencedItems items;
    private WorkerProcess one;
    private WorkerProcess other;

    @BeforeEach
    void startBoth() {
        String suffix = UUID.randomUUID().toString();
        String lockTable = "locks-" + suffix;
        String itemTable = "items-" + suffix;
        DynamoLocks.builder(EmbeddedDynamoDb.client())
                .tableName(lockTable)
                .table()
                .create();
        items = new FencedItems(EmbeddedDynamoDb.client(), itemTable);
        items.createTable();
        String endpoint = EmbeddedDynamoDb.endpoint().toString();
        one = WorkerProcess.start("one", endpoint, lockTable, itemTable);
        other = WorkerProcess.start("other", endpoint, lockTable, itemTable);
        one.await("ready", "one", PATIENCE);
        other.await("ready", "other", PATIENCE);
    }

    @AfterEach
    void killBoth() {
        Stream.of(one, other).filter(Objects::nonNull).forEach(WorkerProcess::close);
    }

    @Test
    void afterAKillTheOtherProcessGoesOnWithinALeaseAndTwoSeconds() {
        Message held = holdAndQueue();

        long killedAt = one.signal("KILL");

        Message next = other.await("granted", "other-1", PATIENCE);
        assertThat(next.since(killedAt)).isLessThan(AFTER_CRASH);
        assertThat(next.number()).isGreaterThan(held.number());
        releasePassesOverTheDeadToTheNextWaiter(next);
    }

    @Test
    void afterACleanStopTheOtherProcessGoesOnWithinASecond() {
        Message held = holdAndQueue();

        long stoppedAt = one.signal("TERM");

        Message next = other.await("granted", "other-1", PATIENCE);
        assertThat(next.since(stoppedAt)).isLessThan(AFTER_STOP);
        assertThat(next.number()).isGreaterThan(held.number());
        releasePassesOverTheDeadToTheNextWaiter(next);
        one.awaitEnd(PATIENCE);
    }

    @Test
    void aProcessFrozenPastItsLeaseHasLostItsLockBeforeItDoesAnything() {
        Message held = acquire(one, "one-1");
        one.tell("write", "one-1", key);
        assertThat(one.await("wrote", "one-1", PATIENCE).isTrue()).isTrue();
        queue(other, "other-1");
        queue(one, "one-2");

        long frozenAt = one.signal("STOP");
        Message next = other.await("granted", "other-1", PATIENCE);
        assertThat(next.since(frozenAt)).isLessThan(AFTER_CRASH);
        assertThat(next.number()).isGreaterThan(held.number());
        other.tell("write", "other-1", key);
        assertThat(other.await("wrote", "other-1", PATIENCE).isTrue()).isTrue();

        // These lines wait in its input: they are the first thing it does.
        one.tell("valid", "one-1");
        one.tell("overwrite", "one-1", key);
        one.tell("release", "one-1");
        one.signal("CONT");

        assertThat(one.await("valid", "one-1", PATIENCE).isTrue()).isFalse();
        assertThat(one.await("overwrote", "one-1", PATIENCE).isTrue())
                .as("the late write was accepted")
                .isFalse();
        assertThat(one.await("released", "one-1", PATIENCE).isTrue()).isFalse();
        assertThat(items.read(key)).contains("other-1");
        theFrozenOneIsToldOfItsLoss(held);
        theSuccessorKeepsTheLockAndPassesItOnToTheFrozenOnesWaiter(next);
    }

    @Test
    void afterALeaderIsKilledTheOtherLeadsWithinALeaseAndTwoSeconds() {
        Message led = electBoth();

        long killedAt = one.signal("KILL");

        Message next = other.await("leads", "other-1", PATIENCE);
        assertThat(next.since(killedAt)).isLessThan(AFTER_CRASH);
        assertThat(next.number()).isGreaterThan(led.number());
    }

    @Test
    void aLeaderThatStopsResignsBeforeTheOtherLeadsWhichItDoesWithinASecond() {
        electBoth();

        long stoppedAt = one.signal("TERM");

        Message next = other.await("leads", "other-1", PATIENCE);
        assertThat(next.since(stoppedAt)).isLessThan(AFTER_STOP);
        assertThat(one.await("resigned", "one-1", PATIENCE).nanos()).isLessThan(next.nanos());
        one.awaitEnd(PATIENCE);
    }

    @Test
    void aLeaderThatWasFrozenPastItsLeaseLeadsNoMoreWhenItWakesAndIsTold() {
        Message led = electBoth();
        one.tell("write", "one-1", key);
        assertThat(one.await("wrote", "one-1", PATIENCE).isTrue()).isTrue();

        long frozenAt = one.signal("STOP");
        Message next = other.await("leads", "other-1", PATIENCE);
        assertThat(next.since(frozenAt)).isLessThan(AFTER_CRASH);
        assertThat(next.number()).isGreaterThan(led.number());
        other.tell("write", "other-1", key);
        assertThat(other.await("wrote", "other-1", PATIENCE).isTrue()).isTrue();

        // These lines wait in its input: they are the first thing it does.
        one.tell("is-leader", "one-1");
        one.tell("overwrite", "one-1", key);
        one.signal("CONT");

        assertThat(one.await("is-leader", "one-1", PATIENCE).isTrue()).isFalse();
        assertThat(one.await("overwrote", "one-1", PATIENCE).isTrue())
                .as("the late write was accepted")
                .isFalse();
        assertThat(items.read(key)).contains("other-1");
        assertThat(one.await("revoked", "one-1", PATIENCE).isTrue()).isFalse();

        one.await("queued", key, PATIENCE);
        other.tell("yield", "other-1");
        assertThat(one.await("leads", "one-1", next.number(), PATIENCE).nanos())
                .isGreaterThan(other.await("resigned", "other-1", PATIENCE).nanos());
    }

    /** The one leads, the other waits. */
    private Message electBoth() {
        one.tell("elect", "one-1", key);
        Message led = one.await("leads", "one-1", PATIENCE);
        other.tell("elect", "other-1", key);
        other.await("queued", key, PATIENCE);
        return led;
    }

    private void theFrozenOneIsToldOfItsLoss(Message held) {
        assertThat(one.await("lost", "one-1", PATIENCE).number()).isEqualTo(held.number());
        assertThat(one.await("told-of-loss", "one-1", PATIENCE).isTrue())
                .as("the handle was valid when its owner was told of the loss")
                .isFalse();
        one.await("session-lost", "-", PATIENCE);
    }

    private void theSuccessorKeepsTheLockAndPassesItOnToTheFrozenOnesWaiter(Message next) {
        other.tell("valid", "other-1");
        assertThat(other.await("valid", "other-1", PATIENCE).isTrue()).isTrue();
        assertThat(one.hasSaid("granted", "one-2")).isFalse();
        other.tell("release", "other-1");
        assertThat(other.await("released", "other-1", PATIENCE).isTrue()).isTrue();
        assertThat(one.await("granted", "one-2", PATIENCE).number()).isGreaterThan(next.number());
    }

    /** The holder is in the one process; both wait behind it, in turns. */
    private Message holdAndQueue() {
        Message held = acquire(one, "one-1");
        queue(one, "one-2");
        queue(other, "other-1");
        queue(one, "one-3");
        queue(other, "other-2");
        return held;
    }

    private void releasePassesOverTheDeadToTheNextWaiter(Message next) {
        other.tell("release", "other-1");
        assertThat(other.await("released", "other-1", PATIENCE).isTrue()).isTrue();
        Message last = other.await("granted", "other-2", PATIENCE);
        assertThat(last.number()).isGreaterThan(next.number());
    }

    private Message acquire(WorkerProcess worker, String id) {
        worker.tell("acquire", id, key);
        return worker.await("granted", id, PATIENCE);
    }

    private void queue(WorkerProcess worker, String id) {
        worker.tell("acquire", id, key);
        worker.await("queued", id, PATIENCE);
    }
}
