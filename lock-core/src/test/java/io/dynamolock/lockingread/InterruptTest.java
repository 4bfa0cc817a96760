package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.testing.TestThread;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

    @Test
    void anInterruptEndsTheWait() throws Exception {
        assertThat(shop.customers().lockAndRead(KEY, LEASE)).isPresent();
        CountDownLatch pausing = new CountDownLatch(1);
        LockingTable<Customer> other = shop.customers("other")
                .pollInterval(Duration.ofHours(1), Duration.ofHours(1))
                .on(TimeSource.system(), pause -> {
                    pausing.countDown();
                    return Delayer.blocking().after(pause);
                })
                .build();

        var caller = TestThread.running(() -> other.lockAndRead(KEY, LEASE, LEASE));
        assertThat(pausing.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(caller.failureByInterrupt())
                .isInstanceOf(ItemLockInterruptedException.class)
                .hasMessageContaining("42");
    }

    @Test
    void aThreadThatWasInterruptedBeforeTheCallMakesNoCall() {
        Thread.currentThread().interrupt();
        thrown(ItemLockInterruptedException.class, () -> shop.customers().lockAndRead(KEY, LEASE));
        assertThat(Thread.interrupted()).isTrue();
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

        thrown(ItemLockInterruptedException.class, () -> table.lockAndRead(KEY, LEASE));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void anInterruptedBatchReleasesTheItemsItHasLocked() {
        shop.putCustomer("43", 5);
        assertThat(shop.customers().lockAndRead(Shop.key("43"), LEASE)).isPresent();
        LockingTable<Customer> other = shop.customers("other")
                .on(TimeSource.system(), pause -> {
                    Thread.currentThread().interrupt();
                    return CompletableFuture.completedFuture(null);
                })
                .build();

        thrown(
                ItemLockInterruptedException.class,
                () -> other.lockAndReadAll(List.of(Shop.key("43"), Shop.key("42")), LEASE, LEASE),
                "43");
        assertThat(Thread.interrupted()).isTrue();
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
