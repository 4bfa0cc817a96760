package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's wall clock, as its latest answer about the own session has told it, counted on by the monotonic clock;
 * this machine's wall clock as long as the store has told nothing. Lives on the event loop.
 */
final class StoreClock {

    /** The store's clock may tell its time to the second. */
    private static final Duration STEP = Duration.ofSeconds(1);

    /**
     * What the store has told.
     *
     * @param asked when the call was sent
     * @param heard when the answer came
     */
    private record Reading(Instant told, Moment asked, Moment heard) {}

    private final TimeSource time;

    /** The latest reading; {@code null} before the first. */
    private @Nullable Reading latest;

    StoreClock(TimeSource time) {
        this.time = time;
    }

    /** The store's clock has told its time in an answer that has just come. */
    void told(Instant storeTime, Moment asked) {
        latest = new Reading(storeTime, asked, time.moment());
    }

    /** A time that has certainly passed by the store's clock, as far as this process can tell. */
    Instant passed() {
        return latest == null ? time.now() : since(latest, latest.heard());
    }

    /** A time that has certainly not passed yet by the store's clock, as far as this process can tell. */
    Instant notPassed() {
        return (latest == null ? time.now() : since(latest, latest.asked())).plus(STEP);
    }

    private Instant since(Reading reading, Moment from) {
        return reading.told().plus(time.moment().since(from));
    }
}
