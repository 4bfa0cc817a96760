package io.dynamolock.model;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a run of TLC ended, and all it said. */
record TlcResult(int exitValue, String output) {

    /** What TLC calls a violated liveness property: it does not say which. */
    static final String SOME_TEMPORAL_PROPERTY = "some temporal property";

    private static final Pattern VIOLATED = Pattern.compile("Error: (?:Invariant|Action property) (\\w+) is violated");
    private static final Pattern FOUND = Pattern.compile("(?m)^[\\d,]+ states generated, ([\\d,]+) distinct");
    private static final Pattern DISTINCT = Pattern.compile("([\\d,]+) distinct states found, 0 states left");

    private static final Pattern DEPTH = Pattern.compile("depth of the complete state graph search is (\\d+)");
    private static final Pattern GENERATED = Pattern.compile("(?m)^([\\d,]+) states generated");
    private static final Pattern STEP = Pattern.compile("(?m)^State \\d+: <");
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

    /** How many states were found until TLC ended. */
    long statesFound() {
        return number(FOUND);
    }

    /** How many steps lead to the violation, with the loop that it ends in if it has one. */
    long stepsToError() {
        return STEP.matcher(output).results().count();
    }

    /** How many states there are; 0 if not all of them were looked at. */
    long distinctStates() {
        return number(DISTINCT);
    }

    /** What happened on the way, in the words of {@code Model.tla}. */
    Set<String> happened() {
        Set<String> happened = new TreeSet<>();
        Matcher matcher = HAPPENED.matcher(output);
        while (matcher.find()) {
            happened.add(matcher.group(1));
        }
        return happened;
    }

    /** The figures of a complete search. */
    String summary() {
        return number(GENERATED) + " states generated, " + distinctStates() + " distinct, depth " + number(DEPTH);
    }

    private long number(Pattern pattern) {
        Matcher matcher = pattern.matcher(output);
        return matcher.find() ? Long.parseLong(matcher.group(1).replace(",", "")) : 0;
    }
}
