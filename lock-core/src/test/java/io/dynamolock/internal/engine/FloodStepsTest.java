package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.testing.CountedCode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The steps that are taken for each caller of a crowd, counted in the engine's own code. */
class FloodStepsTest {

    private static final int LEAST = 1_000;

    /** Greater crowds than this are counted with {@code -Dflood.most=200000}. */
    private static final int MOST = Integer.getInteger("flood.most", 8_000);

    @ParameterizedTest
    @EnumSource
    void theStepsForACallerGrowNoFasterThanTheLogarithmOfTheCrowd(Flood flood) {
        IntToLongFunction steps = new CountedCode().counted(flood, IntToLongFunction.class);
        // Classes get ready, which takes steps once.
        assertThat(steps.applyAsLong(10)).isPositive();
        Map<Integer, Long> perCaller = new TreeMap<>();
        IntStream.of(LEAST, MOST / 20, MOST / 4, MOST)
                .filter(callers -> callers >= LEAST)
                .forEach(callers -> perCaller.put(callers, steps.applyAsLong(callers) / callers));
        if (Boolean.getBoolean("flood.print")) {
            System.out.println(flood + ", steps for each caller by the number of callers: " + perCaller);
        }

        double growth = Math.log(MOST) / Math.log(LEAST);
        assertThat((double) perCaller.get(MOST))
                .as("steps for each caller: %s", perCaller)
                .isLessThan(perCaller.get(LEAST) * growth);
    }
}
