package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The figures of three services on {@code docs/costs.md} follow from the rules that stand there. */
class CostsPageTest {

    private static final double MONTH = Duration.ofDays(30).toSeconds();
    private static final double WRITE = 0.625 / 1e6;
    private static final double READ = 0.125 / 1e6;
    private static final double HEARTBEATS = MONTH / 5;
    /** The shortest pause, which is shortened at random by up to a quarter. */
    private static final double LOOKS_A_SECOND = 1 / (0.02 * 0.875);
    /** While a hold is shorter than that, the pace is the shortest pause: a fortieth of it. */
    private static final Duration QUICK = Duration.ofMillis(800);

    /** @param each how long a wait behind another process takes */
    private record Service(
            String name, int instances, double sections, double waits, Duration each, double triesInVain) {

        private double writes() {
            return (2 * sections + triesInVain) * MONTH * WRITE;
        }

        private double reads() {
            assertThat(each).isLessThanOrEqualTo(QUICK);
            double looks = each.toNanos() / 1e9 * LOOKS_A_SECOND;
            return (waits * (1 + looks / 2) + triesInVain) * MONTH * READ;
        }

        private double beats() {
            return instances * HEARTBEATS * WRITE;
        }

        String row() {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | %s | %s | $%.2f | $%.2f | $%.2f | **$%.2f** |",
                    name,
                    instances,
                    figure(sections),
                    figure(waits),
                    figure(triesInVain),
                    writes(),
                    reads(),
                    beats(),
                    writes() + reads() + beats());
        }

        private static String figure(double value) {
            return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
        }
    }

    @Test
    void thePageHasTheFiguresThatFollowFromItsRules() {
        String page = Pages.text(Pages.ROOT.resolve("docs").resolve("costs.md"));
        assertThat(List.of(
                        new Service("small back office", 3, 1, 0, Duration.ZERO, 0),
                        new Service("order service", 20, 200, 10, Duration.ofMillis(100), 0),
                        new Service("scheduled jobs", 10, 50 / 60.0, 0, Duration.ZERO, 9 * 50 / 60.0)))
                .allSatisfy(service -> assertThat(page).contains(service.row()));
        assertThat(page)
                .contains(String.format(Locale.ROOT, "%,.0f writes, that is $%.2f", HEARTBEATS, HEARTBEATS * WRITE));
    }
}
