package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.ClockReading;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.OncePerMinute;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when this machine's wall clock and the store's disagree. A wrong clock costs nobody a lock as long as the
 * other one is right, so it has to be noticed in another way. Lives on the event loop, except for {@link #problem()},
 * which is thread-safe.
 */
public final class ClockComparison {

    private static final Logger log = LoggerFactory.getLogger(ClockComparison.class);

    /** Largest difference that is not worth a warning. */
    private static final Duration ALLOWED = Duration.ofSeconds(30);

    private final TimeSource time;
    private final OncePerMinute warnings;

    /** What was wrong at the latest comparison; {@code null} if nothing was, and before the first comparison. */
    private volatile @Nullable String problem;

    public ClockComparison(TimeSource time) {
        this.time = time;
        this.warnings = new OncePerMinute(time);
    }

    /**
     * Compares this machine's wall clock with the store's. The store has read its clock at some moment between the
     * sending of the call and now. So neither a slow answer nor a pause of this process makes a right clock look wrong.
     *
     * @param sent what the clocks said when the call was sent
     * @param storeTime the time that the answer has told; {@code null} if it has told none
     */
    public void compare(ClockReading sent, @Nullable Instant storeTime) {
        Instant here = time.now();
        Instant earliest = earlier(sent.wall(), here.minus(time.moment().since(sent.moment())));
        if (storeTime == null || !isOff(storeTime, earliest) && !isOff(here, storeTime)) {
            problem = null;
            return;
        }
        String difference =
                ("The clocks of this machine and of DynamoDB disagree: here it is %s, there it is %s. Locks are"
                                + " safe as long as one of the two is right. Until they agree, a process that has"
                                + " just started may take longer to get the lock of a crashed one. Set the clock of"
                                + " this machine; if it is right, look for a proxy that changes the Date header of"
                                + " answers.")
                        .formatted(here, storeTime);
        problem = difference;
        warnings.run(() -> log.warn("{}", difference));
    }

    private static boolean isOff(Instant later, Instant earlier) {
        return Durations.longer(Duration.between(earlier, later), ALLOWED).compareTo(ALLOWED) > 0;
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** What was wrong at the latest comparison; empty if nothing was. Thread-safe. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }
}
