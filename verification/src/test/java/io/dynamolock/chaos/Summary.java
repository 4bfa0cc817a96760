package io.dynamolock.chaos;

import io.dynamolock.chaos.Registers.Outcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A run in figures, for people.
 *
 * @param processesTogether for each mode, the greatest number of processes that held one lock together
 */
record Summary(Map<String, Object> figures, Map<HoldMode, Integer> processesTogether) {

    static Summary of(Observed observed, int overruns, int unanswered) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("faults", observed.faults);
        figures.put("processes", observed.lives.size());
        figures.put("attempts", observed.attempts.size());
        figures.put("grants", observed.granted().size());
        figures.put("holds", holds(observed));
        figures.put("writers that went on as readers", observed.downgrades);
        figures.put("most holds together", mostTogether(observed, attempt -> attempt));
        Map<HoldMode, Integer> processesTogether = mostTogether(observed, attempt -> attempt.process);
        figures.put("most processes together", processesTogether);
        figures.put("failed attempts", observed.failures);
        figures.put(
                "grants lost before their release",
                observed.granted().stream()
                        .filter(attempt -> attempt.released != Attempt.NONE && !attempt.stillHeld)
                        .count());
        figures.put("writes without a fence", outcomes(observed, false));
        figures.put("writes with a fence", outcomes(observed, true));
        figures.put("updates lost without a fence: lock overrun", overruns);
        figures.put("updates lost without a fence: write without an answer", unanswered);
        figures.put("items of the table that were left to the next waiter", observed.leftToNextWaiter);
        figures.put("sessions left", observed.leftovers.size());
        return new Summary(figures, processesTogether);
    }

    private static Map<HoldMode, Long> holds(Observed observed) {
        return observed.granted().stream()
                .filter(Attempt::wasHolder)
                .collect(Collectors.groupingBy(attempt -> attempt.mode, TreeMap::new, Collectors.counting()));
    }

    /**
     * For each mode, the most holders of one lock at a time.
     *
     * @param holder what counts as one holder: the process of an attempt, say
     */
    private static Map<HoldMode, Integer> mostTogether(Observed observed, Function<Attempt, Object> holder) {
        Map<HoldMode, Integer> most = new TreeMap<>();
        HoldSpan.visit(observed, (span, beside) -> {
            long together = Stream.concat(Stream.of(span), beside.stream())
                    .filter(other -> other.mode() == span.mode())
                    .map(other -> holder.apply(other.attempt()))
                    .distinct()
                    .count();
            most.merge(span.mode(), (int) together, Math::max);
        });
        return most;
    }

    private static Map<Outcome, Long> outcomes(Observed observed, boolean fenced) {
        return observed.writes.values().stream()
                .filter(write -> write.isFenced() == fenced)
                .collect(Collectors.groupingBy(write -> write.outcome, TreeMap::new, Collectors.counting()));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        figures.forEach((name, figure) ->
                text.append("  ").append(name).append(": ").append(figure).append('\n'));
        return text.toString();
    }
}
