package io.dynamolock.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A table of figures that a run leaves behind, in {@code target}: it is complete up to the latest row. */
final class Report {

    private final Path file;
    private final List<String> lines = new ArrayList<>();

    private Report(Path file) {
        this.file = file;
    }

    static Report of(String name, String... columns) {
        Report report = new Report(Path.of("target", name));
        report.lines.add("| " + String.join(" | ", columns) + " |");
        report.lines.add("| --- ".repeat(columns.length) + "|");
        return report;
    }

    synchronized void add(Object... cells) {
        StringBuilder line = new StringBuilder("|");
        for (Object cell : cells) {
            line.append(' ').append(cell).append(" |");
        }
        lines.add(line.toString());
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
