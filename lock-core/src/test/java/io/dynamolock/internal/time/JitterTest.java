package io.dynamolock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JitterTest {

    @Test
    void aPauseIsShortenedByAtMostAQuarterAndNotAlwaysByTheSame() {
        Duration pause = Duration.ofSeconds(4);
        Jitter jitter = new Jitter(new SplittableRandom(1));

        assertThat(Stream.generate(() -> jitter.shorten(pause)).limit(1_000))
                .allMatch(shortened -> shortened.compareTo(Duration.ofSeconds(3)) >= 0)
                .allMatch(shortened -> shortened.compareTo(pause) <= 0)
                .doesNotHaveDuplicates();
    }
}
