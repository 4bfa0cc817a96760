package io.dynamolock.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.DynamoLocks;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.store.testing.EmbeddedDynamoDb;
import io.dynamolock.process.WorkerProcess.Message;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A process that only runs while it serves a call, as on AWS Lambda: between calls it is frozen, for longer than a lease, and
 * sends no heartbeat. Another process of the same table is the test's own.
 */
// One after the other, because they measure times.
@Execution(ExecutionMode.SAME_THREAD)
class FrozenBetweenCallsTest {

    private static final Duration LEASE = LockWorker.LEASE;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String key = "order-" + UUID.randomUUID();
    private WorkerProcess function;
    private LockRegistry others;

    @BeforeEach
    void start() {
        String lockTable = "locks-" + UUID.randomUUID();
        others = DynamoLocks.builder(EmbeddedDynamoDb.client())
                .tableName(lockTable)
                .owner("another")
                .lease(LEASE)
                .heartbeat(Duration.ofSeconds(1))
                .build();
        DynamoLocks.builder(EmbeddedDynamoDb.client())
                .tableName(lockTable)
                .table()
                .create();
        function = WorkerProcess.start("function", EmbeddedDynamoDb.endpoint().toString(), lockTable);
        function.await("ready", "function", PATIENCE);
        others.acquire("warm up", PATIENCE).close();
    }

    @AfterEach
    void end() {
        function.close();
        others.close();
    }

    @Test
    void aFrozenProcessThatHoldsNothingIsInNobodysWayAndItsNextCallWorks() {
        Message before = call("call-1");

        function.signal("STOP");
        othersGetItAtOnceAfter(before);
        passMoreThanALease();
        function.signal("CONT");

        Message after = call("call-2");
        assertThat(after.number()).isGreaterThan(before.number());
        function.await("session-lost", "-", PATIENCE);
    }

    @Test
    void aProcessThatPausesBeforeItIsFrozenIsInNobodysWayThoughItHeldALock() {
        function.tell("acquire", "call-1", key);
        Message held = function.await("granted", "call-1", PATIENCE);
        function.tell("pause", "function");
        assertThat(function.await("paused", "function", PATIENCE).isTrue()).isTrue();

        function.signal("STOP");
        othersGetItAtOnceAfter(held);
        passMoreThanALease();
        function.signal("CONT");

        function.tell("resume", "function");
        assertThat(call("call-2").number()).isGreaterThan(held.number());
    }

    /** A try that does not wait would not get it if anybody were ahead. */
    private void othersGetItAtOnceAfter(Message former) {
        try (LockHandle handle = others.tryAcquire(key).orElseThrow()) {
            assertThat(handle.fencingToken()).isGreaterThan(former.number());
        }
    }

    /** Holds the lock for a moment, as a short call does. */
    private Message call(String id) {
        function.tell("acquire", id, key);
        Message granted = function.await("granted", id, PATIENCE);
        function.tell("release", id);
        assertThat(function.await("released", id, PATIENCE).isTrue()).isTrue();
        return granted;
    }

    private static void passMoreThanALease() {
        try {
            // Nothing ends this wait: it is the time that counts.
            assertThat(new CountDownLatch(1).await(LEASE.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
