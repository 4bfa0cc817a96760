package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.Moment;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The store's wall clock: the time that the store's latest answer about the own session has told, plus the time since
 * then by the monotonic clock. As long as the store has told no time, this machine's wall clock. Lives on the event
 * loop.
 */
final class StoreClock {

    /** The store may tell its time only to the second. */
    private static final Duration STEP = Duration.ofSeconds(1);

    /**
     * A time that the store has told: its clock said this at some moment between the sending and the arrival.
     *
     * @param sentAt when the call was sent
     * @param arrivedAt when the answer came
     */
    private record Reading(Instant told, Moment sentAt, Moment arrivedAt) {}

    private final TimeSource time;

    /** The last reading; {@code null} before the first. */
    private @Nullable Reading lastReading;

    StoreClock(TimeSource time) {
        this.time = time;
    }

    /** The store has told its time in the answer to a call; the answer has just come. */
    void told(Instant storeTime, Moment sentAt) {
        lastReading = new Reading(storeTime, sentAt, time.moment());
    }

    /** The earliest time that the store's clock may show now, as far as this process can tell. */
    Instant earliestNow() {
        return lastReading == null ? time.now() : since(lastReading, lastReading.arrivedAt());
    }

    /** The latest time that the store's clock may show now, as far as this process can tell. */
    Instant latestNow() {
        return (lastReading == null ? time.now() : since(lastReading, lastReading.sentAt())).plus(STEP);
    }

    private Instant since(Reading reading, Moment from) {
        return reading.told().plus(time.moment().since(from));
    }
}
