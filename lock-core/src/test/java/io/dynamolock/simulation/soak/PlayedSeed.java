package io.dynamolock.simulation.soak;

import io.dynamolock.simulation.Outcome;
import io.dynamolock.simulation.Simulation;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * Simulates a seed with whatever classes its own class loader has. Says what it covered, and what was found wrong with its
 * history; that is empty if nothing was.
 */
public final class PlayedSeed implements LongFunction<Map.Entry<Map<String, Long>, String>> {

    private static final int LAST_LINES = 80;

    @Override
    public Map.Entry<Map<String, Long>, String> apply(long seed) {
        Outcome outcome = Simulation.run(seed);
        return Map.entry(outcome.counts(), outcome.violation() == null ? "" : outcome.describe(LAST_LINES));
    }
}
