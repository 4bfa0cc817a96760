package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Many callers at once, on the clocks of this machine. */
// One after the other, because each needs the whole machine.
@Execution(ExecutionMode.SAME_THREAD)
class ContentionTest {

    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration WAIT = Duration.ofMinutes(2);
    private static final int CALLERS = 50;
    private static final int INCREMENTS = 2;

    private final Shop shop = new Shop();
    private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
        shop.close();
    }

    private LockingTable<Customer> customers() {
        return shop.customers("me")
                .pollInterval(Duration.ofMillis(50), Duration.ofSeconds(1))
                .build();
    }

    @Test
    void noUpdateIsLostWithFiftyBlockingAndAsynchronousCallers() throws Exception {
        shop.putCustomer("42", 0);
        LockingTable<Customer> blocking = customers();
        AsyncLockingTable<Customer> async = shop.asyncCustomers()
                .pollInterval(Duration.ofMillis(50), Duration.ofSeconds(1))
                .build();

        List<Future<?>> ends = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller += 2) {
            ends.add(threads.submit(() -> {
                for (int i = 0; i < INCREMENTS; i++) {
                    addOne(blocking.lockAndRead(Shop.key("42"), LEASE, WAIT));
                }
            }));
            ends.add(addAsync(async, INCREMENTS));
        }
        for (Future<?> end : ends) {
            end.get(4, TimeUnit.MINUTES);
        }

        assertThat(shop.item("42")).containsEntry("total", Shop.number(CALLERS * INCREMENTS));
    }

    private static void addOne(LockedItem<Customer> locked) {
        Customer customer = locked.item();
        customer.setTotal(customer.getTotal() + 1);
        locked.updateAndRelease(customer);
    }

    private static CompletableFuture<?> addAsync(AsyncLockingTable<Customer> table, int times) {
        if (times == 0) {
            return CompletableFuture.completedFuture(true);
        }
        return table.lockAndRead(Shop.key("42"), LEASE, WAIT)
                .thenCompose(locked -> {
                    Customer customer = locked.item();
                    customer.setTotal(customer.getTotal() + 1);
                    return locked.updateAndRelease(customer);
                })
                .thenCompose(written -> addAsync(table, times - 1));
    }
}
