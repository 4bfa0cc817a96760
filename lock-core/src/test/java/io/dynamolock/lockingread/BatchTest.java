package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Several items at once. */
class BatchTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration WAIT = Duration.ofSeconds(5);

    @AutoClose
    private final Shop shop = new Shop();

    private final VirtualTime clock = Shop.clock(Duration.ZERO);
    private final LockingTable<Customer> customers =
            shop.customers("batch").on(clock, Shop.delayer(clock)).build();
    private final LockingTable<Customer> others = shop.customers("other").build();

    BatchTest() {
        Stream.of("a", "b", "c").forEach(id -> shop.putCustomer(id, 1));
    }

    private static List<Key> keys(String... ids) {
        return Stream.of(ids).map(Shop::key).toList();
    }

    @Test
    void aBatchLocksInOneOrderAndReturnsTheItemsInTheOrderOfTheKeys() {
        List<LockedItem<Customer>> locked = customers.lockAndReadAll(keys("c", "a", "b"), LEASE, WAIT);

        assertThat(locked).extracting(item -> item.item().getId()).containsExactly("c", "a", "b");
        assertThat(shop.requests())
                .extracting(
                        request -> ((UpdateItemRequest) request).key().get("id").s())
                .containsExactly("a", "b", "c");
        locked.forEach(item -> item.updateAndRelease(Customer.of(item.item().getId(), 2)));
        assertThat(shop.calls()).hasSize(6);
        assertThat(shop.item("b")).containsEntry("total", Shop.number(2)).containsOnlyKeys("id", "total");
    }

    @Test
    void ifOneItemIsNotFreeInTimeItsKeyIsToldAndTheOthersAreReleased() {
        assertThat(others.lockAndRead(Shop.key("b"), LEASE)).isPresent();

        ItemLockedException busy =
                thrown(ItemLockedException.class, () -> customers.lockAndReadAll(keys("c", "b", "a"), LEASE, WAIT));
        assertThat(busy.key().get("id").s()).isEqualTo("b");
        assertThat(busy.waited()).isEqualTo(WAIT);
        assertThat(busy.holder()).contains("other");

        assertThat(shop.item("a")).containsOnlyKeys("id", "total");
        assertThat(shop.item("c")).containsOnlyKeys("id", "total");
    }

    @Test
    void lockedItemsAreExtendedWhileTheBatchWaitsForOthers() {
        assertThat(others.lockAndRead(Shop.key("c"), Duration.ofSeconds(100))).isPresent();

        List<LockedItem<Customer>> locked = customers.lockAndReadAll(keys("a", "b", "c"), LEASE, Duration.ofMinutes(3));

        assertThat(clock.nanos()).isGreaterThan(Duration.ofSeconds(100).toNanos());
        assertThat(locked).allSatisfy(item -> assertThat(item.remaining()).isGreaterThanOrEqualTo(LEASE.dividedBy(2)));
        locked.forEach(LockedItem::close);
    }

    @Test
    void ifAnItemIsLostWhileTheBatchWaitsTheOthersAreReleased() {
        assertThat(others.lockAndRead(Shop.key("c"), Duration.ofMinutes(10))).isPresent();
        LockingTable<Customer> robbed = shop.customers("batch")
                .on(clock, pause -> {
                    shop.putCustomer("a", 1);
                    return Shop.delayer(clock).after(pause);
                })
                .build();

        assertThatExceptionOfType(ItemLockLostException.class)
                .isThrownBy(() -> robbed.lockAndReadAll(keys("a", "b", "c"), LEASE, Duration.ofMinutes(3)))
                .satisfies(e -> assertThat(e.key().get("id").s()).isEqualTo("a"));

        assertThat(shop.item("b")).containsOnlyKeys("id", "total");
    }

    @Test
    void aBatchWithoutKeysIsEmpty() {
        assertThat(customers.lockAndReadAll(List.of(), LEASE, WAIT)).isEmpty();
    }

    @Test
    void aKeyThatIsGivenTwiceIsRefusedBeforeAnyCall() {
        refused(() -> customers.lockAndReadAll(keys("a", "b", "a"), LEASE, WAIT), "twice", "\"a\"");
        assertThat(shop.calls()).isEmpty();
    }

    @Test
    void aCancelledBatchReleasesTheItemsItHasLocked() {
        assertThat(others.lockAndRead(Shop.key("b"), LEASE)).isPresent();
        CompletableFuture<List<AsyncLockedItem<Customer>>> batch =
                shop.asyncCustomers().build().lockAndReadAll(keys("a", "b"), LEASE, Duration.ofMinutes(5));
        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .until(() -> shop.item("a").containsKey("lockToken"));

        batch.cancel(true);

        Awaitility.await()
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(shop.item("a")).containsOnlyKeys("id", "total"));
    }
}
