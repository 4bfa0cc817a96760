package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.testing.CountedCode;
import io.dynamolock.internal.testing.Measured;
import io.dynamolock.internal.testing.Measured.Work;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However many callers of one key there are, what happens to one of them costs hardly more than if it were alone.
 * Counted are the steps of the engine's own code, and the bytes that are allocated, copies of lists among them.
 */
class FloodTest {

    /** Greater crowds than this are measured with {@code -Dflood.most=200000}. */
    private static final int MOST_CALLERS = Integer.getInteger("flood.most", 4_000);

    /** More than these are measured with {@code -Dflood.sessions=4000}. */
    private static final int MOST_SESSIONS = Integer.getInteger("flood.sessions", 2_000);

    private static final int LEAST = 1_000;

    /** Crowds of different sizes share entries and writes in different ways. */
    private static final double MARGIN = 1.4;

    /** The same if the crowd needs several entries, of at most 4,095 callers each: a process has at most 16. */
    private static final double MARGIN_WITH_ENTRIES = 2.5;

    @ParameterizedTest
    @EnumSource
    void theWorkForACallerGrowsNoFasterThanTheLogarithmOfTheCrowd(Flood flood) {
        growsNoFasterThanTheLogarithm(flood, MOST_CALLERS);
    }

    @ParameterizedTest
    @EnumSource
    void theWorkForASessionGrowsNoFasterThanTheLogarithmOfTheirNumber(ManySessions sessions) {
        growsNoFasterThanTheLogarithm(sessions, MOST_SESSIONS);
    }

    private static void growsNoFasterThanTheLogarithm(Enum<?> what, int most) {
        Measured counted = new CountedCode().counted(what);
        // Classes get ready, which takes steps once.
        assertThat(counted.workFor(100).steps()).isPositive();
        Map<Integer, Work> measured = new TreeMap<>();
        IntStream.of(LEAST, most / 20, most / 4, most)
                .filter(size -> size >= LEAST)
                .forEach(size -> measured.computeIfAbsent(size, counted::workFor));
        Map<Integer, String> each = new TreeMap<>();
        measured.forEach((size, work) -> each.put(
                size,
                "%,d steps, %,d bytes, %,d ns"
                        .formatted(
                                work.steps() / size,
                                work.bytes() / size,
                                work.time().toNanos() / size)));
        if (Boolean.getBoolean("flood.print")) {
            System.out.println(what + ", for each: " + each);
        }

        Work least = measured.get(LEAST);
        double allowed = (double) most
                / LEAST
                * Math.log(most)
                / Math.log(LEAST)
                * (most > 4_095 ? MARGIN_WITH_ENTRIES : MARGIN);
        assertThat(measured.get(most).steps() / (double) least.steps())
                .as("%s", each)
                .isLessThan(allowed);
        assertThat(measured.get(most).bytes() / (double) least.bytes())
                .as("%s", each)
                .isLessThan(allowed);
    }
}
