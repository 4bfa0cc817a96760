package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;

/** When a lock whose holder does not release it may be taken over. */
sealed interface TakeOver {

    /** How long a lock that was seen is still to be left alone; zero or negative if not at all. */
    Duration remaining(Observations.Seen seen, TimeSource time);

    /** When it was seen unchanged for as long as its lease, by the monotonic clock of this process. */
    record Observed() implements TakeOver {

        @Override
        public Duration remaining(Observations.Seen seen, TimeSource time) {
            return seen.lock().lease().minusNanos(time.nanos() - seen.sinceNanos());
        }
    }

    /** When its end lies back by more than the wall clocks of any two processes may differ. */
    record ByWallClock(Duration maxClockSkew) implements TakeOver {

        @Override
        public Duration remaining(Observations.Seen seen, TimeSource time) {
            return Duration.between(time.now().minus(maxClockSkew), seen.lock().until());
        }
    }
}
