package io.dynamolock.internal.time;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An upper bound of the store's wall clock: the time that the answer to the latest call has told, plus the time since
 * the sending of that call. Both local clocks measure that time, and the longer result counts, because either of them
 * may stand still while the machine is suspended. Thread-safe.
 */
public final class StoreClock {

    /** The store may tell its time only to the second. */
    public static final Duration STEP = Duration.ofSeconds(1);

    /** @param sent what the local clocks said when the call was sent that has told the time */
    private record Reading(Instant told, ClockReading sent) {}

    /** What the latest answer has told; {@code null} before the first, and if the latest told nothing. */
    private volatile @Nullable Reading latest;

    /** What the latest answer that told a time has told; {@code null} if none ever did. */
    private volatile @Nullable Reading lastTold;

    /**
     * The store has answered a call.
     *
     * @param storeTime the time that the answer tells; {@code null} if it tells none
     */
    public void answered(@Nullable Instant storeTime, ClockReading sent) {
        latest = storeTime == null ? null : new Reading(storeTime, sent);
        if (latest != null) {
            lastTold = latest;
        }
    }

    /** The latest that the store's clock can say now; {@code null} if the latest answer has told no time. */
    public @Nullable Instant latestNow(ClockReading now) {
        return now(latest, now);
    }

    /**
     * The store's time by the last answer that told it, however long ago; {@code null} if none ever did. Not for times
     * by which others expire a session.
     */
    public @Nullable Instant lastKnown(ClockReading now) {
        return now(lastTold, now);
    }

    private static @Nullable Instant now(@Nullable Reading reading, ClockReading now) {
        if (reading == null) {
            return null;
        }
        ClockReading sent = reading.sent();
        Duration passed =
                Durations.longer(now.moment().since(sent.moment()), Duration.between(sent.wall(), now.wall()));
        return reading.told().plus(STEP).plus(passed);
    }

    /**
     * The time to write into an item: the later of what the store's clock and this machine's wall clock can say now,
     * because one of them may be wrong; {@code null} if the latest answer has told no time. Then the item must not keep
     * the time of an earlier write either.
     */
    public @Nullable Instant timeToWrite(ClockReading now) {
        Instant byStore = latestNow(now);
        return byStore == null || byStore.isAfter(now.wall()) ? byStore : now.wall();
    }

    /**
     * Whether the answer to a write confirms that the time written was late enough. It was too early if both local
     * clocks had stood still before the sending.
     *
     * @param written the time in the write; {@code null} if there was none, so that nothing needs to be confirmed
     * @param storeTime what the answer tells; {@code null} if it tells no time, and so confirms none
     */
    public static boolean isConfirmed(@Nullable Instant written, @Nullable Instant storeTime) {
        return written == null || storeTime != null && !storeTime.isAfter(written.plus(STEP));
    }
}
