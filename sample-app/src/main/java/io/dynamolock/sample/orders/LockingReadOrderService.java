package io.dynamolock.sample.orders;

import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.sample.Pause;
import io.dynamolock.sample.SampleProperties;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Service;

/**
 * Takes orders as {@link OrderService} does, by a locking read: one call locks the customer's item and reads it,
 * another writes and unlocks it. Such a lock and a lock of the queue do not exclude each other, so a service uses only
 * one kind for its customers.
 */
@Service
public class LockingReadOrderService {

    /** Much longer than an order takes. If a process dies, others wait this long for its customers. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration WAIT = Duration.ofSeconds(60);

    private final CustomerTable customers;
    private final SampleProperties properties;
    private final Clock clock;

    LockingReadOrderService(CustomerTable customers, SampleProperties properties, Clock clock) {
        this.customers = customers;
        this.properties = properties;
        this.clock = clock;
    }

    /** One order of a customer at a time, in no order, across all instances. */
    public PlacedOrder place(String customerId, BigDecimal amount) {
        try (LockedItem<Customer> locked = customers.lockAndRead(customerId, LEASE, WAIT)) {
            Instant begun = clock.instant();
            Customer before = locked.isNew() ? Customer.withoutOrders(customerId) : locked.item();
            Pause.of(properties.thinkTime());
            return new PlacedOrder(locked.updateAndRelease(before.withOrder(amount)), begun);
        }
    }
}
