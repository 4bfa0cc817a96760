package io.dynamolock.lockingread;

import io.dynamolock.internal.collection.RecentlyUsed;
import io.dynamolock.internal.time.Durations;
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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Decides which locks this process may take over:
 *
 * <ul>
 *   <li>locks whose lease is over, judged by how long this process has seen them unchanged, or by wall clock;
 *   <li>locks of its own calls that failed, if it does not know whether they locked the item.
 * </ul>
 *
 * <p>Observations are kept between calls, so that a caller that never waits can still take over the lock of a dead
 * process. Their number is bounded. The least recently used one is forgotten first, which makes a take-over later, but
 * never wrong. Thread-safe.
 */
final class Observations {

    /**
     * Maximum number of locks observed. Each takes 200 bytes, as measured on a 64-bit JVM with the tokens of this
     * package.
     */
    static final int MOST = 100_000;

    /** Added to the exception of a caller whose item displaces the observation of another one. */
    static final String FORGETS = " This process remembers the " + MOST + " locked items that it asked"
            + " for last, and is forgetting others: visiting more than that in turn without waiting takes none of them"
            + " over. Wait for the lease at each, visit fewer in turn, or build the table with takeOverByWallClock.";

    /** Maximum number of own locks given up. */
    private static final int MOST_GIVEN_UP = 1_000;

    private final TimeSource time;
    private final @Nullable Duration maxClockSkew;
    /** The last lock seen in an item, by the item's fingerprint. Guarded by this. */
    private final Map<Long, Seen> seen = new RecentlyUsed<>(MOST);
    /**
     * The token of an own lock that an item may contain and that no caller knows of, by fingerprint. Guarded by this.
     */
    private final Map<Long, String> givenUp = new RecentlyUsed<>(MOST_GIVEN_UP);

    /** @param maxClockSkew maximum difference between wall clocks; {@code null} to judge by observation instead */
    Observations(TimeSource time, @Nullable Duration maxClockSkew) {
        this.time = time;
        this.maxClockSkew = maxClockSkew;
    }

    /**
     * A lock that was seen in an item. It contains numbers instead of times, because there may be many of them.
     *
     * @param sinceNanos when the first answer arrived that showed the lock in this state, by the monotonic clock
     */
    private record Seen(String token, long untilMillis, long leaseMillis, long sinceNanos) {

        /** This observation if the item still shows the lock in the same state, otherwise the new observation. */
        Seen unlessDifferent(Seen now) {
            boolean isUnchanged =
                    token.equals(now.token) && untilMillis == now.untilMillis && leaseMillis == now.leaseMillis;
            return isUnchanged ? this : now;
        }

        /** How much longer the lock must be seen unchanged; negative or zero if its lease is over. */
        Duration remaining(TimeSource time) {
            return Duration.ofMillis(leaseMillis).minusNanos(time.nanos() - sinceNanos);
        }
    }

    /**
     * The conditions under which this process may take over the lock in the item: one of them must hold. Empty if it
     * may not.
     */
    synchronized List<String> conditions(ItemId item, LockAttributes names, ItemExpression expression) {
        List<String> conditions = new ArrayList<>();
        Long fingerprint = fingerprint(item);
        if (maxClockSkew != null) {
            AttributeValue overBefore = ItemLock.millis(time.now().minus(maxClockSkew));
            conditions.add(
                    expression.present(names.token()) + " AND " + expression.compare(names.until(), "<", overBefore));
        }
        Seen last = seen.get(fingerprint);
        if (last != null && last.remaining(time).compareTo(Duration.ZERO) <= 0) {
            // If the lock was extended in the meantime, its end is later, and this condition does not hold.
            conditions.add(
                    names.isNotExtendedBeyond(Instant.ofEpochMilli(last.untilMillis()), last.token(), expression));
        }
        String own = givenUp.get(fingerprint);
        if (own != null) {
            conditions.add(names.tokenEquals(own, expression));
        }
        return conditions;
    }

    /**
     * Records a lock that was found in the item, and returns how long this process must still leave it alone; not
     * negative.
     */
    synchronized Duration found(ItemId item, ItemLock lock) {
        Seen now =
                new Seen(lock.token(), lock.until().toEpochMilli(), lock.lease().toMillis(), time.nanos());
        Duration remaining = maxClockSkew == null
                ? seen.merge(fingerprint(item), now, Seen::unlessDifferent).remaining(time)
                : Duration.between(time.now().minus(maxClockSkew), lock.until());
        return Durations.notNegative(remaining);
    }

    /** Whether recording a lock of this item displaces the observation of another item. */
    synchronized boolean isFullFor(ItemId item) {
        return seen.size() == MOST && !seen.containsKey(fingerprint(item));
    }

    /** Records that the item may contain a lock with this token, now or later, and that no caller knows of it. */
    synchronized void giveUp(ItemId item, String token) {
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
