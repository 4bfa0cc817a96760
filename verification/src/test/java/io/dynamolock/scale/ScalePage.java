package io.dynamolock.scale;

import java.util.List;
import java.util.stream.Collectors;

/** A page in Markdown some of whose tables are made by a program. */
record ScalePage(String text) {

    /**
     * The page with other rows in a table.
     *
     * @param head the beginning of the table's first line
     * @param rows in Markdown; the table's first two lines stay as they are
     */
    ScalePage withRows(String head, List<String> rows) {
        List<String> lines = text.lines().toList();
        int first = first(lines, head) + 2;
        int next = first;
        while (next < lines.size() && lines.get(next).startsWith("|")) {
            next++;
        }
        return new ScalePage(
                joined(lines.subList(0, first)) + joined(rows) + joined(lines.subList(next, lines.size())));
    }

    private static int first(List<String> lines, String head) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(head)) {
                return i;
            }
        }
        throw new IllegalArgumentException("No line begins with " + head);
    }

    private static String joined(List<String> lines) {
        return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    }
}
