package io.dynamolock.model;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The result of a run of TLC, and its whole output. */
record TlcResult(int exitValue, String output) {

    /** The name for a violated liveness property, which TLC does not name. */
    static final String SOME_TEMPORAL_PROPERTY = "some temporal property";

    private static final Pattern VIOLATED = Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found, 0 states left");
    private static final Pattern HAPPENED = Pattern.compile("(?m)^\"happened: (.*)\"$");

    boolean isGreen() {
        return exitValue == 0 && output.contains("No error has been found");
    }

    /** The violated property; empty if TLC found none. */
    String violated() {
        Matcher matcher = VIOLATED.matcher(output);
        if (matcher.find()) {
            return matcher.group(1);
        }
        return output.contains("Temporal properties were violated") ? SOME_TEMPORAL_PROPERTY : "";
    }

    /** The number of states; 0 if TLC did not look at all of them. */
    long distinctStates() {
        Matcher matcher = DISTINCT.matcher(output);
        return matcher.find() ? Long.parseLong(matcher.group(1).replace(",", "")) : 0;
    }

    /** The events that happened, in the words of {@code Model.tla}. */
    Set<String> happened() {
        return HAPPENED.matcher(output).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }
}
