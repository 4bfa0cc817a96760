package io.dynamolock.simulation.bugs;

import io.dynamolock.simulation.Simulation;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Simulates a seed with whatever classes its own class loader has; says what was found wrong, {@code null} if nothing. */
public final class SeedRunner implements LongFunction<@Nullable String> {

    @Override
    public @Nullable String apply(long seed) {
        return Simulation.run(seed).violation();
    }
}
