package io.dynamolock.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where results go: for each scenario a page with its tables, and its charts beside it. Scenarios that were measured in
 * different runs can share a folder, because each page says how it came about.
 *
 * @param surroundings where and when, in Markdown
 */
public record ReportFolder(Path folder, String surroundings) {

    /** Writes it, and prints it too. */
    public void write(ScenarioReport report) {
        report.writeCharts(folder);
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("scenario-" + report.number() + ".md"),
                    report.toMarkdown(".").replaceFirst("## ", "# ").stripTrailing() + "\n\n**How it was measured**\n\n"
                            + surroundings.stripTrailing() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println(report.toMarkdown(folder.toString()));
    }
}
