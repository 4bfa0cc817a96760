package io.dynamolock.sample.rush;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitTimesTest {

    @Test
    void percentilesAreWaitsThatHappened() {
        List<Duration> oneToTwoHundred = IntStream.rangeClosed(1, 200)
                .map(millis -> 201 - millis)
                .mapToObj(Duration::ofMillis)
                .toList();

        assertThat(WaitTimes.of(oneToTwoHundred)).isEqualTo(new WaitTimes(100, 198, 200));
    }

    @Test
    void oneWaitIsEveryPercentile() {
        assertThat(WaitTimes.of(List.of(Duration.ofMillis(7)))).isEqualTo(new WaitTimes(7, 7, 7));
    }

    @Test
    void noWaitsAreZero() {
        assertThat(WaitTimes.of(List.of())).isEqualTo(new WaitTimes(0, 0, 0));
    }
}
