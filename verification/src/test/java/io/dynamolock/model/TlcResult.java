package io.dynamolock.model;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a run of TLC ended, and all it said. */
record TlcResult(int exitValue, String output) {

    /** What TLC calls a violated liveness property: it does not say which. */
    static final String SOME_TEMPORAL_PROPERTY = "some temporal property";

    private static final Pattern VIOLATED = Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found, 0 states left");
    private static final Pattern HAPPENED = Pattern.compile("(?m)^\"happened: (.*)\"$");

    boolean isGreen() {
        return exitValue == 0 && output.contains("No error has been found");
    }

    /** The property that does not hold; empty if none was found. */
    String violated() {
        Matcher matcher = VIOLATED.matcher(output);
        if (matcher.find()) {
            return matcher.group(1);
        }
        return output.contains("Temporal properties were violated") ? SOME_TEMPORAL_PROPERTY : "";
    }

    /** How many states there are; 0 if not all of them were looked at. */
    long distinctStates() {
        Matcher matcher = DISTINCT.matcher(output);
        return matcher.find() ? Long.parseLong(matcher.group(1).replace(",", "")) : 0;
    }

    /** What happened on the way, in the words of {@code Model.tla}. */
    Set<String> happened() {
        return HAPPENED.matcher(output).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }
}
