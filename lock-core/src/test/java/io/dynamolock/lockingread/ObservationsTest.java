package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ObservationsTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final ItemLock LOCK = new ItemLock("t", "o", Instant.EPOCH, LEASE);
    private static final LockAttributes NAMES = new LockAttributes("token", "owner", "until", "lease");

    private final VirtualTime clock = Shop.clock(Duration.ZERO);
    private final Observations observations = new Observations(clock, null);

    private static ItemId item(int number) {
        return new ItemId("t", Map.of("id", AttributeValue.fromN(Integer.toString(number))));
    }

    private int conditions(int item) {
        return observations.conditions(item(item), NAMES, new ItemExpression()).size();
    }

    @Test
    void onlySoManyItemsAreRememberedAndTheOneNotAskedForLongestIsForgotten() {
        for (int i = 0; i < Observations.MOST; i++) {
            observations.found(item(i), LOCK);
        }
        clock.advance(LEASE);
        assertThat(conditions(0)).isEqualTo(1);
        observations.found(item(-1), LOCK);

        assertThat(conditions(0)).isEqualTo(1);
        assertThat(conditions(1)).isZero();
        assertThat(conditions(2)).isEqualTo(1);
    }
}
