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
 * Whether this machine's clock is right enough. Others may expire a session at once whose last heartbeat is too old by
 * their wall clocks: so a process whose clock is wrong must hold nothing. Thread-safe.
 */
public final class ClockCheck {

    private final Duration maxSkew;
    private final TimeSource time;
    private volatile @Nullable StoreFailure latest;

    public ClockCheck(Duration maxSkew, TimeSource time) {
        this.maxSkew = maxSkew;
        this.time = time;
    }

    /**
     * Compares the clocks. The store has told its time at some moment from the sending of the call until now: neither a
     * slow answer nor a pause of this process makes a right clock look wrong, though the monotonic clock may stand
     * still meanwhile.
     *
     * @param sending what the clocks said when the call was sent
     * @param storeTime what the answer has told; {@code null} for nothing
     * @return what is wrong; {@code null} if nothing is
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

    /** Whether the clock may be so far off; less than nothing always. */
    boolean allows(Duration off) {
        return maxSkew.isZero() || off.compareTo(maxSkew.dividedBy(2)) <= 0;
    }

    /** What was wrong when the clocks were compared last. */
    public Optional<String> problem() {
        return Optional.ofNullable(latest).map(StoreFailure::getMessage);
    }
}
