package io.dynamolock.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of results. Each scenario has a page with its tables, and its charts beside the page. Scenarios that were
 * measured in different runs can share a folder, because each page says how it was measured. The page of targets is
 * made from all pages in the folder, whichever run they come from, and so is the chart of the README.
 *
 * @param overview the figures of that chart
 */
public record ReportFolder(Path folder, List<PageFigure> overview) {

    /** Stands in every page whose figures are no results, because the run was too short or the machine too busy. */
    public static final String NO_RESULT = "**These figures are no result:**";

    private static final Pattern PAGE = Pattern.compile("scenario-(\\d+)\\.md");
    private static final Pattern TITLE = Pattern.compile("\\A# (.+)");
    private static final Pattern TARGETS =
            Pattern.compile(Pattern.quote(ScenarioReport.TARGETS_HEAD) + "((?:\\|.*\n)+)");
    private static final Pattern MEASURED = Pattern.compile("(?m)^- measured: (.+)$");

    /**
     * Writes it, and prints it too.
     *
     * @param surroundings the circumstances, in Markdown
     */
    public void write(ScenarioReport report, String surroundings) {
        report.writeCharts(folder);
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve("scenario-" + report.number() + ".md"),
                    report.toMarkdown(".").stripTrailing() + "\n\n**How it was measured**\n\n"
                            + surroundings.stripTrailing() + "\n");
            writeTargets();
            writeOverview();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        System.out.println(report.toMarkdown(folder.toString()));
    }

    private void writeTargets() throws IOException {
        StringBuilder markdown = new StringBuilder("""
                # Targets

                Made by the benchmarks from the pages of the scenarios, each as its last run left it. Met and missed are
                computed from the figures. Where a peer is better, the line says so.
                """);
        for (Path page : pages()) {
            String text = Files.readString(page);
            Matcher title = TITLE.matcher(text);
            Matcher targets = TARGETS.matcher(text);
            if (title.find() && targets.find()) {
                Matcher measured = MEASURED.matcher(text);
                markdown.append("\n## [")
                        .append(title.group(1))
                        .append("](")
                        .append(page.getFileName())
                        .append(")\n\n")
                        .append(text.contains(NO_RESULT) ? NO_RESULT + " see the page.\n\n" : "")
                        .append(targets.group(1))
                        .append(measured.find() ? "\nMeasured: " + measured.group(1) + "\n" : "");
            }
        }
        Files.writeString(folder.resolve("targets.md"), markdown);
    }

    /** Leaves out what no page has. */
    private void writeOverview() throws IOException {
        Chart chart = new Chart("overview", "Milliseconds for a lock: shorter is better", "ms", true).withFigures();
        boolean isEmpty = true;
        for (PageFigure figure : overview) {
            Path page = folder.resolve("scenario-" + figure.scenario() + ".md");
            Map<String, Double> figures = Files.exists(page) ? figure.in(Files.readString(page)) : Map.of();
            figures.forEach((peer, value) -> chart.bar(peer, figure.label(), value));
            isEmpty &= figures.isEmpty();
        }
        if (!isEmpty) {
            chart.write(folder);
        }
    }

    private List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> page(file).matches())
                    .sorted(Comparator.comparingInt(ReportFolder::number))
                    .toList();
        }
    }

    private static int number(Path file) {
        Matcher page = page(file);
        return page.matches() ? Integer.parseInt(page.group(1)) : 0;
    }

    private static Matcher page(Path file) {
        return PAGE.matcher(file.getFileName().toString());
    }
}
