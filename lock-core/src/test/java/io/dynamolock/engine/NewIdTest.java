package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.protocol.SessionId;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class NewIdTest {

    private final Workbench bench = new Workbench();

    @Test
    void allSixtyBitsOfASessionsIdAreRandom() {
        assertThat(idFrom(() -> 0L)).isEqualTo(new SessionId("0000000000"));
        assertThat(idFrom(() -> -1L)).isEqualTo(new SessionId("__________"));
    }

    private SessionId idFrom(RandomGenerator random) {
        return new EngineContext(Workbench.SETTINGS, bench.store, bench.loop, bench.clock, random, bench.heard)
                .newSessionId();
    }
}
