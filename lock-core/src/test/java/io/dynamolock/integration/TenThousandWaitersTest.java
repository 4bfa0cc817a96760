package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.Footprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ten thousand asynchronous waiters of one registry cost in threads and heap. */
// One after the other, because they measure this JVM.
@Execution(ExecutionMode.SAME_THREAD)
class TenThousandWaitersTest {

    private static final int WAITERS = 10_000;

    /** More than the first entry of a queue has slots for: the rest are served like them. */
    private static final int SERVED = 5_000;

    private static final int MAX_THREADS = 8;
    private static final long MAX_HEAP = 16L * 1024 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {1, 100})
    void tenThousandWaitersCostAtMostEightThreadsAndSixteenMebibytes(int keys) {
        InMemoryLockStore store = new InMemoryLockStore();
        IntFunction<LockRequest> request =
                i -> LockRequest.of("key-" + i % keys).waitTime(Duration.ofMinutes(10));
        try (LockRegistry holder = RegistryBuilder.of(store).build()) {
            List<LockHandle> held = new ArrayList<>();
            for (int i = 0; i < keys; i++) {
                held.add(holder.acquire(request.apply(i)));
            }
            Set<Long> threadsBefore = Footprint.threads();
            long heapBefore = Footprint.usedHeap();
            try (LockRegistry registry = RegistryBuilder.of(store).build()) {
                List<CompletableFuture<LockHandle>> futures = new ArrayList<>(WAITERS);
                for (int i = 0; i < WAITERS; i++) {
                    futures.add(registry.acquireAsync(request.apply(i)));
                }
                Awaitility.await()
                        .atMost(LockTableFixture.LONG.multipliedBy(4))
                        .until(() -> callersInQueues(store) == keys + WAITERS
                                && registry.admin().waiting() == WAITERS);

                long heap = Footprint.usedHeap() - heapBefore;
                Set<Long> threads = Footprint.threads();
                threads.removeAll(threadsBefore);
                assertThat(threads).hasSizeLessThanOrEqualTo(MAX_THREADS);
                assertThat(heap).isLessThan(MAX_HEAP);

                held.forEach(LockHandle::close);
                futures.forEach(future -> future.thenAccept(LockHandle::releaseAsync));
                List<CompletableFuture<LockHandle>> served = futures.subList(0, SERVED);
                Awaitility.await()
                        .atMost(LockTableFixture.LONG)
                        .until(() -> served.stream().allMatch(CompletableFuture::isDone));
                assertThat(served).noneMatch(CompletableFuture::isCompletedExceptionally);
            }
        }
    }

    private static int callersInQueues(InMemoryLockStore store) {
        return store.lockKeys().stream()
                .map(store::lock)
                .mapToInt(lock -> lock.slotsBefore(lock.queue().size()))
                .sum();
    }
}
