package io.dynamolock.sample.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.lockingread.ItemChangedException;
import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.sample.WholeApplication;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@WholeApplication
class LockingReadOrderTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Autowired
    private CustomerTable customers;

    @Autowired
    private LockingReadOrderService orders;

    @Test
    void anOrderAddsToTheCustomerAndLeavesTheItemUnlocked() {
        assertThat(orders.place("jana", BigDecimal.TEN).customer())
                .isEqualTo(new Customer("jana", 1, new BigDecimal("10"), 0));
        Customer second = orders.place("jana", BigDecimal.ONE).customer();

        assertThat(second).isEqualTo(new Customer("jana", 2, new BigDecimal("11"), 0));
        assertThat(customers.read("jana")).isEqualTo(second);
        try (LockedItem<Customer> locked = customers.lockAndRead("jana", LEASE, Duration.ZERO)) {
            assertThat(locked.item()).isEqualTo(second);
        }
    }

    @Test
    void aCustomerWhoseFirstOrderIsUnderWayHasNoOrders() {
        try (LockedItem<Customer> locked = customers.lockAndRead("karl", LEASE, Duration.ZERO)) {
            assertThat(locked.isNew()).isTrue();
            assertThat(customers.read("karl")).isEqualTo(Customer.withoutOrders("karl"));
        }
    }

    @Test
    void anOrderKeepsTheFence() {
        customers.writeFenced(
                Customer.withoutOrders("lena").withOrder(BigDecimal.TEN).fencedBy(8));

        orders.place("lena", BigDecimal.ONE);

        assertThat(customers.read("lena")).isEqualTo(new Customer("lena", 2, new BigDecimal("11"), 8));
    }

    @Test
    void anOrderThatWasWrittenWithoutTheItemsLockIsNotOverwritten() {
        orders.place("mira", BigDecimal.TEN);
        try (LockedItem<Customer> locked = customers.lockAndRead("mira", LEASE, Duration.ZERO)) {
            Customer another = customers.read("mira").withOrder(BigDecimal.TEN);
            customers.write(another);

            assertThatExceptionOfType(ItemChangedException.class)
                    .isThrownBy(() -> locked.updateAndRelease(locked.item().withOrder(BigDecimal.ONE)));
            assertThat(customers.read("mira")).isEqualTo(another);
        }
    }
}
