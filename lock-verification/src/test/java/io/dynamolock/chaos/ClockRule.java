package io.dynamolock.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The processes do share one clock: nobody starts before it was started, nor long after. */
final class ClockRule implements Rule {

    private static final long START_LIMIT = Duration.ofMinutes(2).toNanos();

    @Override
    public List<Violation> check(Observed observed) {
        List<Violation> violations = new ArrayList<>();
        observed.lives.forEach((process, life) -> {
            if (life.started != Attempt.NONE
                    && (life.starting == Attempt.NONE
                            || life.started < life.starting
                            || life.started - life.starting > START_LIMIT)) {
                violations.add(new Violation(
                        "one clock",
                        process + " was started at " + life.starting + " and was there at " + life.started,
                        life.started));
            }
        });
        return violations;
    }
}
