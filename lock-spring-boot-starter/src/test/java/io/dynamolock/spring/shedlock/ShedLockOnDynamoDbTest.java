package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** ShedLock on a table of DynamoDB Local that comes and goes, and by many at once. */
class ShedLockOnDynamoDbTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final TableOnDynamoDb table = new TableOnDynamoDb();

    private static LockConfiguration job() {
        return new LockConfiguration(ClockProvider.now(), "job", MINUTE, Duration.ZERO);
    }

    @Test
    void aTableThatIsMissingIsFoundAtStartAndWithTheFirstLock() {
        assertThatExceptionOfType(LockTableException.class)
                .isThrownBy(() -> table.locks().table().check());
        try (LockRegistry locks = table.locks().build()) {
            DynamoLockProvider provider = new DynamoLockProvider(locks);
            assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> provider.lock(job()));
            assertThat(locks.admin().held()).isEmpty();
        }
    }

    @Test
    void whereTheTableWasDeletedNothingIsLockedUntilItIsThereAgain() {
        table.make();
        try (LockRegistry locks = table.locks().lease(Duration.ofSeconds(2)).build()) {
            DynamoLockProvider provider = new DynamoLockProvider(locks);
            provider.lock(job()).orElseThrow().unlock();

            table.delete();
            assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> provider.lock(job()));
            table.make();

            // The session of this process went with the table.
            await().atMost(MINUTE).ignoreExceptions().until(() -> {
                Optional<SimpleLock> after = provider.lock(job());
                after.ifPresent(SimpleLock::unlock);
                return after.isPresent();
            });
        }
    }

    @Test
    void noTwoTasksOfTwoProcessesAreInsideAtOnce() throws Exception {
        table.make();
        int threads = 6;
        int wanted = 20;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        Runnable task = () -> {
            if (inside.incrementAndGet() > 1) {
                together.incrementAndGet();
            }
            Thread.yield();
            inside.decrementAndGet();
            runs.incrementAndGet();
        };
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (LockRegistry one = table.locks().build();
                LockRegistry other = table.locks().build()) {
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                LockingTaskExecutor tasks =
                        new DefaultLockingTaskExecutor(new DynamoLockProvider(i % 2 == 0 ? one : other));
                results.add(executor.submit(() -> {
                    int[] executed = {0};
                    while (executed[0] < wanted) {
                        Runnable counted = () -> {
                            task.run();
                            executed[0]++;
                        };
                        tasks.executeWithLock(counted, job());
                    }
                    return executed[0];
                }));
            }
            for (Future<Integer> result : results) {
                assertThat(result.get(2, TimeUnit.MINUTES)).isEqualTo(wanted);
            }
        } finally {
            executor.shutdownNow();
        }
        assertThat(runs).hasValue(threads * wanted);
        assertThat(together).as("tasks that met another one inside").hasValue(0);
    }
}
