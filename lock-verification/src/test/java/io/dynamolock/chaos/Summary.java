package io.dynamolock.chaos;

import io.dynamolock.chaos.Observed.Life;
import io.dynamolock.chaos.Registers.Outcome;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A run in figures, for people. */
record Summary(Map<String, Object> figures) {

    static Summary of(Observed observed, int overruns, int unanswered) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("faults", observed.faults);
        figures.put("processes", observed.lives.size());
        figures.put("attempts", observed.attempts.size());
        figures.put("grants", observed.granted().size());
        figures.put("failed attempts", observed.failures);
        figures.put(
                "grants lost before their release",
                observed.granted().stream()
                        .filter(attempt -> attempt.released != Attempt.NONE && !attempt.stillHeld)
                        .count());
        figures.put(
                "callers whose number changed while they waited",
                observed.granted().stream().filter(Attempt::isRenumbered).count());
        figures.put("writes without a fence", outcomes(observed, false));
        figures.put("writes with a fence", outcomes(observed, true));
        figures.put("updates lost without a fence: lock overrun", overruns);
        figures.put("updates lost without a fence: write without an answer", unanswered);
        figures.put("items of the table that were left to the next waiter", observed.leftToNextWaiter);
        figures.put("sessions left", observed.leftovers.size());
        figures.put("from the last fault to the last end", recovery(observed));
        return new Summary(figures);
    }

    private static Map<Outcome, Integer> outcomes(Observed observed, boolean fenced) {
        Map<Outcome, Integer> outcomes = new TreeMap<>();
        observed.writes.values().stream()
                .filter(write -> write.isFenced() == fenced)
                .forEach(write -> outcomes.merge(write.outcome, 1, Integer::sum));
        return outcomes;
    }

    private static String recovery(Observed observed) {
        long last = observed.lives.values().stream()
                .mapToLong((Life life) -> life.healedAndEnded)
                .max()
                .orElse(Attempt.NONE);
        return last == Attempt.NONE || observed.healed == Attempt.NONE
                ? "-"
                : Duration.ofNanos(last - observed.healed)
                        .truncatedTo(ChronoUnit.MILLIS)
                        .toString();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        figures.forEach((name, figure) ->
                text.append("  ").append(name).append(": ").append(figure).append('\n'));
        return text.toString();
    }
}
