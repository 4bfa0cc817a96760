package io.dynamolock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Ids are random UUIDs as RFC 9562 has them. */
class NewIdTest {

    private final Workbench bench = new Workbench();

    @Test
    void everyBitButThoseOfVersionAndVariantIsRandom() {
        assertThat(idFrom(() -> 0L)).isEqualTo(UUID.fromString("00000000-0000-4000-8000-000000000000"));
        assertThat(idFrom(() -> -1L)).isEqualTo(UUID.fromString("ffffffff-ffff-4fff-bfff-ffffffffffff"));
    }

    private UUID idFrom(RandomGenerator random) {
        return new EngineContext(
                        Workbench.SETTINGS,
                        bench.store,
                        bench.loop,
                        bench.clock,
                        random,
                        bench.heard,
                        new Grants(bench.loop::execute))
                .newId();
    }
}
