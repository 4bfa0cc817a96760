package io.dynamolock.lockingread;

import io.dynamolock.internal.text.SafeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock as it stands in an item. While it is held, an extension changes {@code until}, which never goes back: so a
 * lock that was seen twice alike was not extended in between.
 *
 * @param token of this lock and no other, ever
 * @param owner for people
 * @param until when the lease is over by its holder's wall clock, to the millisecond
 */
record ItemLock(String token, @Nullable String owner, Instant until, Duration lease) {

    /** Many of them are remembered, and whoever can write the table can write anything there. */
    private static final int MAX_TOKEN = 256;

    /** @throws IllegalStateException if the item's attributes are not a lock */
    static ItemLock in(Map<String, AttributeValue> attributes, LockAttributes names, ItemId item) {
        AttributeValue token = attributes.get(names.token());
        AttributeValue owner = attributes.get(names.owner());
        AttributeValue until = attributes.get(names.until());
        AttributeValue lease = attributes.get(names.lease());
        if (token != null
                && token.s() != null
                && token.s().length() <= MAX_TOKEN
                && until != null
                && until.n() != null
                && lease != null
                && lease.n() != null) {
            try {
                return new ItemLock(
                        token.s(),
                        owner == null || owner.s() == null ? null : SafeText.clean(owner.s()),
                        Instant.ofEpochMilli(Long.parseLong(until.n())),
                        Locking.checkedLease(Duration.ofMillis(Long.parseLong(lease.n()))));
            } catch (IllegalArgumentException | DateTimeException notALock) {
                // As below.
            }
        }
        throw new IllegalStateException(
                "The " + item + " has attributes called like those of a lock (\"" + names.token()
                        + "\", \"" + names.owner() + "\", \"" + names.until() + "\", \"" + names.lease()
                        + "\") that are not a lock of a locking table. If they are data, give the lock's attributes other names"
                        + " on the builder of the locking table; if not, remove all of them.");
    }

    static boolean isTokenOf(Map<String, AttributeValue> attributes, LockAttributes names, String token) {
        AttributeValue found = attributes.get(names.token());
        return found != null && token.equals(found.s());
    }

    Map<String, AttributeValue> attributes(LockAttributes names) {
        return Map.of(
                names.token(), AttributeValue.fromS(token),
                names.owner(), AttributeValue.fromS(owner == null ? "" : owner),
                names.until(), untilValue(),
                names.lease(), leaseValue());
    }

    AttributeValue untilValue() {
        return millis(until);
    }

    AttributeValue leaseValue() {
        return AttributeValue.fromN(Long.toString(lease.toMillis()));
    }

    static AttributeValue millis(Instant time) {
        return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
    }
}
