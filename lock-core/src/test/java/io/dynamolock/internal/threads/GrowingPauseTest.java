package io.dynamolock.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowingPauseTest {

    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(100), 3, 0.25);

    @Test
    void doublesWithEachFailureUpToItsLimit() {
        assertThat(IntStream.of(1, 2, 3, 4, 5, 1_000).mapToObj(failures -> PAUSE.after(failures, 0)))
                .extracting(Duration::toMillis)
                .containsExactly(100L, 200L, 400L, 800L, 800L, 800L);
    }

    @Test
    void isShorterByARandomPartUpToItsJitter() {
        assertThat(PAUSE.after(1, 0.5)).isEqualTo(Duration.ofNanos(87_500_000));
        assertThat(PAUSE.after(1, 1)).isEqualTo(Duration.ofMillis(75));
    }
}
