package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.engine.Flood.Work;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However many callers of one key there are, what happens to one of them costs hardly more than if it were alone. */
class FloodTest {

    /** Greater crowds than this are measured with {@code -Dflood.most=200000}. */
    private static final int MOST = Integer.getInteger("flood.most", 8_000);

    /** The smallest crowd: the greatest one halved again and again, but of a thousand callers or more. */
    private static final int LEAST = least();

    /** How many times the work for twice as many callers may be. */
    private static final double MOST_GROWTH = 2.3;

    private static int least() {
        int least = MOST;
        while (least >= 2_000) {
            least /= 2;
        }
        return least;
    }

    @ParameterizedTest
    @EnumSource
    void twiceTheCrowdIsLittleMoreThanTwiceTheWork(Flood flood) {
        flood.workFor(LEAST);
        long least = flood.workFor(LEAST).bytes();
        List<String> measured = new ArrayList<>();
        double allowed = least;
        for (int callers = 2 * LEAST; callers <= MOST; callers *= 2) {
            Work work = flood.workFor(callers);
            allowed *= MOST_GROWTH;
            measured.add(callers + " callers: " + work);
            if (Boolean.getBoolean("flood.print")) {
                System.out.println(flood + " " + callers + " callers: " + work);
            }
            assertThat((double) work.bytes())
                    .as("allocated bytes, after %,d for %d callers: %s", least, LEAST, measured)
                    .isLessThan(allowed);
        }
    }
}
