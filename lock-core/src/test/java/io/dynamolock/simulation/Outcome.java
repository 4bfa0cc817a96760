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

    /** One line for each event: virtual milliseconds, process, what happened. */
    public String history() {
        return events.toString();
    }

    /** The end of the history. */
    public String lastLines(int lines) {
        return events.last(lines);
    }
}
