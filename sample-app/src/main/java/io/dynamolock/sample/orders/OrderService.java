package io.dynamolock.sample.orders;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.sample.Pause;
import io.dynamolock.sample.SampleProperties;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.stereotype.Service;

/** Takes orders: reads the customer's total, adds, writes it back. */
@Service
public class OrderService {

    private final CustomerTable customers;
    private final LockRegistry locks;
    private final SampleProperties properties;
    private final Clock clock;

    OrderService(CustomerTable customers, LockRegistry locks, SampleProperties properties, Clock clock) {
        this.customers = customers;
        this.locks = locks;
        this.properties = properties;
        this.clock = clock;
    }

    /** One order of a customer at a time, in the order of arrival, across all instances. */
    @DynamoLocked(key = "'customer:' + #customerId", waitTime = "60s")
    public PlacedOrder place(String customerId, BigDecimal amount) {
        return addOrder(customerId, amount);
    }

    /**
     * The same lock without the annotation, and a write that carries the fencing token. If this process is frozen for
     * so long that another one gets the lock, the table refuses the late write.
     */
    public PlacedOrder placeFenced(String customerId, BigDecimal amount) {
        LockRequest request = LockRequest.of("customer:" + customerId)
                .waitTime(Duration.ofSeconds(60))
                .name("OrderService.placeFenced");
        try (LockHandle lock = locks.acquire(request)) {
            return placeFenced(customerId, amount, lock.fencingToken());
        }
    }

    /**
     * Places the order. The caller holds the lock, or believes that it does.
     *
     * @param fencingToken of the lock's grant
     * @throws StaleWriteException if a caller with a greater token has written before; nothing is written
     */
    public PlacedOrder placeFenced(String customerId, BigDecimal amount, long fencingToken) {
        Instant begun = clock.instant();
        Customer after = customers.read(customerId).withOrder(amount).fencedBy(fencingToken);
        Pause.of(properties.thinkTime());
        customers.writeFenced(after);
        return new PlacedOrder(after, begun);
    }

    /** What happens without a lock: orders that read the same total overwrite each other. */
    public PlacedOrder placeWithoutLock(String customerId, BigDecimal amount) {
        return addOrder(customerId, amount);
    }

    private PlacedOrder addOrder(String customerId, BigDecimal amount) {
        Instant begun = clock.instant();
        Customer after = customers.read(customerId).withOrder(amount);
        Pause.of(properties.thinkTime());
        customers.write(after);
        return new PlacedOrder(after, begun);
    }
}
