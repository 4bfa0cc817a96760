package io.dynamolock.model;

import io.dynamolock.internal.engine.TraceRecorder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Asks TLC whether traces of the simulator are behaviours of the specification, with many traces in one run. */
final class TraceCheck {

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int CONTEXT = 12;
    private static final int MOST_LINES = 400;
    private static final Pattern REJECTED = Pattern.compile("\"rejected\"\\R<<(\\d+), (\\d+)>>\\R");

    /** The trace of one lock in the run of one seed. */
    record Trace(String name, List<String> lines) {

        static Trace of(long seed) {
            return new Trace("seed " + seed, TraceRecorder.trace(seed));
        }

        /** A run with one of the deliberate bugs, which may keep the run from ending. */
        static Trace of(long seed, String bug) {
            List<String> all = TraceRecorder.trace(seed, bug);
            return new Trace(bug + ", seed " + seed, all.subList(0, Math.min(MOST_LINES, all.size())));
        }
    }

    /**
     * A line that is no step of the specification.
     *
     * @param state the state of the table and the processes before the line, as TLC prints it
     */
    record Rejection(Trace trace, int line, String state) {

        String event() {
            return trace.lines().get(line - 1);
        }

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(trace.name() + " is rejected at line " + line + ":\n");
            for (int i = Math.max(1, line - CONTEXT); i <= line; i++) {
                text.append(i == line ? "> " : "  ")
                        .append(i)
                        .append(' ')
                        .append(trace.lines().get(i - 1))
                        .append('\n');
            }
            return text.append("The table and the processes before it:\n")
                    .append(state)
                    .toString();
        }
    }

    private TraceCheck() {}

    /** @param directory an empty directory */
    static List<Rejection> rejections(List<Trace> traces, Path directory) {
        TlcResult result;
        try {
            Files.writeString(directory.resolve("Recorded.tla"), module(traces));
            result = Tlc.in(directory).check("Recorded", "Trace", LIMIT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long states =
                traces.stream().mapToLong(trace -> trace.lines().size() + 1).sum();
        List<Rejection> rejections = new ArrayList<>();
        String[] reports = result.output().split("(?=\"rejected\")");
        for (String report : reports) {
            Matcher where = REJECTED.matcher(report);
            if (where.find()) {
                Trace trace = traces.get(Integer.parseInt(where.group(1)) - 1);
                int line = Integer.parseInt(where.group(2));
                rejections.add(new Rejection(trace, line, state(report.substring(where.end()))));
                states -= trace.lines().size() + 1 - line;
            }
        }
        if (!result.isGreen() || result.distinctStates() != states) {
            throw new AssertionError("TLC has not looked at each line once, " + states + ":\n" + result.output());
        }
        return rejections;
    }

    private static String state(String report) {
        return report.replaceAll("(?m)^Progress\\(.*\\R", "").replaceAll("(?s)\\RModel checking completed.*", "\n");
    }

    private static String module(List<Trace> traces) {
        StringBuilder text = new StringBuilder("---- MODULE Recorded ----\nEXTENDS Trace\n");
        for (int i = 0; i < traces.size(); i++) {
            text.append("T").append(i).append(" == <<\n");
            text.append(String.join(",\n", traces.get(i).lines())).append(">>\n");
        }
        String all = IntStream.range(0, traces.size()).mapToObj(i -> "T" + i).collect(Collectors.joining(", "));
        return text.append("Recorded == <<").append(all).append(">>\n====\n").toString();
    }
}
