package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock as it stands in an item. While it is held, an extension changes {@code until}, which never goes back: so a
 * lock that was seen twice alike was not extended in between.
 *
 * @param token of this lock and no other, ever
 * @param owner for people
 * @param until when the lease is over by its holder's wall clock, to the millisecond
 */
record ItemLock(String token, String owner, Instant until, Duration lease) {

    /** Many of them are remembered, and whoever can write the table can write anything there. */
    private static final int MAX_TOKEN = 256;

    private static final AttributeValue ABSENT = AttributeValue.fromNul(true);

    /** @throws IllegalStateException if the item's attributes are not a lock */
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
                // As below, and so if one of the two is not a number.
            }
        }
        throw new IllegalStateException("The " + item + " has attributes called like those of a lock, " + names.all()
                + ", that are not a lock of a locking table. If they are data, give the lock's attributes other names"
                + " on the builder of the locking table; if not, remove all of them.");
    }

    /** Its end never moves back, and is never the same again: others tell by it that the lock was extended. */
    ItemLock extended(Lease by) {
        Instant later = until.plusMillis(1);
        return new ItemLock(token, owner, by.until().isAfter(later) ? by.until() : later, by.length());
    }

    Map<String, AttributeValue> attributes(LockAttributes names) {
        return Map.of(
                names.token(), AttributeValue.fromS(token),
                names.owner(), AttributeValue.fromS(owner),
                names.until(), millis(until),
                names.lease(), AttributeValue.fromN(Long.toString(lease.toMillis())));
    }

    static AttributeValue millis(Instant time) {
        return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
    }
}
