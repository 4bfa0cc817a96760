package io.dynamolock.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TLC looks at every state of the protocol's small configurations. A model that something makes smaller than it was
 * proves less than it says, so the number of states is asserted, too; {@code docs/testing.md} tells what is in each.
 */
class ProtocolModelTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    @Test
    void promisesHoldWhateverCallsAreLostLateOrRepeated() {
        assertHolds("Order", 40_000);
    }

    @Test
    void waitersAreServedAndNothingIsLeftBehind() {
        assertHolds("Liveness", 4_000);
    }

    private void assertHolds(String configuration, long atLeast) {
        TlcResult result = Tlc.in(directory).check("Model", configuration, LIMIT);

        assertThat(result.isGreen()).as(result.output()).isTrue();
        assertThat(result.distinctStates()).as(result.output()).isGreaterThan(atLeast);
    }
}
