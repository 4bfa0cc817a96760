package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The figures of three services on {@code docs/operations.md} follow from the rules that stand there. */
class CostsPageTest {

    private static final double MONTH = Duration.ofDays(30).toSeconds();
    private static final double WRITE = 0.625 / 1e6;
    private static final double READ = 0.125 / 1e6;
    private static final double HEARTBEATS = MONTH / 5;
    /** With the shortest polling interval, from one read to the next, if each read is answered before. */
    private static final double POLLS_A_SECOND = 1 / 0.005;
    /** During so much of a hold the shortest polling interval is used, its fortieth, and no session is read. */
    private static final Duration SHORT = Duration.ofMillis(200);
    /** With the longest polling interval: of four reads a second, one is consistent, which costs a whole unit. */
    private static final double UNITS_OF_WAITING = (3 * 0.5 + 1) * MONTH;

    /** @param each how long a wait behind another process takes */
    private record Service(
            String name, int instances, double sections, double waits, Duration each, double triesInVain) {

        private double writes() {
            return (2 * sections + triesInVain) * MONTH * WRITE;
        }

        private double reads() {
            assertThat(each).isLessThanOrEqualTo(SHORT);
            double polls = each.toNanos() / 1e9 * POLLS_A_SECOND;
            return (waits * polls / 2 + triesInVain) * MONTH * READ;
        }

        private double heartbeats() {
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
                    heartbeats(),
                    writes() + reads() + heartbeats());
        }

        private static String figure(double value) {
            return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
        }
    }

    @Test
    void thePageHasTheFiguresThatFollowFromItsRules() {
        String page =
                Pages.text(Pages.ROOT.resolve("docs").resolve("operations.md")).replace('\n', ' ');
        assertThat(List.of(
                        new Service("small back office", 3, 1, 0, Duration.ZERO, 0),
                        new Service("order service", 20, 200, 10, Duration.ofMillis(100), 0),
                        new Service("scheduled jobs", 10, 50 / 60.0, 0, Duration.ZERO, 9 * 50 / 60.0)))
                .allSatisfy(service -> assertThat(page).contains(service.row()));
        assertThat(page)
                .contains(
                        String.format(Locale.ROOT, "%,.0f writes, that is $%.2f", HEARTBEATS, HEARTBEATS * WRITE),
                        String.format(Locale.ROOT, "polls at most %.0f times a second", POLLS_A_SECOND),
                        String.format(
                                Locale.ROOT,
                                "%,.0f units, that is $%.2f a month",
                                UNITS_OF_WAITING,
                                UNITS_OF_WAITING * READ));
    }

    @Test
    void thePageHasWhatIdleItemsCost() {
        String page =
                Pages.text(Pages.ROOT.resolve("docs").resolve("operations.md")).replace('\n', ' ');
        double items = 200.0 * Duration.ofDays(7).toSeconds();
        double gigabytes = items * (70 + 100) / 1e9;
        double unitsOfScan = items * 70 / 4096 / 2;
        assertThat(page)
                .contains(
                        String.format(Locale.ROOT, "%.0f million keys", items / 1e6),
                        String.format(
                                Locale.ROOT,
                                "%.0f GB, at $0.25 for each a month in `us-east-1` $%.2f",
                                gigabytes,
                                gigabytes * 0.25),
                        String.format(Locale.ROOT, "reads them all: $%.2f a time", unitsOfScan * READ),
                        String.format(Locale.ROOT, "would be $%.0f more a month", items * 1024 / 1e9 * 0.25));
    }
}
