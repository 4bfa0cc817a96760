package io.dynamolock.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.testing.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How long requests wait, on a clock that a test moves. */
class WaitAndHoldTest {

    private final ManualTime time = new ManualTime();
    private final LockRegistry locks = RegistryBuilder.of(new InMemoryLockStore(time::now))
            .on(time)
            .wait(Duration.ofSeconds(5))
            .build();

    @AfterEach
    void close() {
        time.close(locks);
    }

    @Test
    void aRequestWithoutAWaitTimeGivesUpAfterTheDefaultWait() {
        LockHandle held = locks.acquire("k", Duration.ZERO);
        CompletableFuture<LockHandle> silent = locks.acquireAsync(LockRequest.of("k"));
        CompletableFuture<LockHandle> forEver =
                locks.acquireAsync(LockRequest.of("k").waitForever());

        time.advance(Duration.ofSeconds(4));
        assertThat(silent).isNotDone();
        time.advance(Duration.ofSeconds(2));
        assertThat(silent)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(LockTimeoutException.class);

        time.advance(Duration.ofDays(1));
        assertThat(forEver).isNotDone();
        held.releaseAsync();
        assertThat(forEver).succeedsWithin(Duration.ofSeconds(30)).satisfies(LockHandle::ensureValid);
    }
}
