package io.dynamolock.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.internal.engine.LineSummary.Property;
import io.dynamolock.internal.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalOrderTest {

    private final ArrivalOrder order = new ArrivalOrder();

    /** The same waiters in a plain list. */
    private final List<WaitingCaller> expected = new ArrayList<>();

    private long arrivals;

    @Test
    void itAnswersAsAPlainListWouldWhoeverComesAndGoes() {
        SplittableRandom random = new SplittableRandom(1);
        for (int step = 0; step < 4_000; step++) {
            boolean grows = step / 500 % 2 == 0;
            if (expected.isEmpty() || random.nextInt(4) < (grows ? 3 : 1)) {
                join(random);
            } else if (random.nextInt(3) > 0) {
                WaitingCaller leaving = expected.remove(random.nextInt(expected.size()));
                order.remove(leaving);
                assertThat(order.contains(leaving)).isFalse();
            } else {
                WaitingCaller changing = expected.get(random.nextInt(expected.size()));
                changing.timeIsOver();
                changing.queued();
                order.changed(changing);
            }
            checkFrom(random);
        }
    }

    private void join(SplittableRandom random) {
        arrivals += 1 + random.nextInt(3);
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        Duration wait = Duration.ofMillis(100L * random.nextInt(4));
        Moment arrivedAt = new Moment(random.nextInt(1_000_000_000));
        WaitingCaller waiter = new WaitingCaller(Bench.spec(kind, wait), arrivals, arrivedAt);
        expected.add(waiter);
        order.add(waiter);
    }

    private void checkFrom(SplittableRandom random) {
        assertThat(order.all()).isEqualTo(expected);
        if (expected.isEmpty()) {
            assertThat(order.summary()).isEqualTo(LineSummary.NOBODY);
            return;
        }
        int first = random.nextInt(expected.size());
        int end = first + random.nextInt(expected.size() - first + 1);
        int from = placeOf(first);
        int to = end == expected.size() ? order.end() : placeOf(end);
        List<WaitingCaller> between = expected.subList(first, end);
        assertThat(order.between(from, to)).isEqualTo(between);
        assertThat(order.summary(from, to))
                .isEqualTo(LineSummary.of(between.toArray(WaitingCaller[]::new), 0, between.size()));
        for (Property property : Property.values()) {
            List<WaitingCaller> later = expected.subList(first, expected.size()).stream()
                    .filter(property::isOf)
                    .toList();
            assertThat(order.count(property, from)).isEqualTo((int)
                    expected.subList(0, first).stream().filter(property::isOf).count());
            int n = 1 + random.nextInt(later.size() + 1);
            assertThat(order.at(order.find(property, from, n))).isEqualTo(n <= later.size() ? later.get(n - 1) : null);
        }
    }

    private int placeOf(int index) {
        return order.placeFrom(expected.get(index).arrival());
    }

    @Test
    void nobodyIsAddedOutOfTurn() {
        order.add(new WaitingCaller(Bench.exclusive(), 2, new Moment(0)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> order.add(new WaitingCaller(Bench.exclusive(), 1, new Moment(0))));
    }
}
