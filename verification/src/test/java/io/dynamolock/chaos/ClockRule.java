package io.dynamolock.chaos;

import java.time.Duration;

/** All processes share one clock: by it, a process begins soon after it was started, and never before. */
final class ClockRule implements Rule {

    private static final long START_LIMIT = Duration.ofMinutes(2).toNanos();

    @Override
    public void check(Observed observed, Violations violations) {
        observed.lives.forEach((process, life) -> {
            if (life.started != Attempt.NONE
                    && (life.starting == Attempt.NONE
                            || life.started < life.starting
                            || life.started - life.starting > START_LIMIT)) {
                violations.add(
                        "one clock",
                        process + " was started at " + life.starting + " and was there at " + life.started,
                        life.started);
            }
        });
    }
}
