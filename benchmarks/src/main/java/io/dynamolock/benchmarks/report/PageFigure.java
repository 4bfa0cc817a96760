package io.dynamolock.benchmarks.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column of a table on the page of a scenario.
 *
 * @param scenario the number of the scenario
 * @param table the title of the table
 * @param column the label of the column
 * @param label what the column is called elsewhere
 */
public record PageFigure(int scenario, String table, String column, String label) {

    private static final Pattern NUMBER = Pattern.compile("-?[\\d,]+(\\.\\d+)?(?= |$)");

    /**
     * The figure of each row that has one, by the label of the row, in their order; empty if the page has no such
     * column.
     */
    Map<String, Double> in(String page) {
        Map<String, Double> figures = new LinkedHashMap<>();
        Matcher lines = Pattern.compile("\\*\\*" + Pattern.quote(table) + "\\*\\*\n\n((?:\\|.*\n)+)")
                .matcher(page);
        if (!lines.find()) {
            return figures;
        }
        List<List<String>> rows = lines.group(1).lines().map(PageFigure::cells).toList();
        int wanted = rows.get(0).indexOf(column);
        if (wanted < 0) {
            return figures;
        }
        // The second line draws the rule below the head.
        rows.stream().skip(2).forEach(row -> {
            Matcher number = NUMBER.matcher(row.get(wanted));
            if (number.lookingAt()) {
                figures.put(row.get(0), Double.valueOf(number.group().replace(",", "")));
            }
        });
        return figures;
    }

    private static List<String> cells(String line) {
        return Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList();
    }
}
