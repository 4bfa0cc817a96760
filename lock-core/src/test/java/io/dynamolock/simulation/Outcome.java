package io.dynamolock.simulation;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What became of one seed.
 *
 * @param violation the broken promise, {@code null} if all were kept
 * @param history one line for each event: virtual milliseconds, process, what happened
 * @param counts what the run covered, by name
 */
public record Outcome(long seed, @Nullable String violation, String history, Map<String, Long> counts) {

    public Outcome {
        counts = Map.copyOf(counts);
    }

    /** The end of the history. */
    public String lastLines(int lines) {
        String[] all = history.split("\n");
        int from = Math.max(0, all.length - lines);
        return String.join("\n", java.util.Arrays.asList(all).subList(from, all.length));
    }
}
