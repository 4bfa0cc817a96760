package io.dynamolock.lockingread;

import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.time.Durations;
import io.dynamolock.internal.time.StoreClock;
import io.dynamolock.internal.time.TimeSource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides which locks this process may take over:
 *
 * <ul>
 *   <li>locks whose lease is over, because this process has seen them unchanged for so long;
 *   <li>locks whose lease is over, because both DynamoDB's clock and this machine's wall clock say so, of which one may
 *       be wrong;
 *   <li>locks of its own calls that failed, if it does not know whether they locked the item.
 * </ul>
 *
 * <p>Observations are kept between calls, so that a caller that never waits can still take over the lock of a dead
 * process. Their number is bounded. The least recently used one is forgotten first, which makes a take-over later, but
 * never wrong. Thread-safe.
 */
final class Observations {

    /** Maximum number of locks observed. Each takes about 225 bytes on a 64-bit JVM with the tokens of this package. */
    static final int MOST = 100_000;

    /**
     * Added to the exception of a caller whose item displaces the observation of another one, if its lock can only be
     * watched.
     */
    static final String FORGETS = " The lock does not tell when it ends, or the clocks do not agree about it, so it is"
            + " taken over only by a process that has seen it for the whole lease. This process remembers the " + MOST
            + " locked items that it asked for last, and is forgetting others: visiting more than that in turn without"
            + " waiting takes none of them over. Wait for the lease at each, or visit fewer in turn.";

    /** Maximum number of own locks given up. */
    private static final int MOST_GIVEN_UP = 1_000;

    /**
     * How much later than by watching a lock may be over by its end, if the clocks are about right: the rules add twice
     * what the clocks may be wrong by, and some seconds. If it is more, only watching helps.
     */
    private static final Duration MOST_AHEAD = Clocks.BOUND.multipliedBy(3);

    private final TimeSource time;
    /** The last lock seen in an item, by the item's fingerprint. Guarded by this. */
    private final Map<Long, Seen> seen = new RecentlyUsed<>(MOST);
    /** An own lock that an item may contain and that no caller knows of, by fingerprint. Guarded by this. */
    private final Map<Long, LockToken> givenUp = new RecentlyUsed<>(MOST_GIVEN_UP);

    Observations(TimeSource time) {
        this.time = time;
    }

    /**
     * A lock that was seen in an item. It contains numbers instead of times, because there may be many of them.
     *
     * @param untilMillis {@link #NO_END} if the lock has none
     * @param respectedMillis how long the lock must be seen unchanged
     * @param sinceNanos when the first answer arrived that showed the lock in this state, by the monotonic clock
     * @param isOver whether both clocks have said that the lease is over, when an answer showed the lock in this state
     */
    private record Seen(String token, long untilMillis, long respectedMillis, long sinceNanos, boolean isOver) {

        private static final long NO_END = Long.MIN_VALUE;

        static Seen now(ItemLock lock, boolean isOver, long nanos) {
            Instant until = lock.until();
            return new Seen(
                    lock.token(),
                    until == null ? NO_END : until.toEpochMilli(),
                    lock.respected().toMillis(),
                    nanos,
                    isOver);
        }

        @Nullable
        Instant until() {
            return untilMillis == NO_END ? null : Instant.ofEpochMilli(untilMillis);
        }

        /** This observation if the item still shows the lock in the same state, otherwise the new observation. */
        Seen and(Seen now) {
            boolean isUnchanged =
                    token.equals(now.token) && untilMillis == now.untilMillis && respectedMillis == now.respectedMillis;
            return isUnchanged ? new Seen(token, untilMillis, respectedMillis, sinceNanos, isOver || now.isOver) : now;
        }

        /** How much longer the lock must be seen unchanged; negative or zero if it may be taken over. */
        Duration remaining(TimeSource time) {
            return isOver ? Duration.ZERO : Duration.ofMillis(respectedMillis).minusNanos(time.nanos() - sinceNanos);
        }
    }

    /**
     * How long a lock must be left alone.
     *
     * @param time how long this process must still leave it alone; zero if the next try may take it over
     * @param isByWatchingOnly whether the lock's end does not help, so that this process must have seen it all the time
     */
    record Left(Duration time, boolean isByWatchingOnly) {}

    /**
     * The conditions under which this process may take over the lock in the item: one of them must hold. Empty if it
     * may not.
     */
    synchronized List<String> conditions(ItemId item, LockAttributes names, ItemExpression expression) {
        List<String> conditions = new ArrayList<>();
        Long fingerprint = fingerprint(item);
        Seen last = seen.get(fingerprint);
        if (last != null && last.remaining(time).compareTo(Duration.ZERO) <= 0) {
            // If the lock was extended in the meantime, its token is another one, and this condition does not hold.
            conditions.add(names.isUnchanged(last.token(), last.until(), expression));
        }
        LockToken own = givenUp.get(fingerprint);
        if (own != null) {
            conditions.add(names.contains(own, expression));
        }
        return conditions;
    }

    /**
     * Records a lock that was found in the item.
     *
     * @param storeTime DynamoDB's time, as the answer tells it that shows the lock; {@code null} if it tells none. An
     *     earlier answer would not do: the time since then would have to be measured
     */
    synchronized Left found(ItemId item, ItemLock lock, @Nullable Instant storeTime) {
        Instant overAfter = lock.overAfter();
        Duration untilOver = null;
        if (overAfter != null && storeTime != null) {
            Instant wall = time.now();
            untilOver = Duration.between(storeTime.isBefore(wall) ? storeTime : wall, overAfter);
        }
        boolean isOver = untilOver != null && untilOver.isNegative();
        Duration watching =
                Durations.notNegative(seen.merge(fingerprint(item), Seen.now(lock, isOver, time.nanos()), Seen::and)
                        .remaining(time));
        if (untilOver == null || untilOver.compareTo(watching.plus(MOST_AHEAD)) > 0) {
            return new Left(watching, true);
        }
        // An answer may tell a time that is a step behind, so the answer that shows that the lease is over comes later.
        return new Left(
                Durations.shorter(watching, Durations.notNegative(untilOver).plus(StoreClock.STEP)), false);
    }

    /** Whether recording a lock of this item displaces the observation of another item. */
    synchronized boolean isFullFor(ItemId item) {
        return seen.size() == MOST && !seen.containsKey(fingerprint(item));
    }

    /** Records that the item may contain this lock, now or later, and that no caller knows of it. */
    synchronized void giveUp(ItemId item, LockToken token) {
        givenUp.put(fingerprint(item), token);
    }

    /** Forgets all about the item, which is free, gone, or locked by this process. */
    synchronized void forget(ItemId item) {
        Long fingerprint = fingerprint(item);
        seen.remove(fingerprint);
        givenUp.remove(fingerprint);
    }

    /**
     * A hash of the item's key, which itself may have 3 KB. If two items of a table ever have the same fingerprint, one
     * of them is taken over later; never wrongly, because a take-over always names the random token of the lock that
     * was seen.
     */
    private static Long fingerprint(ItemId item) {
        try {
            byte[] key = item.key().toString().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
