package io.dynamolock.lockingread;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The names of the four attributes that are a lock. */
record LockAttributes(String token, String owner, String until, String lease) {

    /** All four names. */
    List<String> all() {
        return List.of(token, owner, until, lease);
    }

    /** The four attributes that a call writes; {@code null} for one that it removes. */
    Map<String, @Nullable AttributeValue> of(LockToken written, String holder, Lease leased) {
        Map<String, @Nullable AttributeValue> attributes = new HashMap<>();
        attributes.put(token, written.attribute());
        attributes.put(owner, AttributeValue.fromS(holder));
        attributes.put(until, leased.until() == null ? null : millis(leased.until()));
        attributes.put(lease, AttributeValue.fromN(Long.toString(leased.length().toMillis())));
        return attributes;
    }

    /** Whether the attributes of an item contain the lock, whichever call about it has written them. */
    boolean isIn(Map<String, AttributeValue> attributes, LockToken lock) {
        AttributeValue found = attributes.get(token);
        return found != null && found.s() != null && found.s().startsWith(lock.prefix());
    }

    /** The condition that the lock is in the item, whichever call about it has written it. */
    String contains(LockToken lock, ItemExpression expression) {
        return expression.beginsWith(token, lock.prefix());
    }

    /** The condition that the lock is in the item as this call or an earlier call about it has written it. */
    String containsNoLater(LockToken lock, ItemExpression expression) {
        return expression.between(token, lock.first().attribute(), lock.attribute());
    }

    /** The condition that the item still shows the lock with this token and this end. */
    String isUnchanged(String seen, @Nullable Instant end, ItemExpression expression) {
        return expression.equal(token, AttributeValue.fromS(seen))
                + " AND "
                + (end == null ? expression.absent(until) : expression.equal(until, millis(end)));
    }

    /** A time as an attribute: a number of milliseconds since the epoch. */
    static AttributeValue millis(Instant time) {
        return AttributeValue.fromN(Long.toString(time.toEpochMilli()));
    }
}
