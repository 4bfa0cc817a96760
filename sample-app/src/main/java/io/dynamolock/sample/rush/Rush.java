package io.dynamolock.sample.rush;

import io.dynamolock.sample.orders.Customer;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.sample.orders.OrderService;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** Fires many orders of one customer at once and counts what became of them. */
@Component
class Rush {

    private static final Logger log = LoggerFactory.getLogger(Rush.class);
    private static final BigDecimal AMOUNT = new BigDecimal("12.50");

    private final OrderService orders;
    private final CustomerTable customers;
    private final Executor executor;
    private final Clock clock;

    Rush(OrderService orders, CustomerTable customers, @Qualifier(RushThreads.NAME) Executor executor, Clock clock) {
        this.orders = orders;
        this.customers = customers;
        this.executor = executor;
        this.clock = clock;
    }

    RushReport run(String customerId, int count, boolean locked) {
        Customer before = customers.read(customerId);
        Instant start = clock.instant();
        List<CompletableFuture<Optional<Duration>>> fired = IntStream.range(0, count)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> order(customerId, locked), executor))
                .toList();
        List<Duration> waits = fired.stream()
                .map(CompletableFuture::join)
                .flatMap(Optional::stream)
                .toList();
        Duration took = Duration.between(start, clock.instant());
        Customer after = customers.read(customerId);
        BigDecimal expected = before.total().add(AMOUNT.multiply(BigDecimal.valueOf(waits.size())));
        return new RushReport(
                customerId,
                count,
                locked,
                waits.size(),
                count - waits.size(),
                Math.max(0, before.orders() + waits.size() - after.orders()),
                before.total(),
                expected,
                after.total(),
                RushReport.judge(expected, after),
                WaitTimes.of(waits),
                took.toMillis());
    }

    /** How long the order waited for its turn; empty if it failed. */
    private Optional<Duration> order(String customerId, boolean locked) {
        Instant asked = clock.instant();
        try {
            Instant begun =
                    (locked ? orders.place(customerId, AMOUNT) : orders.placeWithoutLock(customerId, AMOUNT)).begun();
            return Optional.of(Duration.between(asked, begun));
        } catch (RuntimeException failure) {
            log.warn("An order of the rush failed: {}", failure.toString());
            return Optional.empty();
        }
    }
}
