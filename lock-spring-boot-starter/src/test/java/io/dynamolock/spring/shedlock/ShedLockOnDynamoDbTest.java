package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTableException;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** ShedLock on a table of DynamoDB Local that comes and goes. */
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
}
