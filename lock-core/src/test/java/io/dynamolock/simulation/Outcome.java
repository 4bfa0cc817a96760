package io.dynamolock.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one seed.
 *
 * @param violation the broken promise, {@code null} if all were kept
 * @param events what happened
 * @param counts what the run covered, by name
 */
public record Outcome(long seed, @Nullable String violation, History events, Map<String, Long> counts) {

    private static final String REPLAY = "mvn -pl lock-core -am test -Dtest=SimulationTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed=";

    /** One line for each event: virtual milliseconds, process, what happened. */
    public String history() {
        return events.toString();
    }

    /** The broken promise, how to replay it, and the end of the history. */
    public String describe(int lastLines) {
        return "seed " + seed + ": " + violation + "\nReplay it with: " + REPLAY + seed + "\n" + events.last(lastLines);
    }
}
