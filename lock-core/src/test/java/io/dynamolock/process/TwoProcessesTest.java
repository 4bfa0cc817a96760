package io.dynamolock.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.DynamoLocks;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.process.WorkerProcess.Message;
import java.time.Duration;
import java.util.List;
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
    void afterAKillTheOtherProcessGoesOnAndLeadsWithinALeaseAndTwoSeconds() {
        Message led = electBoth();
        Message held = holdAndQueue();

        long killedAt = one.signal("KILL");

        theOtherGoesOn(held, led, killedAt, AFTER_CRASH);
    }

    @Test
    void afterACleanStopTheOtherProcessGoesOnAndLeadsWithinASecond() {
        Message led = electBoth();
        Message held = holdAndQueue();

        long stoppedAt = one.signal("TERM");

        Message leads = theOtherGoesOn(held, led, stoppedAt, AFTER_STOP);
        assertThat(one.await("resigned", "one-leads", PATIENCE).nanos()).isLessThan(leads.nanos());
        one.awaitEnd(PATIENCE);
    }

    @Test
    void aProcessFrozenPastItsLeaseHasLostItsLocksBeforeItDoesAnything() {
        Message led = electBoth();
        Message held = acquire(one, "one-1");
        one.tell("write", "one-1", key);
        assertThat(one.await("wrote", "one-1", PATIENCE).isTrue()).isTrue();
        queue(other, "other-1");
        queue(one, "one-2");

        long frozenAt = one.signal("STOP");
        Message next = other.await("granted", "other-1", PATIENCE);
        Message leads = other.await("leads", "other-leads", PATIENCE);
        assertThat(List.of(next, leads))
                .allSatisfy(each -> assertThat(each.since(frozenAt)).isLessThan(AFTER_CRASH));
        assertThat(next.number()).isGreaterThan(held.number());
        assertThat(leads.number()).isGreaterThan(led.number());
        other.tell("write", "other-1", key);
        assertThat(other.await("wrote", "other-1", PATIENCE).isTrue()).isTrue();

        // These lines wait in its input: they are the first thing it does.
        one.tell("valid", "one-1");
        one.tell("is-leader", "one-leads");
        one.tell("overwrite", "one-1", key);
        one.tell("release", "one-1");
        one.signal("CONT");

        for (String what : List.of("valid", "overwrote", "released", "told-of-loss")) {
            assertThat(one.await(what, "one-1", PATIENCE).isTrue()).as(what).isFalse();
        }
        for (String what : List.of("is-leader", "revoked")) {
            assertThat(one.await(what, "one-leads", PATIENCE).isTrue()).as(what).isFalse();
        }
        assertThat(items.read(key)).contains("other-1");
        assertThat(one.await("lost", "one-1", PATIENCE).number()).isEqualTo(held.number());
        one.await("session-lost", "-", PATIENCE);
        theSuccessorKeepsTheLocksAndPassesThemOnToTheFrozenOne(next, leads);
    }

    /** Both the lock and the leadership, the former past the dead to its next waiter. @return how it leads */
    private Message theOtherGoesOn(Message held, Message led, long since, Duration most) {
        Message next = other.await("granted", "other-1", PATIENCE);
        Message leads = other.await("leads", "other-leads", PATIENCE);
        assertThat(List.of(next, leads))
                .allSatisfy(each -> assertThat(each.since(since)).isLessThan(most));
        assertThat(next.number()).isGreaterThan(held.number());
        assertThat(leads.number()).isGreaterThan(led.number());
        other.tell("release", "other-1");
        assertThat(other.await("granted", "other-2", PATIENCE).number()).isGreaterThan(next.number());
        return leads;
    }

    /** The one leads, the other waits. */
    private Message electBoth() {
        one.tell("elect", "one-leads", key);
        Message led = one.await("leads", "one-leads", PATIENCE);
        other.tell("elect", "other-leads", key);
        other.await("queued", key, PATIENCE);
        return led;
    }

    private void theSuccessorKeepsTheLocksAndPassesThemOnToTheFrozenOne(Message next, Message leads) {
        other.tell("valid", "other-1");
        assertThat(other.await("valid", "other-1", PATIENCE).isTrue()).isTrue();
        assertThat(one.hasSaid("granted", "one-2")).isFalse();
        other.tell("release", "other-1");
        assertThat(one.await("granted", "one-2", PATIENCE).number()).isGreaterThan(next.number());

        one.await("queued", key, PATIENCE);
        other.tell("yield", "other-leads");
        assertThat(one.await("leads", "one-leads", leads.number(), PATIENCE).nanos())
                .isGreaterThan(other.await("resigned", "other-leads", PATIENCE).nanos());
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

    private Message acquire(WorkerProcess worker, String id) {
        worker.tell("acquire", id, key);
        return worker.await("granted", id, PATIENCE);
    }

    private void queue(WorkerProcess worker, String id) {
        worker.tell("acquire", id, key);
        worker.await("queued", id, PATIENCE);
    }
}
