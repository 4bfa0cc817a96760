package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionEndTest {

    @Test
    void eachIsToldInItsOwnWords() {
        Map.of(
                        SessionEnd.NO_BEAT, "no heartbeat got through",
                        SessionEnd.BURIED, "another process",
                        SessionEnd.WALL_CLOCK_AHEAD, "set ahead",
                        SessionEnd.WALL_CLOCK_BACK, "set back")
                .forEach((end, words) -> assertThat(end.inWords()).contains(words));
    }
}
