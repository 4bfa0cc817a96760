package io.dynamolock.simulation.bugs;

import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** One deliberate bug. */
interface Bug {

    String name();

    /** What would go wrong in production. */
    String danger();

    /** A seed that finds it. */
    long foundBy();

    /** Simulates a seed with the bug; says what was found wrong, {@code null} if nothing. */
    LongFunction<@Nullable String> simulation();
}
