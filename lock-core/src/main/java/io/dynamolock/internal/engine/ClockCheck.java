package io.dynamolock.internal.engine;

import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says whether this machine's wall clock is right enough. Other processes expire a session at once if its last
 * heartbeat is too old by their wall clocks: so a process whose clock is wrong must hold no lock. Thread-safe.
 */
public final class ClockCheck {

    private final Duration maxSkew;
    private final TimeSource time;
    /** What was wrong at the latest comparison; {@code null} if nothing was, and before the first comparison. */
    private volatile @Nullable StoreFailure latest;

    public ClockCheck(Duration maxSkew, TimeSource time) {
        this.maxSkew = maxSkew;
        this.time = time;
    }

    /**
     * Compares this machine's wall clock with the store's. The store has read its clock at some moment between the
     * sending of the call and now. So neither a slow answer nor a pause of this process makes a right clock look wrong,
     * even if the monotonic clock stands still during the pause.
     *
     * @param sending what the clocks said when the call was sent
     * @param storeTime the time that the answer has told; {@code null} if it has told none
     * @return what is wrong with this machine's clock; {@code null} if nothing is
     */
    public @Nullable StoreFailure compare(ClockReading sending, @Nullable Instant storeTime) {
        Instant here = time.now();
        Instant sent =
                Collections.min(List.of(sending.wall(), here.minus(time.moment().since(sending.moment()))));
        latest = storeTime == null
                        || allows(Duration.between(storeTime, sent)) && allows(Duration.between(here, storeTime))
                ? null
                : new StoreFailure(
                        StoreFailure.Kind.WRONG_CLOCK,
                        ("The clock of this machine is wrong: it says %s, that of the store %s. They may differ by half of"
                                        + " maxClockSkew (%s) at the most. Set the clock of this machine; or stop all"
                                        + " processes and switch expiry by wall clock off in each, with maxClockSkew = 0; the clock"
                                        + " may then be wrong by half of the retention at the most.")
                                .formatted(here, storeTime, maxSkew),
                        null);
        return latest;
    }

    /** Whether a clock may be off by this much; a negative difference is always allowed. */
    boolean allows(Duration off) {
        return maxSkew.isZero() || off.compareTo(maxSkew.dividedBy(2)) <= 0;
    }

    /** What was wrong at the latest comparison; empty if nothing was. */
    public Optional<String> problem() {
        return Optional.ofNullable(latest).map(StoreFailure::getMessage);
    }
}
