package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The lock in an item. An extension of the lock always raises {@code until}. So if somebody sees the same lock twice,
 * it was not extended in between.
 *
 * @param token random text that identifies this lock; no other lock ever has it
 * @param owner name of the holder, for people
 * @param until end of the lease by the holder's wall clock, to the millisecond
 * @param lease length of the lease
 */
record ItemLock(String token, String owner, Instant until, Duration lease) {

    /**
     * Maximum length of a token that is read. Processes remember many tokens, and whoever can write the table can write
     * any text there.
     */
    private static final int MAX_TOKEN = 256;

    private static final AttributeValue ABSENT = AttributeValue.fromNul(true);

    /**
     * The lock in an item.
     *
     * @throws IllegalStateException if the item's attributes are not a lock
     */
    static ItemLock in(Map<String, AttributeValue> attributes, LockAttributes names, ItemId item) {
        String token = attributes.getOrDefault(names.token(), ABSENT).s();
        String owner = attributes.getOrDefault(names.owner(), ABSENT).s();
        String until = attributes.getOrDefault(names.until(), ABSENT).n();
        String lease = attributes.getOrDefault(names.lease(), ABSENT).n();
        if (token != null && token.length() <= MAX_TOKEN) {
            try {
                return new ItemLock(
                        token,
                        owner == null ? "a process of unknown name" : SafeText.clean(owner),
                        Instant.ofEpochMilli(Long.parseLong(until)),
                        Lease.checked(Duration.ofMillis(Long.parseLong(lease))));
            } catch (IllegalArgumentException notALock) {
                // The attributes are not a lock, which is told below. That includes the case that one is not a number.
            }
        }
        throw new IllegalStateException("The " + item + " has attributes called like those of a lock, " + names.all()
                + ", that are not a lock of a locking table. If they are data, give the lock's attributes other names"
                + " on the builder of the locking table; if not, remove all of them.");
    }

    /**
     * The same lock with another lease. Its end is always later than before, so that others see that it was extended.
     */
    ItemLock extended(Lease extended) {
        Instant earliest = until.plusMillis(1);
        Instant end = extended.until().isAfter(earliest) ? extended.until() : earliest;
        return new ItemLock(token, owner, end, extended.length());
    }

    /** The attributes of the item that are this lock. */
    Map<String, AttributeValue> attributes(LockAttributes names) {
        return Map.of(
                names.token(), AttributeValue.fromS(token),
                names.owner(), AttributeValue.fromS(owner),
                names.until(), millis(until),
                names.lease(), AttributeValue.fromN(Long.toString(lease.toMillis())));
    }

    /** A time as an attribute: a number of milliseconds since the epoch. */
    static AttributeValue millis(Instant time) {
        return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
    }
}
