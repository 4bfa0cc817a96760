package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.RegistryBuilder;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However an attempt or a hold ends, nothing is left in the table of DynamoDB Local but the lock item. */
class EveryWayOutTest {

    private static final String KEY = "customer-42";

    private final LockTableFixture table = new LockTableFixture();
    private final FaultyLockStore faults = new FaultyLockStore(table.store());
    private LockRegistry holder;
    private LockRegistry registry;

    @BeforeEach
    void open() {
        holder = table.registry().owner("holder").build();
        registry = RegistryBuilder.of(faults)
                .owner("other")
                .lease(Duration.ofSeconds(12))
                .callTimeout(Duration.ofSeconds(1))
                .build();
    }

    @AfterEach
    void nothingIsLeft() {
        faults.heal();
        table.allQueuesBecomeEmpty();
        holder.close();
        registry.close();
        table.onlyFreeLockItemsAreLeft();
    }

    @Test
    void aCallThatDoesNotWaitFindsTheLockHeld() {
        try (LockHandle held = holder.acquire(KEY, LockTableFixture.LONG)) {
            assertThat(registry.tryAcquire(KEY)).isEmpty();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void aFiniteWaitEnds() {
        try (LockHandle held = holder.acquire(KEY, LockTableFixture.LONG)) {
            assertThatThrownBy(() -> registry.acquire(KEY, Duration.ofSeconds(2)))
                    .isInstanceOfSatisfying(
                            LockTimeoutException.class, e -> assertThat(e).hasMessageContaining("holder"));
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void aFiniteAndAnInfiniteWaitEndInAGrant() {
        LockHandle held = holder.acquire(KEY, LockTableFixture.LONG);
        CompletableFuture<LockHandle> finite =
                registry.acquireAsync(LockRequest.of(KEY).wait(Duration.ofSeconds(30)));
        CompletableFuture<LockHandle> infinite =
                registry.acquireAsync(LockRequest.of(KEY).waitForever());
        waitingInTheTable();

        held.close();

        finite.join().close();
        infinite.join().close();
    }

    @Test
    void aWaitingThreadIsInterrupted() throws InterruptedException {
        try (LockHandle held = holder.acquire(KEY, LockTableFixture.LONG)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    registry.acquire(LockRequest.of(KEY).waitForever());
                } catch (LockInterruptedException e) {
                    thrown.set(e);
                }
            });
            thread.start();
            waitingInTheTable();

            thread.interrupt();
            thread.join();

            assertThat(thrown.get()).isInstanceOf(LockInterruptedException.class);
            assertThat(held.isValid()).isTrue();
            leftTheQueue();
        }
    }

    @Test
    void aFutureIsCancelled() {
        try (LockHandle held = holder.acquire(KEY, LockTableFixture.LONG)) {
            CompletableFuture<LockHandle> future =
                    registry.acquireAsync(LockRequest.of(KEY).waitForever());
            waitingInTheTable();

            future.cancel(false);

            leftTheQueue();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void theRegistryIsClosedWhileACallerWaits() {
        try (LockHandle held = holder.acquire(KEY, LockTableFixture.LONG)) {
            CompletableFuture<LockHandle> future =
                    registry.acquireAsync(LockRequest.of(KEY).waitForever());
            waitingInTheTable();

            registry.close();

            assertThatThrownBy(future::join).hasCauseInstanceOf(LockClosedException.class);
            leftTheQueue();
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    void theRegistryIsClosedWhileItHolds() {
        LockHandle held = registry.acquire(KEY, LockTableFixture.LONG);

        registry.close();

        assertThat(held.isValid()).isFalse();
        holder.acquire(KEY, Duration.ofSeconds(10)).close();
    }

    /** As with an IAM policy that lacks an action. */
    @ParameterizedTest
    @EnumSource(names = {"BEGIN_SESSION", "EDIT", "READ"})
    void aMissingPermissionFailsEvenThoseWhoWaitForEver(StoreOperation operation) {
        LockHandle held = holder.acquire(KEY, LockTableFixture.LONG);
        faults.always(operation, Fault.REFUSED);

        CompletableFuture<LockHandle> waiting =
                registry.acquireAsync(LockRequest.of(KEY).waitForever());

        assertThat(waiting)
                .failsWithin(LockTableFixture.LONG)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class)
                .withMessageContaining(operation.toString());
        assertThat(held.isValid()).isTrue();
        leftTheQueue();
        held.close();
    }

    private void waitingInTheTable() {
        Awaitility.await().atMost(LockTableFixture.LONG).until(() -> table.placesTaken(KEY) == 2);
    }

    private void leftTheQueue() {
        Awaitility.await().atMost(LockTableFixture.LONG).until(() -> table.placesTaken(KEY) == 1);
    }
}
