package io.dynamolock.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * A time in which an attempt held its lock for sure, in one mode. Nanoseconds of the clock that all processes share.
 */
record HoldSpan(Attempt attempt, HoldMode mode, long from, long to) {

    /**
     * Calls the visitor with each span of each lock, in the order of their beginnings, and with the earlier spans that
     * had not ended by then.
     */
    static void visit(Observed observed, BiConsumer<HoldSpan, List<HoldSpan>> visitor) {
        observed.granted(Attempt::wasHolder, attempt -> attempt.key).values().forEach(grants -> {
            List<HoldSpan> spans = grants.stream()
                    .flatMap(attempt -> of(attempt).stream())
                    .sorted(Comparator.comparingLong(HoldSpan::from))
                    .toList();
            List<HoldSpan> open = new ArrayList<>();
            for (HoldSpan span : spans) {
                open.removeIf(before -> before.to() <= span.from());
                visitor.accept(span, List.copyOf(open));
                open.add(span);
            }
        });
    }

    /** The spans of an attempt: two for a writer that went on as a reader. */
    private static List<HoldSpan> of(Attempt attempt) {
        long until = attempt.heldUntil();
        long shared = attempt.sharedSince;
        return shared == Attempt.NONE || shared >= until
                ? List.of(new HoldSpan(attempt, attempt.mode, attempt.granted, until))
                : List.of(
                        new HoldSpan(attempt, attempt.mode, attempt.granted, shared),
                        new HoldSpan(attempt, HoldMode.READ, shared, until));
    }
}
