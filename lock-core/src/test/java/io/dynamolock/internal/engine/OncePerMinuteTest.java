package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OncePerMinuteTest {

    @Test
    void whatHappensAgainAndAgainIsSaidOnceAMinute() {
        VirtualTime clock = VirtualTime.notAtZero();
        OncePerMinute log = new OncePerMinute(clock);
        AtomicInteger said = new AtomicInteger();

        for (int second = 0; second <= 120; second++) {
            log.run(said::incrementAndGet);
            clock.advance(Duration.ofSeconds(1));
        }

        assertThat(said).hasValue(3);
    }
}
