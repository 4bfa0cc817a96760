package io.dynamolock.internal.handles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.LockHandle;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.data.LockData;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.store.testing.Fault;
import io.dynamolock.internal.store.testing.FaultyLockStore;
import io.dynamolock.internal.store.testing.StoreOperation;
import io.dynamolock.internal.testing.TestThread;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A writer of {@code readWrite(key).write()} is alone, and may do what any caller may that holds a lock alone. */
class WriterHandleTest {

    private static final LockData ONE = LockData.of("one");

    private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());
    private final LockRegistry locks = RegistryBuilder.of(store).build();

    @AfterEach
    void close() {
        store.heal().resume();
        locks.close();
    }

    @Test
    void aReleaseThatThrowsReleasesTheLock() {
        LockHandle reader = locks.readWrite("k").read().acquire(Duration.ZERO);
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> reader.release(ONE));
        assertThatIsFree("k", reader);

        LockHandle writer = locks.readWrite("w").write().acquire(Duration.ZERO);
        assertThatNullPointerException().isThrownBy(() -> writer.release(null));
        assertThatIsFree("w", writer);
    }

    private void assertThatIsFree(String key, LockHandle released) {
        assertThat(released.isValid()).isFalse();
        await().until(() -> locks.tryAcquire(key).map(LockHandle::release).orElse(false));
    }

    @Test
    void aDowngradableRequestWritesData() {
        try (LockHandle writer =
                locks.acquire(LockRequest.of("k").downgradable().data(ONE).waitTime(Duration.ZERO))) {
            assertThat(writer.data()).isEqualTo(ONE);
        }
    }

    @Test
    void anInterruptEndsTheWaitForADowngradeAndTheLockStaysHeld() throws Exception {
        LockHandle writer = locks.readWrite("k").write().acquire(Duration.ZERO);
        store.always(StoreOperation.EDIT, Fault.STALLS);
        TestThread<LockHandle> caller = TestThread.running(writer::downgrade).untilItWaits();

        assertThat(caller.failureByInterrupt())
                .isInstanceOf(LockInterruptedException.class)
                .hasMessageContainingAll("\"k\"", "still held by this handle");
        assertThat(writer.isValid()).isTrue();
        store.heal().resume();
        assertThat(writer.release()).isTrue();
    }
}
