package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ObservationsTest {

    private static final ItemLock LOCK = new ItemLock("t", "o", Instant.EPOCH, Duration.ofSeconds(1));

    private final Observations observations = new Observations(1_000);

    private static ItemId item(int number) {
        return new ItemId("t", Map.of("id", AttributeValue.fromN(Integer.toString(number))));
    }

    @Test
    void aLockThatLooksTheSameWasSeenSinceTheFirstTime() {
        observations.see(item(1), LOCK, 5);
        assertThat(observations.see(item(1), LOCK, 9).sinceNanos()).isEqualTo(5);

        ItemLock extended = new ItemLock("t", "o", Instant.EPOCH.plusMillis(1), Duration.ofSeconds(1));
        assertThat(observations.see(item(1), extended, 9).sinceNanos()).isEqualTo(9);
        assertThat(observations.see(item(1), LOCK, 11).sinceNanos()).isEqualTo(11);
    }

    @Test
    void onlySoManyItemsAreRememberedAndTheOneNotAskedForLongestIsForgotten() {
        for (int i = 0; i < 1_000; i++) {
            observations.see(item(i), LOCK, i);
        }
        observations.lastSeen(item(0));
        observations.see(item(-1), LOCK, 1);

        assertThat(observations.lastSeen(item(0))).isPresent();
        assertThat(observations.lastSeen(item(1))).isEmpty();
        assertThat(observations.lastSeen(item(2))).isPresent();
    }

    @Test
    void itIsForgettingWhileALockWasThrownOutBeforeItsLeasePassed() {
        long lease = LOCK.lease().toNanos();
        for (int i = 0; i < 1_000; i++) {
            observations.see(item(i), LOCK, i);
        }
        assertThat(observations.isForgetting(1_000)).isFalse();

        observations.see(item(1_000), LOCK, lease);
        assertThat(observations.isForgetting(lease)).isFalse();
        observations.see(item(1_001), LOCK, lease);
        assertThat(observations.isForgetting(lease)).isTrue();
        assertThat(observations.isForgetting(2 * lease - 1)).isTrue();
        assertThat(observations.isForgetting(2 * lease)).isFalse();

        ItemLock extended = new ItemLock("t", "o", Instant.EPOCH.plusMillis(1), Duration.ofSeconds(1));
        observations.see(item(1_001), extended, 2 * lease);
        assertThat(observations.isForgetting(2 * lease)).isFalse();
    }

    @Test
    void whatIsFreeIsForgotten() {
        observations.see(item(1), LOCK, 5);
        observations.giveUp(item(1), "mine");
        observations.forget(item(1));

        assertThat(observations.lastSeen(item(1))).isEmpty();
        assertThat(observations.givenUp(item(1))).isEmpty();
    }
}
