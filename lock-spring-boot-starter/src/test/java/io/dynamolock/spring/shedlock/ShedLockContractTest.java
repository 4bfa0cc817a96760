package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What ShedLock asks of its own providers, on DynamoDB Local. Whether a lock is taken, another process looks. */
class ShedLockContractTest extends AbstractExtensibleLockProviderIntegrationTest {

    private static final TableOnDynamoDb TABLE = new TableOnDynamoDb();
    private static LockRegistry observer;

    private LockRegistry locks;

    @BeforeAll
    static void makeTable() {
        TABLE.make();
        observer = TABLE.locks().build();
    }

    @AfterAll
    static void closeObserver() {
        observer.close();
    }

    @BeforeEach
    void begin() {
        locks = TABLE.locks().build();
    }

    @AfterEach
    void end() {
        locks.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return new DynamoLockProvider(locks);
    }

    @Override
    protected void assertUnlocked(String lockName) {
        assertThat(asOther(lockName)).as("the lock, for another process").isPresent();
    }

    @Override
    protected void assertLocked(String lockName) {
        assertThat(asOther(lockName)).as("the lock, for another process").isEmpty();
    }

    private static Optional<LockHandle> asOther(String lockName) {
        Optional<LockHandle> lock =
                observer.tryAcquire(LockRequest.of(lockName).namespace(DynamoLockProvider.NAMESPACE));
        lock.ifPresent(LockHandle::close);
        return lock;
    }
}
