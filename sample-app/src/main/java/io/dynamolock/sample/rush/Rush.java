package io.dynamolock.sample.rush;

import io.dynamolock.sample.Pause;
import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.sample.orders.LockingReadOrderService;
import io.dynamolock.sample.orders.OrderService;
import io.dynamolock.sample.orders.PlacedOrder;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** Sends many orders of one customer at once and counts their outcomes. */
@Component
class Rush {

    private static final Logger log = LoggerFactory.getLogger(Rush.class);
    private static final BigDecimal AMOUNT = new BigDecimal("12.50");

    /** Much shorter than an order takes, and long enough to tell which order came first. */
    private static final Duration APART = Duration.ofMillis(2);

    /** A thread may be held up this long between noting the time and asking for the lock. */
    private static final Duration RACE = Duration.ofMillis(100);

    /** By then the lock's last release has been sent: a method does not wait for the release of its lock. */
    private static final Duration UNTIL_RELEASED = Duration.ofMillis(100);

    private final OrderService orders;
    private final LockingReadOrderService lockingReadOrders;
    private final CustomerTable customers;
    private final Executor executor;
    private final Clock clock;

    Rush(
            OrderService orders,
            LockingReadOrderService lockingReadOrders,
            CustomerTable customers,
            @Qualifier(RushThreads.NAME) Executor executor,
            Clock clock) {
        this.orders = orders;
        this.lockingReadOrders = lockingReadOrders;
        this.customers = customers;
        this.executor = executor;
        this.clock = clock;
    }

    /** Runs the same rush with each of the locks, one after the other. */
    RushReport run(String customerId, int count, Collection<RushLock> locks) {
        return new RushReport(
                customerId,
                count,
                locks.stream().map(lock -> run(customerId, count, lock)).toList());
    }

    private RushResult run(String customerId, int count, RushLock lock) {
        Customer before = customers.read(customerId);
        Calls callsBefore = DynamoDbCalls.soFar();
        Instant start = clock.instant();
        List<Turn> turns = fire(customerId, count, lock).stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        Duration took = Duration.between(start, clock.instant());
        Pause.of(UNTIL_RELEASED);
        Calls calls = DynamoDbCalls.soFar().since(callsBefore);
        Customer after = customers.read(customerId);
        BigDecimal expected = before.total().add(AMOUNT.multiply(BigDecimal.valueOf(turns.size())));
        return new RushResult(
                lock,
                turns.size(),
                count - turns.size(),
                Math.max(0, before.orders() + turns.size() - after.orders()),
                before.total(),
                expected,
                after.total(),
                RushResult.judge(expected, after),
                calls,
                WaitTimes.of(turns.stream().map(Turn::waited).toList()),
                Turn.overtakings(turns, RACE),
                took.toMillis());
    }

    private List<CompletableFuture<Optional<Turn>>> fire(String customerId, int count, RushLock lock) {
        List<CompletableFuture<Optional<Turn>>> fired = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fired.add(CompletableFuture.supplyAsync(() -> order(customerId, lock), executor));
            Pause.of(APART);
        }
        return fired;
    }

    /** The turn of the order; empty if the order failed. */
    private Optional<Turn> order(String customerId, RushLock lock) {
        Instant asked = clock.instant();
        try {
            return Optional.of(new Turn(asked, place(customerId, lock).begun()));
        } catch (RuntimeException failure) {
            log.warn("An order of the rush failed: {}", failure.toString());
            return Optional.empty();
        }
    }

    private PlacedOrder place(String customerId, RushLock lock) {
        return switch (lock) {
            case NONE -> orders.placeWithoutLock(customerId, AMOUNT);
            case QUEUE -> orders.place(customerId, AMOUNT);
            case LOCKING_READ -> lockingReadOrders.place(customerId, AMOUNT);
        };
    }
}
