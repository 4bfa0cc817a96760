package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Two registries on one table of DynamoDB Local, as two processes would have. */
class FifoAcrossRegistriesTest {

    private static final LockRequest REQUEST = LockRequest.of("customer-42").waitForever();

    @Test
    void fiftyWaitersOnEachOfTwoRegistriesAreServedOneByOneInTheOrderOfTheirTickets() {
        LockTableFixture table = new LockTableFixture();
        List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
        List<String> order = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger inside = new AtomicInteger();
        try (LockRegistry one = table.registry().owner("one").build();
                LockRegistry two = table.registry().owner("two").build()) {
            LockHandle first = one.acquire(REQUEST);
            numbered(table, 0);
            List<CompletableFuture<Void>> sections = new ArrayList<>();
            List<String> arrivals = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                for (LockRegistry registry : List.of(one, two)) {
                    for (int j = 0; j < 5; j++) {
                        String caller = (registry == one ? "one-" : "two-") + i + "-" + j;
                        arrivals.add(caller);
                        sections.add(registry.acquireAsync(REQUEST).thenAccept(handle -> {
                            assertThat(inside.incrementAndGet()).isOne();
                            assertThat(handle.isValid()).isTrue();
                            tokens.add(handle.fencingToken());
                            order.add(caller);
                            inside.decrementAndGet();
                            handle.releaseAsync();
                        }));
                    }
                    numbered(table, arrivals.size());
                }
            }

            first.release();
            CompletableFuture.allOf(sections.toArray(CompletableFuture[]::new)).join();

            assertThat(order).isEqualTo(arrivals);
            assertThat(tokens).hasSize(100).isSorted().doesNotHaveDuplicates();
            assertThat(tokens.get(0)).isGreaterThan(first.fencingToken());
        }
        table.onlyFreeLockItemsAreLeft();
    }

    /** All who have arrived so far have their tickets. */
    private static void numbered(LockTableFixture table, int waiters) {
        Awaitility.await().atMost(LockTableFixture.LONG).until(() -> table.ticketsTaken("customer-42") == 1 + waiters);
    }
}
