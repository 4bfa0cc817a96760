package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What only the form that does not block can show; the other tests go through it, too, as the blocking form is made of it. */
class AsyncLockingTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Key KEY = Shop.key("42");

    private final Shop shop = new Shop();
    private final AsyncLockingTable<Customer> customers = shop.asyncCustomers();

    AsyncLockingTest() {
        shop.putCustomer("42", 5);
    }

    @AfterEach
    void closeClients() {
        shop.close();
    }

    private static <T> T ended(CompletableFuture<T> future) {
        return future.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
    }

    @Test
    void aCycleIsExactlyTwoCalls() {
        Customer written = ended(customers.lockAndRead(KEY, LEASE).thenCompose(locked -> {
            Customer customer = locked.orElseThrow().item();
            customer.setTotal(customer.getTotal() + 1);
            return locked.orElseThrow().updateAndRelease(customer);
        }));

        assertThat(written.getTotal()).isEqualTo(6);
        assertThat(shop.calls()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(shop.item("42")).isEqualTo(Map.of("id", AttributeValue.fromS("42"), "total", Shop.number(6)));
    }

    @Test
    void failuresAreInTheFuture() {
        AsyncLockedItem<Customer> held =
                ended(customers.lockAndRead(KEY, LEASE)).orElseThrow();

        assertThat(customers.lockAndRead(Shop.key("43"), LEASE))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(ItemNotFoundException.class);
        assertThat(customers.lockAndRead(KEY, LEASE, Duration.ofMillis(50)))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(ItemLockedException.class);
        assertThat(held.updateAndRelease(Customer.of("43", 1)))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class);
        shop.set("42", "total", Shop.number(100));
        assertThat(held.updateAndRelease(Customer.of("42", 6)))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(ItemChangedException.class);
        shop.putCustomer("42", 7);
        assertThat(held.extend(LEASE))
                .failsWithin(LONG)
                .withThrowableThat()
                .withCauseInstanceOf(ItemLockLostException.class);
    }

    @Test
    void aCallerThatWaitsGetsTheItemWhenItIsReleased() {
        AsyncLockedItem<Customer> held =
                ended(customers.lockAndRead(KEY, LEASE)).orElseThrow();
        CompletableFuture<AsyncLockedItem<Customer>> waiting = customers.lockAndRead(KEY, LEASE, LONG);
        Awaitility.await().atMost(LONG).until(() -> shop.calls().size() > 3);
        assertThat(waiting).isNotDone();

        ended(held.extend(LEASE));
        assertThat(ended(held.release())).isTrue();

        assertThat(ended(waiting).item().getTotal()).isEqualTo(5);
    }

    @Test
    void aNewItemIsDeletedWhenItIsReleased() {
        AsyncLockingTable<Customer> creating = AsyncLockingTable.builder(
                        shop.asyncClient(), shop.asyncTable(Shop.CUSTOMER))
                .lockAbsentItems()
                .build();

        AsyncLockedItem<Customer> locked =
                ended(creating.lockAndRead(Shop.key("43"), LEASE)).orElseThrow();
        assertThat(locked.isNew()).isTrue();
        assertThat(ended(locked.release())).isTrue();
        assertThat(shop.item("43")).isEmpty();
    }

    @Test
    void aCallerThatIsCancelledTriesNoMore() {
        ended(customers.lockAndRead(KEY, LEASE)).orElseThrow();
        List<CompletableFuture<Boolean>> pauses = new CopyOnWriteArrayList<>();
        AsyncLockingTable<Customer> other = AsyncLockingTable.builder(
                        shop.asyncClient(), shop.asyncTable(Shop.CUSTOMER))
                .pauses(pause -> {
                    CompletableFuture<Boolean> next = new CompletableFuture<>();
                    pauses.add(next);
                    return next;
                })
                .build();
        CompletableFuture<AsyncLockedItem<Customer>> waiting = other.lockAndRead(KEY, LEASE, LONG);
        Awaitility.await().atMost(LONG).until(() -> pauses.size() == 1);
        shop.requests().clear();

        waiting.cancel(true);
        pauses.get(0).complete(true);

        assertThat(shop.calls()).isEmpty();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void anItemThatIsLockedInTheMomentOfTheCancellationIsReleased() {
        CompletableFuture<AsyncLockedItem<Customer>> waiting = customers.lockAndRead(KEY, LEASE, LONG);
        waiting.cancel(true);

        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(shop.calls()).hasSize(2));
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(shop.item("42")).containsOnlyKeys("id", "total"));

        CompletableFuture<Optional<AsyncLockedItem<Customer>>> notWaiting = customers.lockAndRead(KEY, LEASE);
        notWaiting.cancel(true);
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(shop.calls()).hasSize(4));
        Awaitility.await()
                .atMost(LONG)
                .untilAsserted(() -> assertThat(shop.item("42")).containsOnlyKeys("id", "total"));
    }
}
