package io.dynamolock.spring.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LockKeysTest {

    private record Seat(String hall, int number) {}

    static class Seats {

        private final LockRegistry locks;

        Seats(LockRegistry locks) {
            this.locks = locks;
        }

        @DynamoLocked(key = "#seat")
        public String key(Seat seat) {
            return locks.admin().held().get(0).key();
        }
    }

    @Test
    void aLockedMethodAndWhoeverAsksTheRegistryMeanTheSameLock() {
        try (AspectContext context = new AspectContext(Seats.class)) {
            Seat seat = new Seat("Main", 17);
            assertThat(LockKeys.text(seat))
                    .isEqualTo("Seat[hall=\"Main\", number=17]")
                    .isEqualTo(context.bean(Seats.class).key(seat));
            try (LockHandle handle = context.bean(LockRegistry.class).acquire(LockKeys.text(seat), Duration.ZERO)) {
                assertThat(handle.isValid()).isTrue();
            }
        }
    }
}
