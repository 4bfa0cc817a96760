package io.dynamolock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PageFigureTest {

    private static final PageFigure P50 = new PageFigure(1, "New keys (16)", "p50, ms", "caller");

    @Test
    void readsTheFiguresOfAColumnAsTheTableWroteThem() {
        Table table = new Table("New keys (16)", Metric.counted("p5", 0), Metric.timed("p50, ms", 2));
        table.row("DynamoLock", 3, 7.5);
        table.row("AWS lock client 1.4.0", 4, 1_234.5);
        table.row("none", 5, Double.NaN);
        table.failedRow("ShedLock 4.42.0");
        Table other = new Table("New keys", Metric.timed("p50, ms", 2));
        other.row("DynamoLock", 1);

        assertThat(P50.in("# 1. A page\n\n" + other.toMarkdown() + table.toMarkdown()))
                .containsExactly(Map.entry("DynamoLock", 7.5), Map.entry("AWS lock client 1.4.0", 1_234.5));
    }

    @Test
    void aPageWithoutTheTableOrTheColumnHasNoFigures() {
        Table without = new Table("New keys (16)", Metric.counted("p5", 0));
        without.row("DynamoLock", 3);

        assertThat(P50.in("# 1. A page\n")).isEmpty();
        assertThat(P50.in(without.toMarkdown())).isEmpty();
    }
}
