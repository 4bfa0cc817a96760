package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.RecentlyUsed;
import io.dynamolock.internal.engine.TimeSource;
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
 * Which locks in an item are not respected: those whose lease is over, as this process judges by what it has seen of
 * them or by wall clock, and those of its own that it gave up without knowing whether it had them. What was seen is kept
 * between calls, so that a caller that never waits can still take over what a dead process left. Bounded: what was not
 * asked for longest is forgotten, which makes a take-over later, never wrong. Thread-safe.
 */
final class Observations {

    /** 20 MB: 200 bytes each, as measured on a 64-bit JVM with tokens as they are made here. */
    static final int MOST = 100_000;

    /** For callers, when an item makes it forget another. */
    static final String FORGETS = " This process remembers the " + MOST + " locked items that it asked"
            + " for last, and is forgetting others: visiting more than that in turn without waiting takes none of them"
            + " over. Wait for the lease at each, visit fewer in turn, or build the table with takeOverByWallClock.";

    private static final int MOST_GIVEN_UP = 1_000;

    private final TimeSource time;
    private final @Nullable Duration maxClockSkew;
    private final Map<Long, Seen> seen = new RecentlyUsed<>(MOST);
    private final Map<Long, String> givenUp = new RecentlyUsed<>(MOST_GIVEN_UP);

    /** @param maxClockSkew how far wall clocks may be apart; null to judge by observation, and not by them */
    Observations(TimeSource time, @Nullable Duration maxClockSkew) {
        this.time = time;
        this.maxClockSkew = maxClockSkew;
    }

    /**
     * A lock without what is only for people, in numbers because there may be many.
     *
     * @param sinceNanos when the answer came that first showed the lock like this, by the monotonic clock
     */
    private record Seen(String token, long untilMillis, long leaseMillis, long sinceNanos) {

        /** This, unless the same item shows something else now. */
        Seen unlessDifferent(Seen now) {
            return equals(new Seen(now.token, now.untilMillis, now.leaseMillis, sinceNanos)) ? this : now;
        }

        Duration remaining(TimeSource time) {
            return Duration.ofMillis(leaseMillis).minusNanos(time.nanos() - sinceNanos);
        }
    }

    /** Of which a lock in the item meets one if it is not respected. */
    synchronized List<String> conditions(ItemId item, LockAttributes names, ItemExpression expression) {
        List<String> conditions = new ArrayList<>();
        Long print = fingerprint(item);
        if (maxClockSkew != null) {
            AttributeValue overBefore = ItemLock.millis(time.now().minus(maxClockSkew));
            conditions.add(
                    expression.present(names.token()) + " AND " + expression.compare(names.until(), "<", overBefore));
        }
        Seen last = seen.get(print);
        if (last != null && last.remaining(time).compareTo(Duration.ZERO) <= 0) {
            // An extension would have put the end off.
            conditions.add(names.standsUpTo(Instant.ofEpochMilli(last.untilMillis()), last.token(), expression));
        }
        String own = givenUp.get(print);
        if (own != null) {
            conditions.add(names.tokenEquals(own, expression));
        }
        return conditions;
    }

    /** Notes a lock that was found, and answers how long it is still to be left alone; not negative. */
    synchronized Duration found(ItemId item, ItemLock lock) {
        Seen now =
                new Seen(lock.token(), lock.until().toEpochMilli(), lock.lease().toMillis(), time.nanos());
        Duration remaining = maxClockSkew == null
                ? seen.merge(fingerprint(item), now, Seen::unlessDifferent).remaining(time)
                : Duration.between(time.now().minus(maxClockSkew), lock.until());
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }

    /** Whether seeing this item locked makes it forget another. */
    synchronized boolean isFullFor(ItemId item) {
        return seen.size() == MOST && !seen.containsKey(fingerprint(item));
    }

    /** A lock with this token may stand in the item, or yet come to stand there, and no caller knows of it. */
    synchronized void giveUp(ItemId item, String token) {
        givenUp.put(fingerprint(item), token);
    }

    /** The item is free, gone, or this process's. */
    synchronized void forget(ItemId item) {
        Long print = fingerprint(item);
        seen.remove(print);
        givenUp.remove(print);
    }

    /**
     * Stands for a key of up to 3 KB. Should two items of a table ever have the same, one is taken over later: nothing is
     * taken over but the very lock whose random token was seen.
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
