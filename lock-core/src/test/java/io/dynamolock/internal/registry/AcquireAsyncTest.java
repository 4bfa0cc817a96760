package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AcquireAsyncTest {

    private static final LockRequest REQUEST = LockRequest.of("k");

    private final FakeEngine engine = new FakeEngine();
    private final DefaultLockRegistry registry = engine.registry();

    @Test
    void completesWithAHandleOffTheEventLoop() {
        // A handle that nobody keeps is released.
        List<LockHandle> kept = new ArrayList<>();
        CompletableFuture<Thread> continuation = registry.acquireAsync(REQUEST).thenApply(handle -> {
            kept.add(handle);
            return Thread.currentThread();
        });
        assertThat(continuation).isNotDone();

        engine.attempt(0).grant();

        assertThat(continuation.orTimeout(10, TimeUnit.SECONDS).join())
                .isNotEqualTo(Thread.currentThread())
                .satisfies(thread -> assertThat(thread.isDaemon()).isTrue())
                .satisfies(thread -> assertThat(thread.getName()).startsWith("dynamolock-async"));
        assertThat(engine.attempt(0).abandons).hasValue(0);
        assertThat(engine.attempt(0).grant.releases).hasValue(0);
        assertThat(kept).hasSize(1);
    }

    @Test
    void completesExceptionallyWithTheExceptionThatABlockingCallerGets() {
        StoreFailure failure = new StoreFailure(StoreFailure.Kind.THROTTLED, "slow down", null);
        Map<AcquireOutcome, Class<? extends LockException>> thrown = Map.of(
                new AcquireOutcome.TimedOut(Duration.ofSeconds(1), 1, null), LockTimeoutException.class,
                new AcquireOutcome.Failed(Duration.ofSeconds(1), failure), LockStoreException.class,
                new AcquireOutcome.Closed(), LockClosedException.class);

        thrown.forEach((outcome, type) -> {
            engine.answering(outcome);
            assertThat(registry.acquireAsync(REQUEST))
                    .failsWithin(Duration.ofSeconds(10))
                    .withThrowableThat()
                    .withCauseExactlyInstanceOf(type);
        });
    }

    @Test
    void leavesTheQueueWhenTheFutureIsCompletedBySomebodyElse() {
        registry.acquireAsync(REQUEST).completeExceptionally(new IllegalStateException());
        registry.acquireAsync(REQUEST)
                .complete(new GrantHandle(
                        engine.attempt(0).grant,
                        new RegistryThreads(null, task -> task).ofUsers(),
                        Fences.NONE,
                        new UnawaitedReleases(8),
                        ObservedCaller.UNOBSERVED));

        assertThat(engine.attempt(0).abandons).hasValue(1);
        assertThat(engine.attempt(1).abandons).hasValue(1);
    }

    @Test
    void releasesALockAtOnceThatWasGrantedBeforeTheFutureWasCancelled() {
        CompletableFuture<Runnable> delivery = new CompletableFuture<>();
        CompletableFuture<LockHandle> future = delivering(delivery).acquireAsync(REQUEST);
        engine.attempt(0).grant();
        delivery.orTimeout(10, TimeUnit.SECONDS).join();

        future.cancel(false);

        assertThat(engine.attempt(0).grant.releases).hasValue(1);
    }

    @Test
    void releasesALockThatWasGrantedBeforeTheFutureWasCompletedBySomebodyElse() {
        CompletableFuture<Runnable> delivery = new CompletableFuture<>();
        CompletableFuture<LockHandle> future = delivering(delivery).acquireAsync(REQUEST);
        engine.attempt(0).grant();
        Runnable deliver = delivery.orTimeout(10, TimeUnit.SECONDS).join();

        future.complete(null);
        deliver.run();

        assertThat(engine.attempt(0).grant.releases).hasValue(1);
    }

    /** The form that the Javadoc of acquireAsync shows. */
    private static CompletableFuture<Long> work(
            CompletableFuture<LockHandle> lock, Function<LockHandle, CompletableFuture<Long>> book) {
        CompletableFuture<Long> work = lock.thenCompose(book);
        work.whenComplete((receipt, failure) -> {
            lock.cancel(false);
            lock.thenAccept(LockHandle::releaseAsync);
        });
        return work;
    }

    @Test
    void cancellingADerivedFutureGivesBackALockThatIsHeld() {
        CompletableFuture<Long> neverDone = new CompletableFuture<>();
        CompletableFuture<LockHandle> lock = registry.acquireAsync(REQUEST);
        CompletableFuture<Long> work = work(lock, handle -> neverDone);
        engine.attempt(0).grant();
        lock.orTimeout(10, TimeUnit.SECONDS).join();
        assertThat(engine.attempt(0).grant.releases).hasValue(0);

        work.cancel(true);

        await().untilAsserted(() -> assertThat(engine.attempt(0).grant.releases).hasValue(1));
    }

    @Test
    void aDerivedFutureThatEndsGivesTheLockBack() {
        for (CompletableFuture<Long> end : List.of(
                CompletableFuture.completedFuture(1L),
                CompletableFuture.<Long>failedFuture(new IllegalStateException("sold out")))) {
            FakeEngine granting = new FakeEngine().granting();
            work(granting.registry().acquireAsync(REQUEST), handle -> end);

            await().untilAsserted(
                            () -> assertThat(granting.attempt(0).grant.releases).hasValue(1));
        }
    }

    /** Does not run what completes futures, but hands it out. */
    private DefaultLockRegistry delivering(CompletableFuture<Runnable> delivery) {
        return engine.registry(new RegistryThreads(delivery::complete, task -> task), 0, Duration.ofSeconds(1));
    }

    @Test
    void releasesALockWhoseFutureNobodyKept() {
        registry.acquireAsync(REQUEST);
        FakeGrant grant = engine.attempt(0).grant;

        engine.attempt(0).grant();
        engine.attempts.clear();

        await().until(() -> {
            System.gc();
            return grant.releases.get() == 1;
        });
    }
}
