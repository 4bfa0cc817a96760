package io.dynamolock.benchmarks.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Figures of several peers on the same work. This project's is in the first row. */
public final class Table {

    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    private record Row(String label, double[] values, List<String> words) {}

    private final String title;
    private final List<Metric> metrics;
    private final List<String> wordColumns;
    private final List<Row> rows = new ArrayList<>();

    public Table(String title, Metric... metrics) {
        this(title, List.of(), metrics);
    }

    /** @param wordColumns titles of further columns, of words */
    public Table(String title, List<String> wordColumns, Metric... metrics) {
        this.title = title;
        this.wordColumns = List.copyOf(wordColumns);
        this.metrics = List.of(metrics);
    }

    public void row(String label, double... values) {
        row(label, List.of(), values);
    }

    public void row(String label, List<String> words, double... values) {
        if (values.length != metrics.size() || words.size() != wordColumns.size()) {
            throw new IllegalArgumentException(values.length + " values and " + words.size() + " words for "
                    + metrics.size() + " and " + wordColumns.size() + " columns");
        }
        rows.add(new Row(label, values.clone(), List.copyOf(words)));
    }

    /** A row for a peer that could not be measured. */
    public void failedRow(String label) {
        double[] values = new double[metrics.size()];
        Arrays.fill(values, Double.NaN);
        row(label + " (failed)", Collections.nCopies(wordColumns.size(), "-"), values);
    }

    String toMarkdown() {
        StringBuilder markdown = new StringBuilder("**" + title + "**\n\n| |");
        metrics.forEach(metric -> markdown.append(' ').append(metric.label()).append(" |"));
        wordColumns.forEach(column -> markdown.append(' ').append(column).append(" |"));
        markdown.append("\n| --- |")
                .append(" ---: |".repeat(metrics.size()))
                .append(" --- |".repeat(wordColumns.size()))
                .append('\n');
        for (Row row : rows) {
            markdown.append("| ").append(row.label()).append(" |");
            for (int i = 0; i < metrics.size(); i++) {
                double ours = rows.get(0).values()[i];
                markdown.append(' ')
                        .append(metrics.get(i).format(row.values()[i], ours))
                        .append(" |");
            }
            row.words().forEach(words -> markdown.append(' ').append(words).append(" |"));
            markdown.append('\n');
        }
        return markdown.append('\n').toString();
    }
}
