package io.dynamolock.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.internal.protocol.Edits;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holders see of the time at which DynamoDB's TTL may remove the item of their lock. */
class ItemExpiryOnDynamoDbTest {

    private static final LockKey KEY = new LockKey("customer-42", "default");

    private final LockTableFixture table = new LockTableFixture();
    private final LockStore store = table.store();

    @AutoClose
    private final LockRegistry patient = table.registry().owner("patient").build();

    @AutoClose
    private final LockRegistry hasty =
            table.registry().owner("hasty").retention(Duration.ofDays(1)).build();

    /** TTL removes items late, so somebody may get such a lock just when TTL comes to its item. */
    @ParameterizedTest
    @ValueSource(longs = {-48, -1, 1, 23})
    void nobodyHoldsALockByAnItemThatIsAboutToGo(long hours) {
        hasty.acquire(KEY.key(), LockTableFixture.LONG).close();

        holdsByAnItemThatStays(hours, () -> hasty.acquire(KEY.key(), LockTableFixture.LONG));
        // A try waits for an answer for a second, which a busy machine may need.
        holdsByAnItemThatStays(
                hours,
                () -> Stream.generate(() -> hasty.tryAcquire(KEY.key()))
                        .limit(10)
                        .flatMap(Optional::stream)
                        .findFirst()
                        .orElseThrow());
    }

    private void holdsByAnItemThatStays(long hours, Supplier<LockHandle> acquisition) {
        Instant soon = Instant.now().plus(Duration.ofHours(hours));
        store.edit(KEY, Edits.expiring(soon, Edits.remove(Map.of())), Instant.now())
                .toCompletableFuture()
                .join();
        try (LockHandle held = acquisition.get()) {
            assertThat(held.isValid()).isTrue();
            assertThat(expiresAt()).isAfter(Instant.now().plus(Duration.ofHours(47)));
        }
    }

    @Test
    void aProcessWithAShortRetentionLeavesTheTimeOfAnotherAlone() {
        patient.acquire(KEY.key(), LockTableFixture.LONG).close();
        Instant before = expiresAt();
        assertThat(before).isAfter(Instant.now().plus(Duration.ofDays(7)));

        hasty.acquire(KEY.key(), LockTableFixture.LONG).close();

        assertThat(expiresAt()).isEqualTo(before);
    }

    private Instant expiresAt() {
        Instant expiresAt =
                store.read(KEY, true).toCompletableFuture().join().content().expiresAt();
        assertThat(expiresAt).isNotNull();
        return expiresAt;
    }
}
