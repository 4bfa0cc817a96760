package io.dynamolock.spring.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.Footprint;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.LockedProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/**
 * Two thousand subscribers of locked methods at once: what they cost while they wait, and that they exclude each other.
 */
class ManySubscribersTest {

    private static final int SUBSCRIBERS = 2_000;
    private static final int MAX_THREADS = 8;
    private static final long MAX_HEAP_EACH = 4 * 1024;
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AtomicInteger done = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();

    static class Work {

        private final AtomicIntegerArray inside = new AtomicIntegerArray(SUBSCRIBERS);
        private final AtomicInteger overlaps;

        Work(AtomicInteger overlaps) {
            this.overlaps = overlaps;
        }

        @DynamoLocked(key = "'key-' + #key")
        public Mono<Integer> run(int key) {
            if (inside.incrementAndGet(key) > 1) {
                overlaps.incrementAndGet();
            }
            return Mono.just(key).doOnNext(any -> inside.decrementAndGet(key));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 200})
    void waitingSubscribersNeedNoThreadAndRunOneAfterTheOther(int keys) {
        InMemoryLockStore store = new InMemoryLockStore();
        try (LockRegistry holder = RegistryBuilder.of(store).build();
                LockRegistry registry = RegistryBuilder.of(store).build()) {
            List<LockHandle> held = new ArrayList<>();
            for (int key = 0; key < keys; key++) {
                held.add(holder.acquire("key-" + key, LONG));
            }
            Work work = LockedProxy.of(new Work(overlaps), registry);
            Set<Long> threadsBefore = Footprint.threads();
            long heapBefore = Footprint.usedHeap();
            for (int i = 0; i < SUBSCRIBERS; i++) {
                work.run(i % keys).subscribe(key -> done.incrementAndGet());
            }
            Awaitility.await().atMost(LONG).until(() -> registry.admin().waiting() == SUBSCRIBERS);
            long heapEach = (Footprint.usedHeap() - heapBefore) / SUBSCRIBERS;
            Set<Long> threads = Footprint.threads();
            threads.removeAll(threadsBefore);
            System.out.println(SUBSCRIBERS + " subscribers on " + keys + " keys: " + threads.size() + " threads more, "
                    + heapEach + " bytes of heap each");
            assertThat(threads).hasSizeLessThanOrEqualTo(MAX_THREADS);
            assertThat(heapEach).isLessThan(MAX_HEAP_EACH);

            held.forEach(LockHandle::close);
            Awaitility.await().atMost(LONG).until(() -> done.get() == SUBSCRIBERS);
            assertThat(overlaps).hasValue(0);
            assertThat(registry.admin().held()).isEmpty();
        }
    }
}
