package io.dynamolock.benchmarks.report;

import java.nio.file.Path;
import java.util.List;

/**
 * The findings of one scenario.
 *
 * @param method what was done and how to read the figures
 * @param targets empty if the scenario has none
 */
public record ScenarioReport(
        int number, String title, String method, List<Table> tables, List<Chart> charts, List<Target> targets) {

    static final String TARGETS_HEAD = "**Targets**\n\n";

    /** The whole page, in Markdown. */
    public String toMarkdown(String chartFolder) {
        StringBuilder markdown = new StringBuilder("# " + number + ". " + title + "\n\n" + wrapped(method) + "\n\n");
        if (!targets.isEmpty()) {
            markdown.append(TARGETS_HEAD).append(Target.TABLE_HEAD);
            targets.forEach(target -> markdown.append(target.toMarkdown()));
            markdown.append('\n');
        }
        charts.forEach(chart -> markdown.append(chart.toMarkdown(chartFolder)));
        tables.forEach(table -> markdown.append(table.toMarkdown()));
        return markdown.toString();
    }

    void writeCharts(Path folder) {
        charts.forEach(chart -> chart.write(folder));
    }

    private static String wrapped(String text) {
        StringBuilder lines = new StringBuilder();
        int length = 0;
        for (String word : text.split(" ")) {
            if (length + word.length() > 118) {
                lines.append('\n');
                length = 0;
            } else if (length > 0) {
                lines.append(' ');
            }
            lines.append(word);
            length += word.length() + 1;
        }
        return lines.toString();
    }
}
