package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.enhanced.dynamodb.Key;

/** A thread that is interrupted holds nothing, and still knows that it was interrupted. */
class InterruptTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    InterruptTest() {
        shop.putCustomer("42", 5);
    }

    private record End(Throwable failure, boolean interrupted) {}

    /** Runs a step in a thread of its own, and interrupts it as soon as it lets it. */
    private static End interrupted(Runnable step, CountDownLatch mayInterrupt) throws Exception {
        FutureTask<End> task = new FutureTask<>(() -> {
            try {
                step.run();
                return new End(null, Thread.currentThread().isInterrupted());
            } catch (RuntimeException failure) {
                return new End(failure, Thread.currentThread().isInterrupted());
            }
        });
        Thread thread = new Thread(task);
        thread.start();
        assertThat(mayInterrupt.await(1, TimeUnit.MINUTES)).isTrue();
        thread.interrupt();
        return task.get(1, TimeUnit.MINUTES);
    }

    @Test
    void anInterruptEndsTheWaiting() throws Exception {
        assertThat(shop.customers().lockAndRead(KEY, LEASE)).isPresent();
        CountDownLatch pausing = new CountDownLatch(1);
        LockingTable<Customer> other = shop.customers("other")
                .pollInterval(Duration.ofHours(1), Duration.ofHours(1))
                .pauses(pause -> {
                    pausing.countDown();
                    return Pauses.blocking().after(pause);
                })
                .build();

        End end = interrupted(() -> other.lockAndRead(KEY, LEASE, LEASE), pausing);

        assertThat(end.failure())
                .isInstanceOf(ItemLockInterruptedException.class)
                .hasMessageContaining("42");
        assertThat(end.interrupted()).isTrue();
    }

    @Test
    void aThreadThatIsInterruptedBeforeMakesNoCall() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(0);

        End end = interrupted(
                () -> {
                    Thread.currentThread().interrupt();
                    shop.customers().lockAndRead(KEY, LEASE);
                },
                interrupted);

        assertThat(end.failure()).isInstanceOf(ItemLockInterruptedException.class);
        assertThat(end.interrupted()).isTrue();
        assertThat(shop.calls()).isEmpty();
    }

    @Test
    void anItemThatWasLockedByACallThatTheInterruptAbortedIsReleased() {
        boolean[] first = {true};
        LockingTable<Customer> table = shop.customers(real -> {
                    var answer = real.get();
                    if (first[0]) {
                        first[0] = false;
                        Thread.currentThread().interrupt();
                        throw AbortedException.create("interrupted");
                    }
                    return answer;
                })
                .build();

        Throwable failure = catchThrowable(() -> table.lockAndRead(KEY, LEASE));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isInstanceOf(ItemLockInterruptedException.class);
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void whatABatchHasLockedBeforeTheInterruptIsReleased() {
        shop.putCustomer("43", 5);
        assertThat(shop.customers().lockAndRead(Shop.key("43"), LEASE)).isPresent();
        LockingTable<Customer> other = shop.customers("other")
                .pauses(pause -> {
                    Thread.currentThread().interrupt();
                    return CompletableFuture.completedFuture(true);
                })
                .build();

        Throwable failure =
                catchThrowable(() -> other.lockAndReadAll(List.of(Shop.key("43"), Shop.key("42")), LEASE, LEASE));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).isInstanceOf(ItemLockInterruptedException.class).hasMessageContaining("43");
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void closingReleasesEvenInAThreadThatIsInterrupted() {
        LockedItem<Customer> locked = shop.customers().lockAndRead(KEY, LEASE).orElseThrow();

        Thread.currentThread().interrupt();
        locked.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }
}
