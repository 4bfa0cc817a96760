package io.dynamolock.sample.page;

import io.dynamolock.LockHandle;
import io.dynamolock.sample.Pause;
import io.dynamolock.sample.orders.CustomerTable;
import io.dynamolock.sample.orders.OrderService;
import io.dynamolock.sample.rush.OneRush;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/** Sends many orders of one customer at once, to both instances in turn. */
@Component
class PageRush {

    private static final Logger log = LoggerFactory.getLogger(PageRush.class);
    private static final BigDecimal AMOUNT = new BigDecimal("12.50");

    /** Much shorter than an order takes: a queue builds up, in which the instances take turns. */
    private static final Duration APART = Duration.ofMillis(4);

    private final Stage stage;
    private final OrderService orders;
    private final CustomerTable customers;
    private final OneRush oneRush;
    private final Executor executor;
    private final Clock clock;

    /** A customer of this process alone, so that a rush of another process is not counted. */
    private final String customer = "page-rush-" + ProcessHandle.current().pid();

    PageRush(
            Stage stage,
            OrderService orders,
            CustomerTable customers,
            OneRush oneRush,
            @Qualifier("rushExecutor") Executor executor,
            Clock clock) {
        this.stage = stage;
        this.orders = orders;
        this.customers = customers;
        this.oneRush = oneRush;
        this.executor = executor;
        this.clock = clock;
    }

    /**
     * Returns at once; the board shows the progress.
     *
     * @return false if another rush is under way
     */
    boolean begin(int count, boolean lock) {
        if (!oneRush.begin()) {
            return false;
        }
        stage.board().beginRush(lock, count);
        executor.execute(() -> run(count, lock));
        return true;
    }

    private void run(int count, boolean lock) {
        Board board = stage.board();
        Instant start = clock.instant();
        OptionalLong grown = OptionalLong.empty();
        try {
            long before = customers.read(customer).orders();
            List<CompletableFuture<Void>> placed = new ArrayList<>();
            InstanceName next = InstanceName.A;
            for (int i = 0; i < count; i++) {
                placed.add(place(stage.instance(next), lock));
                next = next.other();
                Pause.of(APART);
            }
            placed.forEach(CompletableFuture::join);
            grown = OptionalLong.of(customers.read(customer).orders() - before);
        } catch (RuntimeException failure) {
            log.warn("The rush of the page failed", failure);
        } finally {
            if (grown.isPresent()) {
                board.endRush(grown.getAsLong(), Duration.between(start, clock.instant()));
            } else {
                board.rushFailed();
            }
            oneRush.end();
        }
    }

    /** The future never fails: failures are counted. */
    private CompletableFuture<Void> place(Instance instance, boolean lock) {
        CompletableFuture<Void> placed = lock
                ? withLock(instance)
                : CompletableFuture.runAsync(() -> orders.placeWithoutLock(customer, AMOUNT), executor);
        return placed.handle((done, failure) -> {
            if (failure == null) {
                stage.board().orderArrived();
            } else {
                log.warn("An order of the page's rush failed: {}", failure.toString());
                stage.board().orderFailed();
            }
            return null;
        });
    }

    private CompletableFuture<Void> withLock(Instance instance) {
        Instant asked = clock.instant();
        return instance.ask("page.rush")
                .thenAcceptAsync(handle -> orderUnder(handle, instance.name(), asked), executor);
    }

    private void orderUnder(LockHandle granted, InstanceName instance, Instant asked) {
        try (LockHandle lock = granted) {
            stage.board().turn(instance, lock, Duration.between(asked, clock.instant()), true);
            orders.placeFenced(customer, AMOUNT, lock.fencingToken());
        } finally {
            stage.board().turnIsOver(granted.fencingToken());
        }
    }
}
