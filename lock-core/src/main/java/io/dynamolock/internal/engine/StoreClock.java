package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Durations;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the store's wall clock: the time that the answer to the latest call about the own session has told,
 * plus the time since the sending of that call. Both local clocks measure that time, and the longer result counts,
 * because either of them may stand still while the machine is suspended. Lives on the event loop.
 */
final class StoreClock {

    /** The store may tell its time only to the second. */
    static final Duration STEP = Duration.ofSeconds(1);

    /** @param sent what the local clocks said when the call was sent that has told the time */
    private record Reading(Instant told, ClockReading sent) {}

    /** What the latest answer has told; {@code null} before the first, and if the latest told nothing. */
    private @Nullable Reading latest;

    /**
     * The store has answered a call about the own session.
     *
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     */
    void answered(@Nullable Instant storeTime, ClockReading sent) {
        latest = storeTime == null ? null : new Reading(storeTime, sent);
    }

    /** The latest that the store's clock can say now; {@code null} if the latest answer has told no time. */
    @Nullable
    Instant latestNow(ClockReading now) {
        if (latest == null) {
            return null;
        }
        ClockReading sent = latest.sent();
        Duration passed =
                Durations.longer(now.moment().since(sent.moment()), Duration.between(sent.wall(), now.wall()));
        return latest.told().plus(STEP).plus(passed);
    }
}
