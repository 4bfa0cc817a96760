package io.dynamolock.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Figures of several peers on the same work, ours in the first row. */
public final class Table {

    private record Row(String label, double[] values) {}

    private final String title;
    private final List<Metric> metrics;
    private final List<Row> rows = new ArrayList<>();

    public Table(String title, Metric... metrics) {
        this.title = title;
        this.metrics = List.of(metrics);
    }

    public void row(String label, double... values) {
        if (values.length != metrics.size()) {
            throw new IllegalArgumentException(values.length + " values for " + metrics.size() + " columns");
        }
        rows.add(new Row(label, values.clone()));
    }

    String toMarkdown() {
        StringBuilder markdown = new StringBuilder("**" + title + "**\n\n| |");
        metrics.forEach(metric -> markdown.append(' ').append(metric.label()).append(" |"));
        markdown.append("\n| --- |").append(" ---: |".repeat(metrics.size())).append('\n');
        for (Row row : rows) {
            markdown.append("| ").append(row.label()).append(" |");
            for (int i = 0; i < metrics.size(); i++) {
                double ours = rows.get(0).values()[i];
                markdown.append(' ')
                        .append(metrics.get(i).format(row.values()[i], ours))
                        .append(" |");
            }
            markdown.append('\n');
        }
        return markdown.append('\n').toString();
    }
}
