package io.dynamolock.internal.engine;

import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The clocks of a simulation: the store's, and those of each process. If clocks are wrong in it, either all wall clocks
 * are right and the store tells any time or none, or the store tells the right time and the wall clocks say anything.
 */
final class SimulatedClocks {

    /**
     * How far a right clock may be off. The rules allow for two right clocks that differ by 5 seconds, of which the
     * confirmation of a heartbeat may use up two.
     */
    private static final Duration RIGHT = Duration.ofMillis(1_500);

    private static final Duration YEAR = Duration.ofDays(365);

    /** How far a wrong clock is ahead at most, except for wall clocks that are a year ahead. */
    static final Duration MOST_AHEAD = Duration.ofSeconds(200);

    private final VirtualTime time;
    private final SplittableRandom random;
    private final boolean areSomeWrong;

    /**
     * Whether clocks run faster or slower than time, by up to a twelfth. Only then may they be off by a year: the model
     * that reads traces has one time for all, and small numbers.
     */
    private final boolean areSlewed;

    private final boolean areWallsRight;

    /** Whether all is calm, so that all clocks are right from now on. */
    private boolean isCalm;

    SimulatedClocks(VirtualTime time, SplittableRandom random, boolean areSomeWrong, boolean areSlewed) {
        this.time = time;
        this.random = random;
        this.areSomeWrong = areSomeWrong;
        this.areSlewed = areSlewed;
        this.areWallsRight = random.nextBoolean();
    }

    /** From now on, all clocks tell the right time. */
    void calm() {
        isCalm = true;
    }

    /** Whether the store's answers tell the right time. */
    boolean isStoreRight() {
        return !areSomeWrong || !areWallsRight;
    }

    /** What an answer of the store tells of its time, to the second; {@code null} if it tells nothing. */
    @Nullable
    Instant storeTime() {
        if (isCalm || !areSomeWrong) {
            return time.now().truncatedTo(ChronoUnit.SECONDS);
        }
        boolean isTold = isStoreRight() || random.nextInt(4) > 0;
        Duration off = isStoreRight() ? alittle() : anything();
        return isTold ? time.now().plus(off).truncatedTo(ChronoUnit.SECONDS) : null;
    }

    /** How long this may take by a clock that is a twelfth fast. */
    Duration byAFastClock(Duration duration) {
        return areSlewed ? duration.dividedBy(13).multipliedBy(12) : duration;
    }

    /** How long this may take by a clock that is a twelfth slow. */
    Duration byASlowClock(Duration duration) {
        return areSlewed ? duration.dividedBy(11).multipliedBy(12) : duration;
    }

    /** The clocks of another process. */
    Local local() {
        return new Local();
    }

    /** The clocks of one machine. */
    final class Local implements TimeSource {

        /** How many seconds the monotonic clock counts in a second; a wall clock that is wrong does so, too. */
        private final double rate = areSlewed ? 1 + (random.nextDouble() * 2 - 1) / 12 : 1;

        /** How far the wall clock is ahead. */
        private Duration ahead = Duration.ZERO;

        double rate() {
            return rate;
        }

        /** Somebody sets the wall clock. */
        void set() {
            ahead = areWallsRight ? alittle() : areSlewed && random.nextInt(4) == 0 ? YEAR : anything();
        }

        @Override
        public long nanos() {
            return (long) (time.nanos() * rate);
        }

        @Override
        public Instant now() {
            if (isCalm) {
                return time.now();
            }
            // A wall clock that is right is not slewed for long.
            Instant slewed = areWallsRight ? time.now() : time.now().plusNanos(nanos() - time.nanos());
            return slewed.plus(ahead);
        }
    }

    private Duration alittle() {
        return RIGHT.multipliedBy(random.nextInt(-100, 101)).dividedBy(100);
    }

    private Duration anything() {
        return areSlewed && random.nextInt(3) == 0
                ? YEAR.negated()
                : Duration.ofMillis(random.nextLong(-MOST_AHEAD.toMillis(), MOST_AHEAD.toMillis()));
    }
}
