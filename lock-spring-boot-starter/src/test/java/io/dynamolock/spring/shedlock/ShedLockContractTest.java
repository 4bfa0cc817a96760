package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

/** What ShedLock asks of its own providers, on DynamoDB Local. Whether a lock is taken, another process looks. */
class ShedLockContractTest extends AbstractExtensibleLockProviderIntegrationTest {

    private static final TableOnDynamoDb TABLE = new TableOnDynamoDb();

    @AutoClose
    private static LockRegistry observer;

    @AutoClose
    private final LockRegistry locks = TABLE.locks().build();

    @BeforeAll
    static void makeTable() {
        TABLE.make();
        observer = TABLE.locks().build();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new DynamoLockProvider(locks);
    }

    /** A lock whose longest hold is over is free as soon as its process has written that. */
    @Override
    protected void assertUnlocked(String lockName) {
        assertThat(asOther(lockName, Duration.ofSeconds(10)))
                .as("the lock, for another process")
                .isPresent();
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(asOther(lockName, Duration.ZERO))
                .as("the lock, for another process")
                .isEmpty();
    }

    private static Optional<LockHandle> asOther(String lockName, Duration wait) {
        Optional<LockHandle> lock = observer.tryAcquire(
                LockRequest.of(lockName).namespace(DynamoLockProvider.NAMESPACE).waitTime(wait));
        lock.ifPresent(LockHandle::close);
        return lock;
    }
}
