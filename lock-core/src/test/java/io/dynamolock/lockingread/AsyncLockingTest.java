package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.Key;

/**
 * What only the form that does not block can show; the other tests go through it, too, as the blocking form is made of
 * it.
 */
class AsyncLockingTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    private final AsyncLockingTable<Customer> customers = shop.asyncCustomers().build();

    AsyncLockingTest() {
        shop.putCustomer("42", 5);
    }

    private static <T> T ended(CompletableFuture<T> future) {
        return future.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
    }

    private static void assertFails(CompletableFuture<?> future, Class<? extends RuntimeException> failure) {
        assertThat(future).failsWithin(LONG).withThrowableThat().withCauseInstanceOf(failure);
    }

    @Test
    void failuresAreInTheFuture() {
        AsyncLockedItem<Customer> held =
                ended(customers.lockAndRead(KEY, LEASE)).orElseThrow();

        assertFails(customers.lockAndRead(Shop.key("43"), LEASE), ItemNotFoundException.class);
        assertFails(customers.lockAndRead(KEY, LEASE, Duration.ofMillis(50)), ItemLockedException.class);
        assertFails(held.updateAndRelease(Customer.of("43", 1)), IllegalArgumentException.class);
        shop.set("42", "total", Shop.number(100));
        assertFails(held.updateAndRelease(Customer.of("42", 6)), ItemChangedException.class);
        shop.putCustomer("42", 7);
        assertFails(held.extend(LEASE), ItemLockLostException.class);
    }

    @Test
    void aCancelledCallerMakesNoFurtherTry() {
        assertThat(ended(customers.lockAndRead(KEY, LEASE))).isPresent();
        List<CompletableFuture<Void>> pauses = new CopyOnWriteArrayList<>();
        AsyncLockingTable<Customer> other = shop.asyncCustomers()
                .on(TimeSource.system(), pause -> {
                    CompletableFuture<Void> next = new CompletableFuture<>();
                    pauses.add(next);
                    return next;
                })
                .build();
        CompletableFuture<AsyncLockedItem<Customer>> waiting = other.lockAndRead(KEY, LEASE, LONG);
        Awaitility.await().atMost(LONG).until(() -> pauses.size() == 1);
        shop.requests().clear();

        waiting.cancel(true);
        pauses.get(0).complete(null);

        assertThat(shop.calls()).isEmpty();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void anItemThatIsLockedAtTheMomentOfCancellationIsReleased() {
        CompletableFuture<AsyncLockedItem<Customer>> waiting = customers.lockAndRead(KEY, LEASE, LONG);
        waiting.cancel(true);

        awaitReleaseAfter(2);

        CompletableFuture<Optional<AsyncLockedItem<Customer>>> notWaiting = customers.lockAndRead(KEY, LEASE);
        notWaiting.cancel(true);
        awaitReleaseAfter(4);
    }

    private void awaitReleaseAfter(int calls) {
        Awaitility.await().atMost(LONG).untilAsserted(() -> {
            assertThat(shop.calls()).hasSize(calls);
            assertThat(shop.item("42")).containsOnlyKeys("id", "total");
        });
    }
}
